//! Lines of long listings. All lines share one buffer, and numbers bypass the formatting machinery. With
//! `write!` and `serde_json`, a list of a million entries takes 1.8 to 2.5 times as long.

use std::io::{self, Write};

use quakefs::EntryName;

use crate::console::{Console, Part};
use crate::output::grouped;
use crate::text::{print_name, printable};

/// One line of a listing, in columns two spaces apart.
#[derive(Default)]
pub(crate) struct Line {
    bytes: Vec<u8>,
    /// Whether numbers are grouped, as for a terminal.
    groups: bool,
}

impl Line {
    pub(crate) fn new(console: &Console<'_>) -> Self {
        Line { bytes: Vec::new(), groups: console.columns.is_some() }
    }

    /// Adds the size of a file, aligned on the right.
    pub(crate) fn size(&mut self, size: u64) {
        const WIDTH: usize = 13;
        if self.groups {
            self.text(&format!("{:>WIDTH$}", grouped(size)), WIDTH);
        } else {
            self.number(size, WIDTH);
        }
    }

    /// Adds a number, aligned on the right.
    pub(crate) fn number(&mut self, number: u64, width: usize) {
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(number).as_bytes();
        self.spaces(width.saturating_sub(digits.len()));
        self.bytes.extend_from_slice(digits);
        self.bytes.extend_from_slice(b"  ");
    }

    /// Adds text, aligned on the left. Text from outside must be [`printable`].
    pub(crate) fn text(&mut self, text: &str, width: usize) {
        self.bytes.extend_from_slice(text.as_bytes());
        let taken = if text.is_ascii() { text.len() } else { text.chars().count() };
        self.spaces((width + 2).saturating_sub(taken));
    }

    /// Adds a finished cell.
    pub(crate) fn cell(&mut self, cell: &str) {
        self.bytes.extend_from_slice(cell.as_bytes());
    }

    /// Writes a line that is only a name: its unescaped bytes and a NUL, or the escaped name and a line end.
    pub(crate) fn name_alone(&mut self, name: EntryName<'_>, end: u8, out: &mut dyn Write) -> io::Result<()> {
        if end == 0 {
            self.bytes.extend_from_slice(name.as_bytes());
        } else {
            print_name(&mut self.bytes, name)?;
        }
        self.bytes.push(end);
        out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    /// Adds a name, and writes the line.
    pub(crate) fn end(&mut self, name: EntryName<'_>, out: &mut dyn Write) -> io::Result<()> {
        print_name(&mut self.bytes, name)?;
        self.bytes.push(b'\n');
        out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    fn spaces(&mut self, count: usize) {
        const SPACES: [u8; 16] = [b' '; 16];
        let end = self.bytes.len() + count;
        if count <= SPACES.len() {
            // copying a constant number of bytes takes one instruction
            self.bytes.extend_from_slice(&SPACES);
            self.bytes.truncate(end);
        } else {
            self.bytes.resize(end, b' ');
        }
    }
}

/// Prints only names, each followed by `end`; see [`Line::name_alone`].
pub(crate) fn print_names<'n>(
    names: impl IntoIterator<Item = impl Into<EntryName<'n>>>,
    end: u8,
    console: &mut Console<'_>,
) -> io::Result<()> {
    let mut line = Line::default();
    for name in names {
        line.name_alone(name.into(), end, console.out)?;
    }
    Ok(())
}

/// A column of layer names, each formatted once.
pub(crate) struct LayerColumn<'l>(Vec<(&'l str, String)>);

impl<'l> LayerColumn<'l> {
    pub(crate) fn new(names: impl Iterator<Item = &'l str>, part: Part, console: &Console<'_>) -> Self {
        let mut cells: Vec<(&str, String)> = Vec::new();
        for name in names {
            if !cells.iter().any(|(known, _)| std::ptr::eq(*known, name)) {
                cells.push((name, printable(name).into_owned()));
            }
        }
        let width = cells.iter().map(|(_, cell)| cell.chars().count()).max().unwrap_or(0) + 2;
        for (_, cell) in &mut cells {
            cell.extend(std::iter::repeat_n(' ', width - cell.chars().count()));
            *cell = console.paint(part, std::mem::take(cell)).into_owned();
        }
        LayerColumn(cells)
    }

    /// The cell of a layer.
    pub(crate) fn of(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| std::ptr::eq(*known, name)).map_or("", |(_, cell)| cell)
    }
}
