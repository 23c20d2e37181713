//! Stored names: bytes up to NUL, of which nothing is known.
//!
//! An [`EntryName`] is what a row holds. It is not a path on disk: [`EntryName::to_disk_path`] is the one way
//! from here to there, and it refuses what could leave the folder. It is not a name that a writer may use
//! either: [`writable`] says so.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use crate::layout::Layout;

/// The name of an entry: the bytes of the name field up to the first NUL, or all of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryName<'a>(&'a [u8]);

impl<'a> EntryName<'a> {
    /// The name in a name field: everything before the first NUL.
    #[must_use]
    #[inline]
    pub fn from_field(field: &'a [u8]) -> Self {
        let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
        EntryName(field.get(..end).unwrap_or(field))
    }

    /// A name from bytes that are known to hold no NUL, such as one read from another kind of archive.
    #[must_use]
    pub const fn from_bytes(bytes: &'a [u8]) -> Self {
        EntryName(bytes)
    }

    /// The bytes of the name.
    #[must_use]
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The name as text, if it is UTF-8.
    #[must_use]
    pub fn to_str(self) -> Option<&'a str> {
        std::str::from_utf8(self.0).ok()
    }

    /// The name as text, if [`Display`](fmt::Display) would print it as it is: nothing but visible ASCII and
    /// spaces, and no backslash.
    #[must_use]
    pub fn as_printable(self) -> Option<&'a str> {
        let printable = self.0.iter().all(|byte| matches!(byte, b' '..=b'~') && *byte != b'\\');
        if printable { self.to_str() } else { None }
    }

    /// Where this entry may be written below a folder: relative, `/` between parts, `./` dropped.
    ///
    /// Refuses what could land elsewhere or cannot be a file on some system: `..`, an absolute path, a drive
    /// letter or any other `:`, a backslash, a control byte, a Windows device, a name that ends in `/`, an
    /// empty name. The rule is the same on every system, so that an archive means the same everywhere.
    pub fn to_disk_path(self) -> Result<Cow<'a, [u8]>, NameFault> {
        let name = self.0;
        if let Some(fault) = byte_fault(name) {
            return Err(fault);
        }
        if name.first() == Some(&b'/') {
            return Err(NameFault::Absolute);
        }
        if name.last() == Some(&b'/') {
            return Err(NameFault::Folder);
        }
        let dropped = |part: &&[u8]| !part.is_empty() && *part != b".";
        for part in name.split(|&byte| byte == b'/').filter(dropped) {
            if let Some(fault) = part_fault(part) {
                return Err(fault);
            }
        }
        if has_dropped_parts(name) {
            let parts: Vec<&[u8]> = name.split(|&byte| byte == b'/').filter(dropped).collect();
            let kept = parts.join(&b'/');
            return if kept.is_empty() { Err(NameFault::Empty) } else { Ok(Cow::Owned(kept)) };
        }
        Ok(Cow::Borrowed(name))
    }
}

impl fmt::Display for EntryName<'_> {
    /// The spelling of [`spell`], with control characters escaped too: safe to print on a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.as_printable() {
            return f.write_str(text);
        }
        for part in spell(self.0).split_inclusive(char::is_control) {
            match part.chars().next_back() {
                Some(last) if last.is_control() => {
                    f.write_str(part.get(..part.len() - last.len_utf8()).unwrap_or_default())?;
                    let mut bytes = [0; 4];
                    for byte in last.encode_utf8(&mut bytes).bytes() {
                        write!(f, "\\x{byte:02X}")?;
                    }
                }
                _ => f.write_str(part)?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for EntryName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// A name as text: bytes that are not UTF-8 become `\xNN`, and so does a backslash that would read as one of
/// those. [`unspell`] turns the text back into the same bytes.
///
/// ```
/// use pak_format::name::{spell, unspell};
/// assert_eq!(spell(b"caf\xe9.wav"), r"caf\xE9.wav");
/// assert_eq!(unspell(r"caf\xE9.wav"), &b"caf\xe9.wav"[..]);
/// assert_eq!(spell(br"maps\start.bsp"), r"maps\start.bsp");
/// ```
#[must_use]
pub fn spell(name: &[u8]) -> Cow<'_, str> {
    let escapes = |text: &str| text.as_bytes().windows(4).any(|window| hex_escape(window).is_some());
    if let Ok(text) = std::str::from_utf8(name)
        && !escapes(text)
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(name.len() + 12);
    for chunk in name.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.as_bytes().windows(4).position(|window| hex_escape(window).is_some()) {
            out.push_str(rest.get(..at).unwrap_or_default());
            out.push_str("\\x5C");
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        out.push_str(rest);
        for byte in chunk.invalid() {
            // a `String` takes all that is written to it
            let _ = write!(out, "\\x{byte:02X}");
        }
    }
    Cow::Owned(out)
}

/// The bytes that a [`spell`]ing stands for: every `\xNN` is one byte, everything else is itself.
#[must_use]
pub fn unspell(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    if !bytes.windows(4).any(|window| hex_escape(window).is_some()) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        if let Some(byte) = rest.get(..4).and_then(hex_escape) {
            out.push(byte);
            rest = rest.get(4..).unwrap_or_default();
        } else {
            out.push(first);
            rest = tail;
        }
    }
    Cow::Owned(out)
}

fn hex_escape(window: &[u8]) -> Option<u8> {
    let [b'\\', b'x', high, low] = *window else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

/// What is wrong with a name, for a disk or for a writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// No byte of it is left.
    #[error("the name is empty")]
    Empty,
    /// A component is `..`, or would be on Windows, as `.. ` is.
    #[error("the name has a \"..\" component")]
    Parent,
    /// It starts with `/`.
    #[error("the name is an absolute path")]
    Absolute,
    /// It ends with `/`.
    #[error("the name ends in \"/\", as a folder's would")]
    Folder,
    /// It holds `:`, as a drive letter or an NTFS stream does.
    #[error("the name holds \":\"")]
    Colon,
    /// It holds `\`, which separates folders on Windows alone.
    #[error("the name holds a backslash")]
    Backslash,
    /// It holds a byte below 32, or 127.
    #[error("the name holds a control byte")]
    Control,
    /// A component is a device on Windows: `CON`, `NUL`, `COM1`, …, with or without an extension.
    #[error("the name is that of a Windows device")]
    Device,
    /// It is longer than the field, less the NUL that must follow.
    #[error("the name is too long for its field")]
    TooLong,
    /// A component is empty or `.`: an engine would not find it.
    #[error("the name has an empty or \".\" component")]
    EmptyComponent,
}

/// Whether a writer may store this name in this layout, which is stricter than what a reader takes.
pub fn writable(name: &[u8], layout: Layout) -> Result<(), NameFault> {
    let path = EntryName(name).to_disk_path()?;
    if path.len() != name.len() {
        return Err(NameFault::EmptyComponent);
    }
    if name.len() >= layout.name_width() {
        return Err(NameFault::TooLong);
    }
    Ok(())
}

fn byte_fault(name: &[u8]) -> Option<NameFault> {
    if name.is_empty() {
        return Some(NameFault::Empty);
    }
    name.iter().find_map(|byte| match byte {
        b':' => Some(NameFault::Colon),
        b'\\' => Some(NameFault::Backslash),
        0..32 | 127 => Some(NameFault::Control),
        _ => None,
    })
}

fn part_fault(part: &[u8]) -> Option<NameFault> {
    // Windows drops dots and spaces at the end of a name
    if part.strip_prefix(b"..").is_some_and(|rest| rest.iter().all(|byte| matches!(byte, b'.' | b' '))) {
        return Some(NameFault::Parent);
    }
    let stem = part.split(|&byte| byte == b'.').next().unwrap_or(part).trim_ascii_end();
    let numbered = |prefix: &[u8]| {
        stem.len() == 4
            && stem.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            && matches!(stem.last(), Some(b'0'..=b'9'))
    };
    let device = [&b"CON"[..], b"PRN", b"AUX", b"NUL", b"CONIN$", b"CONOUT$"]
        .iter()
        .any(|device| stem.eq_ignore_ascii_case(device));
    (device || numbered(b"COM") || numbered(b"LPT")).then_some(NameFault::Device)
}

fn has_dropped_parts(name: &[u8]) -> bool {
    name.split(|&byte| byte == b'/').any(|part| part.is_empty() || part == b".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spelling_of_any_bytes_reads_back() {
        for name in [
            &b""[..],
            b"plain",
            b"\xff\xfe",
            br"a\x41",
            br"\x5C",
            b"\\x\xff",
            b"\\\xff41",
            br"\\x41\x4",
            "caf\u{e9}".as_bytes(),
            b"\\\xc3x41",
        ] {
            assert_eq!(unspell(&spell(name)), name, "{:?}", spell(name));
        }
    }

    #[test]
    fn a_printed_name_cannot_steer_a_terminal() {
        assert_eq!(EntryName(b"a\x1b[2Jb\x7f\xff\xc2\x85").to_string(), r"a\x1B[2Jb\x7F\xFF\xC2\x85");
    }

    #[test]
    fn what_may_be_written_to_disk() {
        let path = |name: &'static [u8]| EntryName(name).to_disk_path();
        assert_eq!(path(b"./progs//ogre.mdl").as_deref(), Ok(&b"progs/ogre.mdl"[..]));
        assert_eq!(path(b"com.cfg").as_deref(), Ok(&b"com.cfg"[..]));
        for (name, fault) in [
            (&b""[..], NameFault::Empty),
            (b".", NameFault::Empty),
            (b"../x", NameFault::Parent),
            (b"a/../x", NameFault::Parent),
            (b"a/.. /x", NameFault::Parent),
            (b"...", NameFault::Parent),
            (b"/etc/passwd", NameFault::Absolute),
            (b"C:x", NameFault::Colon),
            (b"a\\b", NameFault::Backslash),
            (b"a\nb", NameFault::Control),
            (b"maps/", NameFault::Folder),
            (b"maps/nul", NameFault::Device),
            (b"Com1.txt", NameFault::Device),
            (b"aux .wav", NameFault::Device),
        ] {
            assert_eq!(path(name), Err(fault), "{name:?}");
        }
    }

    #[test]
    fn a_writer_leaves_room_for_the_nul() {
        assert_eq!(writable(&[b'a'; 55], Layout::Quake), Ok(()));
        assert_eq!(writable(&[b'a'; 56], Layout::Quake), Err(NameFault::TooLong));
        assert_eq!(writable(&[b'a'; 119], Layout::Sin), Ok(()));
        assert_eq!(writable(b"./a", Layout::Quake), Err(NameFault::EmptyComponent));
    }
}
