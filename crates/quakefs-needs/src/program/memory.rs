//! The entities and texts of a program.

use std::borrow::Cow;

use super::IncidentKind;
use quake_content::program::Program;

/// The most entities of an engine (`MAX_EDICTS` of QuakeSpasm and its descendants).
const MOST_ENTITIES: usize = 32_000;
/// The most cells of all entities together: 16 MiB.
const MOST_CELLS: usize = 1 << 22;
/// The most bytes of texts and names that a run keeps, besides the values of the level's entities.
pub(super) const MOST_TEXT: usize = 1 << 20;

/// The entities, cell after cell.
#[derive(Debug)]
pub(super) struct Entities {
    cells: Vec<u32>,
    size: usize,
    free: Vec<bool>,
    /// No entity before this one is free.
    lowest: usize,
}

impl Entities {
    /// Creates the world and a player.
    pub(super) fn new(size: usize) -> Self {
        let size = size.max(1);
        Entities { cells: vec![0; size * 2], size, free: vec![false; 2], lowest: 2 }
    }

    /// The cells of an entity.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn count(&self) -> usize {
        self.free.len()
    }

    /// The address of a field of an entity.
    pub(super) fn address(&self, entity: u32, field: u32) -> Option<u32> {
        let at = (entity as usize).checked_mul(self.size)?.checked_add(field as usize)?;
        ((field as usize) < self.size && at < self.cells.len()).then(|| u32::try_from(at).ok())?
    }

    pub(super) fn at(&self, address: u32) -> u32 {
        self.cells.get(address as usize).copied().unwrap_or_default()
    }

    pub(super) fn at_mut(&mut self, address: u32) -> Option<&mut u32> {
        self.cells.get_mut(address as usize)
    }

    pub(super) fn get(&self, entity: u32, field: u32) -> u32 {
        self.address(entity, field).map(|address| self.at(address)).unwrap_or_default()
    }

    pub(super) fn set(&mut self, entity: u32, field: u32, value: u32) {
        if let Some(cell) = self.address(entity, field).and_then(|address| self.at_mut(address)) {
            *cell = value;
        }
    }

    pub(super) fn is_free(&self, entity: u32) -> bool {
        self.free.get(entity as usize).copied().unwrap_or(true)
    }

    /// Creates an entity, or reuses a freed one. Engines wait before they reuse one, but no time passes while
    /// a level loads.
    pub(super) fn spawn(&mut self) -> Result<u32, IncidentKind> {
        let freed = self.free.iter().skip(self.lowest).position(|free| *free).map(|at| at + self.lowest);
        let index = freed.unwrap_or(self.free.len());
        self.lowest = index + 1;
        if let Some(free) = self.free.get_mut(index) {
            *free = false;
            let start = index * self.size;
            if let Some(cells) = self.cells.get_mut(start..start + self.size) {
                cells.fill(0);
            }
        } else {
            if self.count() >= MOST_ENTITIES || self.cells.len() + self.size > MOST_CELLS {
                return Err(IncidentKind::TooManyEntities);
            }
            self.free.push(false);
            self.cells.resize(self.cells.len() + self.size, 0);
        }
        Ok(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub(super) fn free(&mut self, entity: u32) {
        let index = entity as usize;
        // the world and the player stay
        if let Some(free) = self.free.get_mut(index).filter(|_| index > 1) {
            *free = true;
            self.lowest = self.lowest.min(index);
        }
    }
}

/// The texts of a program, and those created at run time, whose values have the highest bit set.
#[derive(Debug)]
pub(super) struct Texts<'p> {
    program: &'p Program<'p>,
    made: Vec<Box<[u8]>>,
    size: usize,
    most: usize,
}

const MADE: u32 = 1 << 31;

impl<'p> Texts<'p> {
    /// The texts for a level with this many bytes of entities.
    pub(super) fn new(program: &'p Program<'p>, entities: usize) -> Self {
        Texts { program, made: Vec::new(), size: 0, most: MOST_TEXT + entities * 8 }
    }

    pub(super) fn get(&self, value: u32) -> &[u8] {
        if value & MADE == 0 {
            self.program.text(value)
        } else {
            self.made.get((value & !MADE) as usize).map(|text| &**text).unwrap_or_default()
        }
    }

    /// Counts bytes that the run keeps.
    pub(super) fn keep(&mut self, bytes: usize) -> Result<(), IncidentKind> {
        self.size = self.size.saturating_add(bytes + 16);
        if self.size > self.most { Err(IncidentKind::Budget) } else { Ok(()) }
    }

    pub(super) fn make(&mut self, text: impl Into<Box<[u8]>>) -> Result<u32, IncidentKind> {
        let text = text.into();
        self.keep(text.len())?;
        let value = u32::try_from(self.made.len()).unwrap_or(!MADE) | MADE;
        self.made.push(text);
        Ok(value)
    }
}

/// The number at the start of a text, as C reads it; 0 without a number.
pub(super) fn number(text: &[u8]) -> f32 {
    let text = text.trim_ascii_start();
    let after_sign = |at: usize| at + usize::from(matches!(text.get(at), Some(b'+' | b'-')));
    let after_digits = |at: usize| at + text.iter().skip(at).take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = after_digits(after_sign(0));
    if text.get(end) == Some(&b'.') {
        end = after_digits(end + 1);
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let digits = after_sign(end + 1);
        end = Some(after_digits(digits)).filter(|end| *end > digits).unwrap_or(end);
    }
    let number = text.get(..end).and_then(|number| std::str::from_utf8(number).ok()?.parse::<f64>().ok());
    #[expect(clippy::cast_possible_truncation, reason = "the engine has these numbers too")]
    let number = number.unwrap_or_default() as f32;
    number
}

/// The three numbers of a text such as `0 90 0`.
pub(super) fn vector(text: &[u8]) -> [f32; 3] {
    let mut parts = text.split(|byte| *byte <= b' ').filter(|part| !part.is_empty()).map(number);
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

/// Resolves the escapes in a value: `\n` becomes a line end, and any other escape a backslash
/// (`ED_NewString`).
pub(super) fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.contains(&b'\\') {
        return Cow::Borrowed(value);
    }
    let mut text = Vec::with_capacity(value.len());
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        text.push(match byte {
            b'\\' if bytes.len() > 0 => match bytes.next() {
                Some(b'n') => b'\n',
                _ => b'\\',
            },
            byte => byte,
        });
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_read_as_c_reads_them() {
        for text in [
            "0",
            "1",
            "-1",
            "+12.5",
            "  7",
            ".25",
            "3.",
            "-0.0625",
            "0.1",
            "1e3",
            "1.5e-3",
            "16777217",
            "3.4028235e38",
            "123456789012345678901234567890",
            "0.000000000000000000000000000001",
            "1e99",
            "1e-99",
        ] {
            assert_eq!(
                number(text.as_bytes()).to_bits(),
                text.trim().parse::<f32>().unwrap().to_bits(),
                "{text}"
            );
        }
        for (text, wanted) in
            [("12 34", 12.0), ("5x", 5.0), ("1.2.3", 1.2), ("2e", 2.0), ("-", 0.0), ("", 0.0), ("e5", 0.0)]
        {
            assert_eq!(number(text.as_bytes()).to_bits(), f32::to_bits(wanted), "{text}");
        }
    }
}
