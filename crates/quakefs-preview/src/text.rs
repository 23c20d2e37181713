//! Text of games, made safe to display.

use crate::Preview;

pub(crate) fn read(bytes: &[u8], most: usize) -> Preview {
    let mut shown = bytes.get(..most).unwrap_or(bytes);
    // does not split a character
    if shown.len() < bytes.len()
        && let Err(error) = std::str::from_utf8(shown)
        && error.error_len().is_none()
    {
        shown = shown.get(..error.valid_up_to()).unwrap_or(shown);
    }
    Preview::Text { text: readable(shown), more: (bytes.len() - shown.len()) as u64 }
}

/// The first 32 characters of Quake's console font (`gfx/conchars`), repeated from 128 on: golden brackets
/// and digits, and parts of a slider.
const CONSOLE: [char; 32] = [
    '·', '·', '·', '·', '·', '·', '·', '·', '·', '·', '·', '·', '·', '·', '·', '·', '[', ']', '0', '1', '2',
    '3', '4', '5', '6', '7', '8', '9', '·', '<', '=', '>',
];

/// Decodes bytes as UTF-8 if possible, otherwise as characters of Quake's console. There, 128 to 255 are 0 to
/// 127 in another colour. Characters that control a terminal or reorder a line become U+FFFD.
#[must_use]
pub fn readable(bytes: &[u8]) -> String {
    let console = |byte: u8| {
        let byte = if byte >= 160 { byte & 0x7f } else { byte };
        CONSOLE.get(usize::from(byte & 0x7f)).copied().unwrap_or(char::from(byte))
    };
    let mut text = String::with_capacity(bytes.len());
    let shown = |letter: char| match letter {
        '\r' => None,
        '\n' | '\t' => Some(letter),
        '\0'..='\x1f' => Some(console(u8::try_from(letter).unwrap_or_default())),
        letter if steers(letter) => Some(char::REPLACEMENT_CHARACTER),
        letter => Some(letter),
    };
    match std::str::from_utf8(bytes) {
        Ok(utf8) => text.extend(utf8.chars().filter_map(shown)),
        Err(_) => text.extend(bytes.iter().filter_map(|&byte| match byte {
            ..0x80 => shown(char::from(byte)),
            byte => shown(console(byte)),
        })),
    }
    text
}

/// Whether a character is a control character, changes the direction of a line, or is invisible (Unicode's
/// `Bidi_Control`, and the format characters of the blocks U+2000 and U+FE00).
fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_steers_nothing() {
        assert_eq!(readable(b"\x1b[2J a\x7f"), "9[2J a\u{fffd}");
        assert_eq!(readable("a\u{202e}b\u{9b}c".as_bytes()), "a\u{fffd}b\u{fffd}c");
        assert_eq!(readable("caf\u{e9}".as_bytes()), "caf\u{e9}");
        assert_eq!(readable(b"\xd1uake \x12\r\n"), "Quake 0\n");
    }

    #[test]
    fn a_letter_is_not_cut_in_two() {
        let text = "caf\u{e9}s".as_bytes();
        assert_eq!(read(text, 4), Preview::Text { text: "caf".to_owned(), more: 3 });
        assert_eq!(read(text, 6), Preview::Text { text: "caf\u{e9}s".to_owned(), more: 0 });
    }
}
