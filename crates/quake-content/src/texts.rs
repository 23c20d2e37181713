//! The text in files.

use crate::Level;
use crate::program::Program;

/// The text of a file: a text as it is, the entities of a level, or the texts of a QuakeC program.
///
/// Other files have none: a NUL in the first 8 KiB tells that a file is no text.
///
/// ```
/// use quake_content::Text;
/// let text = Text::of(b"exec default.cfg\r\nmap start\n");
/// let lines: Vec<_> = text.lines().collect();
/// assert_eq!(lines, [(1, &b"exec default.cfg"[..]), (2, b"map start")]);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Text<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The byte that ends a line: a line feed, or NUL in a program.
    pub line_end: u8,
}

impl<'a> Text<'a> {
    /// The text of a file.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Self {
        const START: usize = 8 << 10;
        if let Ok(level) = Level::parse(bytes) {
            return Text { bytes: level.entity_text().unwrap_or_default(), line_end: b'\n' };
        }
        if !bytes.get(..START).unwrap_or(bytes).contains(&0) {
            return Text { bytes, line_end: b'\n' };
        }
        let bytes = Program::parse(bytes).map_or(&[][..], |program| program.all_texts());
        Text { bytes, line_end: 0 }
    }

    /// The lines that are not empty, each with its number, from 1.
    pub fn lines(self) -> impl Iterator<Item = (usize, &'a [u8])> {
        let lines = self.bytes.split(move |byte| *byte == self.line_end).enumerate();
        let lines = lines.map(|(index, line)| (index + 1, line.strip_suffix(b"\r").unwrap_or(line)));
        lines.filter(|(_, line)| !line.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<(usize, &str)> {
        Text::of(bytes).lines().map(|(number, line)| (number, std::str::from_utf8(line).unwrap())).collect()
    }

    #[test]
    fn texts_entities_and_programs_have_lines_and_other_files_none() {
        assert_eq!(lines(b"a\n\nb"), [(1, "a"), (3, "b")]);
        let level = testutils::content::level([29, 0, 0, 0], "{\n\"classname\" \"worldspawn\"\n}", &[]);
        assert_eq!(lines(&level)[1], (2, "\"classname\" \"worldspawn\""));
        let program = testutils::program::small();
        assert!(lines(&program).iter().any(|(_, line)| *line == "worldspawn"));
        assert_eq!(lines(&testutils::content::wav(11_025, 10)), []);
        assert_eq!(lines(b""), []);
    }
}
