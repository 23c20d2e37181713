//! Stored names: any bytes up to NUL.
//!
//! An [`EntryName`] is the name in a row, not a path on disk. [`EntryName::to_disk_path`] converts it to one,
//! and refuses a name that could leave the folder. Writers accept fewer names than readers: see [`writable`].

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt::{self, Write as _};

use crate::layout::Layout;
use crate::wide;

/// The name of an entry: the bytes of the name field up to the first NUL, or all of them.
#[derive(Clone, Copy, Eq, Hash, PartialOrd, Ord)]
pub struct EntryName<'a>(&'a [u8]);

fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'\\'
}

fn all_printable<const N: usize>(bytes: &[u8; N]) -> bool {
    // a loop without a branch becomes vector instructions
    bytes.iter().fold(true, |all, byte| all & is_printable(*byte))
}

impl<'a> EntryName<'a> {
    /// The name in a name field: everything before the first NUL.
    #[must_use]
    #[inline]
    pub fn from_field(field: &'a [u8]) -> Self {
        // eight bytes at a time, because a mount reads every name
        let end = wide::find_nul(field).unwrap_or(field.len());
        EntryName(field.get(..end).unwrap_or(field))
    }

    /// A name from bytes without a NUL, such as a name in another kind of archive.
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
        core::str::from_utf8(self.0).ok()
    }

    /// The name as text, with U+FFFD for bytes that are not UTF-8. [`Display`](fmt::Display) loses nothing.
    #[must_use]
    pub fn to_string_lossy(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }

    /// The name as text, if [`Display`](fmt::Display) would print it as it is: visible ASCII and spaces,
    /// without a backslash.
    #[must_use]
    pub fn as_printable(self) -> Option<&'a str> {
        if self.is_printable() { self.to_str() } else { None }
    }

    /// Whether [`Display`](fmt::Display) would print the name as it is: see
    /// [`as_printable`](Self::as_printable).
    #[must_use]
    pub fn is_printable(self) -> bool {
        // many bytes at a time, because a listing may print a million names
        let many = wide::all(self.0, all_printable::<16>).or_else(|| wide::all(self.0, all_printable::<8>));
        many.unwrap_or_else(|| self.0.iter().all(|byte| is_printable(*byte)))
    }

    /// The bytes after the last dot of the last component; `None` without a dot.
    #[must_use]
    pub fn extension(self) -> Option<&'a [u8]> {
        let file = self.0.rsplit(|&byte| byte == b'/').next().unwrap_or(self.0);
        let dot = file.iter().rposition(|&byte| byte == b'.')?;
        file.get(dot + 1..)
    }

    /// The path of this entry below a folder: relative, `/` between components, without empty and `.`
    /// components.
    ///
    /// The rule is the same on every system, so an archive unpacks to the same files everywhere.
    ///
    /// # Errors
    /// A name that could leave the folder or cannot be a file on some system: a `..` component, an absolute
    /// path, a drive letter or any other `:`, a backslash, a control byte, a Windows device, a name that ends
    /// in `/`, an empty name.
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
        let is_dropped = |part: &[u8]| part.is_empty() || part == b".";
        let mut has_dropped = false;
        for part in name.split(|&byte| byte == b'/') {
            if is_dropped(part) {
                has_dropped = true;
            } else if let Some(fault) = part_fault(part) {
                return Err(fault);
            }
        }
        if has_dropped {
            let parts = name.split(|&byte| byte == b'/').filter(|part| !is_dropped(part));
            let kept = parts.collect::<Vec<_>>().join(&b'/');
            return if kept.is_empty() { Err(NameFault::Empty) } else { Ok(Cow::Owned(kept)) };
        }
        Ok(Cow::Borrowed(name))
    }

    /// The path of this entry below a folder on Windows, which allows fewer names than other systems.
    ///
    /// ```
    /// use pak_format::{EntryName, NameFault};
    /// let name = EntryName::from("maps/start.");
    /// assert_eq!(name.to_disk_path()?, &b"maps/start."[..]);
    /// assert_eq!(name.to_windows_path(), Err(NameFault::NotOnWindows));
    /// # Ok::<(), NameFault>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`to_disk_path`](Self::to_disk_path), and a name that Windows changes or refuses: a
    /// component that ends in a dot or a space, one of `<>"|?*`, bytes that are not UTF-8.
    pub fn to_windows_path(self) -> Result<Cow<'a, [u8]>, NameFault> {
        let path = self.to_disk_path()?;
        if core::str::from_utf8(&path).is_err() {
            return Err(NameFault::NotUtf8);
        }
        let is_changed = |part: &[u8]| part.last().is_some_and(|last| is_dropped_by_windows(*last));
        let is_refused = path.iter().any(|byte| is_refused_by_windows(*byte));
        if is_refused || path.split(|&byte| byte == b'/').any(is_changed) {
            return Err(NameFault::NotOnWindows);
        }
        Ok(path)
    }
}

impl fmt::Display for EntryName<'_> {
    /// Prints the text of [`escape`], and also escapes characters that control a terminal or reorder a line:
    /// control characters, bidirectional controls, line and paragraph separators, and the zero-width no-break
    /// space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_padded = f.width().is_some() || f.precision().is_some();
        match self.as_printable() {
            Some(text) if is_padded => f.pad(text),
            Some(text) => f.write_str(text),
            None if is_padded => {
                let mut text = String::new();
                self.write_escaped(&mut text)?;
                f.pad(&text)
            }
            None => self.write_escaped(f),
        }
    }
}

impl EntryName<'_> {
    fn write_escaped(self, out: &mut dyn fmt::Write) -> fmt::Result {
        for part in escape(self.0).split_inclusive(steers) {
            let Some(last) = part.chars().next_back().filter(|last| steers(*last)) else {
                out.write_str(part)?;
                continue;
            };
            out.write_str(part.strip_suffix(last).unwrap_or_default())?;
            let mut bytes = [0; 4];
            for byte in last.encode_utf8(&mut bytes).bytes() {
                write!(out, "\\x{byte:02X}")?;
            }
        }
        Ok(())
    }
}

/// A path as text, [`escape`]d if it is not UTF-8.
#[cfg(feature = "std")]
#[must_use]
pub fn escape_path(path: &std::path::Path) -> Cow<'_, str> {
    path.to_str().map_or_else(|| escape(path.as_os_str().as_encoded_bytes()), Cow::Borrowed)
}

/// Whether a character controls a terminal, reorders the text around it, or is invisible: control characters,
/// bidirectional controls, line and paragraph separators, and format characters without width.
#[must_use]
pub fn steers(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            // Unicode's Bidi_Control, the separators of lines and paragraphs, and
            // Default_Ignorable_Code_Point of the category Cf
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

impl fmt::Debug for EntryName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl AsRef<[u8]> for EntryName<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

impl<'a, N: AsRef<[u8]> + ?Sized> From<&'a N> for EntryName<'a> {
    fn from(name: &'a N) -> Self {
        EntryName(name.as_ref())
    }
}

impl<N: AsRef<[u8]> + ?Sized> PartialEq<N> for EntryName<'_> {
    #[inline]
    fn eq(&self, other: &N) -> bool {
        self.0 == other.as_ref()
    }
}

/// An [`EntryName`] that owns its bytes, for errors and findings.
#[derive(Clone, Eq, Hash, PartialOrd, Ord)]
pub struct EntryNameBuf(Box<[u8]>);

impl EntryNameBuf {
    /// The name, borrowed.
    #[must_use]
    pub fn as_name(&self) -> EntryName<'_> {
        EntryName(&self.0)
    }

    /// The bytes of the name.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<EntryName<'_>> for EntryNameBuf {
    fn from(name: EntryName<'_>) -> Self {
        EntryNameBuf(name.0.into())
    }
}

impl From<&[u8]> for EntryNameBuf {
    fn from(name: &[u8]) -> Self {
        EntryNameBuf(name.into())
    }
}

impl From<Vec<u8>> for EntryNameBuf {
    fn from(name: Vec<u8>) -> Self {
        EntryNameBuf(name.into())
    }
}

impl<N: AsRef<[u8]> + ?Sized> PartialEq<N> for EntryNameBuf {
    fn eq(&self, other: &N) -> bool {
        *self.0 == *other.as_ref()
    }
}

impl Borrow<[u8]> for EntryNameBuf {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for EntryNameBuf {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for EntryNameBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_name().fmt(f)
    }
}

impl fmt::Debug for EntryNameBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_name(), f)
    }
}

/// The escaped form of a name: bytes that are not UTF-8 become `\xNN`, and so does a backslash that starts
/// such an escape. [`unescape`] returns the same bytes.
///
/// ```
/// use pak_format::name::{escape, unescape};
/// assert_eq!(escape(b"caf\xe9.wav"), r"caf\xE9.wav");
/// assert_eq!(unescape(r"caf\xE9.wav"), &b"caf\xe9.wav"[..]);
/// assert_eq!(escape(br"maps\start.bsp"), r"maps\start.bsp");
/// ```
#[must_use]
pub fn escape(name: &[u8]) -> Cow<'_, str> {
    let escapes = |text: &str| text.as_bytes().windows(4).any(|window| hex_escape(window).is_some());
    if let Ok(text) = core::str::from_utf8(name)
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
            // writing to a `String` does not fail
            let _ = write!(out, "\\x{byte:02X}");
        }
    }
    Cow::Owned(out)
}

/// The bytes of an [`escape`]d name: every `\xNN` is one byte, everything else stays the same.
#[must_use]
pub fn unescape(text: &str) -> Cow<'_, [u8]> {
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

/// Why a name is not a path on disk, or may not be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameFault {
    /// The name has no bytes, or only empty and `.` components.
    Empty,
    /// A component is `..`, or would be on Windows, as `.. ` is.
    Parent,
    /// The name starts with `/`.
    Absolute,
    /// The name ends with `/`.
    Folder,
    /// The name contains `:`, like a drive letter or an NTFS stream.
    Colon,
    /// The name contains `\`, which separates folders only on Windows.
    Backslash,
    /// The name contains a byte below 32, or 127.
    Control,
    /// A component is a device on Windows: `CON`, `NUL`, `COM1`, …, with or without an extension.
    Device,
    /// The name leaves no room for the NUL in its field. It may have at most 55 bytes, or 119 in SiN and
    /// HROT.
    TooLong,
    /// A component is empty or `.`, which no engine requests.
    EmptyComponent,
    /// The name is not UTF-8, but the system requires it.
    NotUtf8,
    /// A component ends in a dot or a space, which Windows drops, or contains one of `<>"|?*`, which Windows
    /// refuses.
    NotOnWindows,
}

impl core::error::Error for NameFault {}

impl fmt::Display for NameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameFault::Empty => "the name is empty",
            NameFault::Parent => "the name has a \"..\" component",
            NameFault::Absolute => "the name is an absolute path",
            NameFault::Folder => "the name ends in \"/\", like a folder",
            NameFault::Colon => "the name contains \":\"",
            NameFault::Backslash => "the name contains a backslash",
            NameFault::Control => "the name contains a control byte",
            NameFault::Device => "the name is reserved for a Windows device",
            NameFault::TooLong => "the name is too long for its field",
            NameFault::EmptyComponent => "the name has an empty or \".\" component",
            NameFault::NotUtf8 => "the name is not UTF-8",
            NameFault::NotOnWindows => {
                "Windows has no such name: a part ends in a dot or a space, or holds one of <>\"|?*"
            }
        })
    }
}

/// Checks that a writer may store this name in this layout.
///
/// # Errors
/// A name that [`EntryName::to_disk_path`] refuses or changes, or that leaves no room for the NUL.
pub fn writable(name: &[u8], layout: Layout) -> Result<(), NameFault> {
    writable_within(name, layout.name_width() - 1)
}

/// Like [`writable`], with another limit on the length.
pub(crate) fn writable_within(name: &[u8], most: usize) -> Result<(), NameFault> {
    // reported first, because no writer can do anything about it
    if name.len() > most {
        return Err(NameFault::TooLong);
    }
    let path = EntryName(name).to_disk_path()?;
    if path.len() != name.len() {
        return Err(NameFault::EmptyComponent);
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
    if part.strip_prefix(b"..").is_some_and(|rest| rest.iter().all(|byte| is_dropped_by_windows(*byte))) {
        return Some(NameFault::Parent);
    }
    // documents of Windows list COM0 and LPT0 too, but programs open them as files
    let is_port = |stem: &[u8]| [b"COM0", b"LPT0"].iter().any(|port| stem.eq_ignore_ascii_case(*port));
    let stem = windows_stem(part);
    (is_device(stem) || is_port(stem)).then_some(NameFault::Device)
}

/// The part that Windows compares with device names: everything before the first dot, without trailing
/// spaces.
fn windows_stem(part: &[u8]) -> &[u8] {
    part.split(|&byte| byte == b'.').next().unwrap_or(part).trim_ascii_end()
}

/// Whether Windows opens a device instead of a file of this name, in any folder: `nul`, `Con.cfg`, `COM1`.
#[must_use]
pub fn is_windows_device(part: &[u8]) -> bool {
    is_device(windows_stem(part))
}

fn is_device(stem: &[u8]) -> bool {
    if !(3..=7).contains(&stem.len()) {
        return false;
    }
    // Windows accepts superscript digits too
    let is_number = |rest: &[u8]| matches!(rest, [b'1'..=b'9'] | [0xc2, 0xb9 | 0xb2 | 0xb3]);
    let numbered = |prefix: &[u8]| {
        let split = stem.split_at_checked(prefix.len());
        split.is_some_and(|(start, rest)| start.eq_ignore_ascii_case(prefix) && is_number(rest))
    };
    let named = [&b"CON"[..], b"PRN", b"AUX", b"NUL", b"CONIN$", b"CONOUT$"];
    named.iter().any(|device| stem.eq_ignore_ascii_case(device)) || numbered(b"COM") || numbered(b"LPT")
}

/// The name with `/` for each backslash.
#[must_use]
pub fn with_slashes(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect()
}

/// Whether Windows refuses a byte in the name of a file or folder. `/` and `\` return false, because they
/// separate folders.
#[must_use]
pub const fn is_refused_by_windows(byte: u8) -> bool {
    byte < b' ' || matches!(byte, b'<' | b'>' | b':' | b'"' | b'|' | b'?' | b'*')
}

/// Whether Windows drops a byte at the end of a name.
#[must_use]
pub const fn is_dropped_by_windows(byte: u8) -> bool {
    matches!(byte, b'.' | b' ')
}

/// Whether a name field contains exactly this name: its bytes, then a NUL or the end of the field. Bytes
/// after a NUL never match, even if `name` has the same NUL.
#[must_use]
#[inline]
pub fn field_holds(field: &[u8], name: &[u8], ignore_case: bool) -> bool {
    let Some((start, rest)) = field.split_at_checked(name.len()) else { return false };
    if rest.first().is_some_and(|&byte| byte != 0) {
        return false;
    }
    if !ignore_case {
        let sixteen = |start: &[u8; 16], name: &[u8; 16]| {
            // a loop without branches becomes vector instructions
            let mut has_nul = false;
            for &byte in name {
                has_nul |= byte == 0;
            }
            start == name && !has_nul
        };
        if let Some(equal) = wide::all_pairs(start, name, sixteen) {
            return equal;
        }
    }
    let eight = |start: &[u8; 8], name: &[u8; 8]| {
        let equal = if ignore_case { wide::eq_ignoring_case(*start, *name) } else { start == name };
        equal && wide::nuls(u64::from_le_bytes(*name)) == 0
    };
    let equal = |a: u8, b: u8| a == b || (ignore_case && a.eq_ignore_ascii_case(&b));
    let one_by_one = || start.iter().zip(name).all(|(&a, &b)| b != 0 && equal(a, b));
    wide::all_pairs(start, name, eight).unwrap_or_else(one_by_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_escaped_form_of_any_bytes_reads_back() {
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
            assert_eq!(unescape(&escape(name)), name, "{:?}", escape(name));
        }
    }

    #[test]
    fn a_name_is_padded_by_its_escaped_form() {
        let padded = |name: &[u8]| format!("{:>8}|", EntryName::from_bytes(name));
        assert_eq!(padded(b"a.pcx"), "   a.pcx|");
        assert_eq!(padded(b"\xFF"), "    \\xFF|");
        assert_eq!(padded(b"longer.name"), "longer.name|");
    }

    #[test]
    fn a_name_is_printable_if_it_is_printed_unchanged() {
        for byte in 0..=255_u8 {
            for length in [1, 8, 11, 16, 17, 40] {
                for place in 0..length {
                    for other in [b' ', b'a', b'~'] {
                        let mut name = vec![other; length];
                        name[place] = byte;
                        let name = EntryName(&name);
                        let is_itself = name.to_string().as_bytes() == name.0 && name.0.is_ascii();
                        // a lone backslash is printed as itself
                        assert_eq!(name.is_printable(), is_itself && byte != b'\\', "{name:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_printed_name_cannot_steer_a_terminal() {
        assert_eq!(EntryName(b"a\x1b[2Jb\x7f\xff\xc2\x85").to_string(), r"a\x1B[2Jb\x7F\xFF\xC2\x85");
        let ranges = [0x61c..=0x61c, 0x200e..=0x200f, 0x2028..=0x202e, 0x2066..=0x2069, 0xfeff..=0xfeff];
        for character in ranges.into_iter().flatten().chain(0x80..=0x9f).filter_map(char::from_u32) {
            let name = format!("caf\u{e9}{character}gpj.exe");
            let printed = EntryName::from(&*name).to_string();
            assert!(printed.starts_with("caf\u{e9}\\x") && printed.ends_with("gpj.exe"), "{printed}");
            assert!(!printed.contains(character));
            assert_eq!(unescape(&printed), name.as_bytes());
        }
    }

    #[test]
    fn a_name_compares_with_text_and_bytes() {
        let name = EntryName::from("maps/start.bsp");
        assert!(name == "maps/start.bsp" && name == *"maps/start.bsp" && name == b"maps/start.bsp"[..]);
        assert!(name != b"maps"[..] && name == EntryName::from(&b"maps/start.bsp"[..]));
        assert!(name == b"maps/start.bsp" && name == EntryName::from(b"maps/start.bsp"));
        assert_eq!(EntryName(b"caf\xe9").to_string_lossy(), "caf\u{fffd}");
    }

    #[test]
    fn names_that_may_be_written_to_disk() {
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
            ("com\u{b9}.txt".as_bytes(), NameFault::Device),
            ("maps/LPT\u{b3}".as_bytes(), NameFault::Device),
        ] {
            assert_eq!(path(name), Err(fault), "{name:?}");
        }
        assert_eq!(path("com\u{b9}1".as_bytes()).as_deref(), Ok("com\u{b9}1".as_bytes()));
    }

    #[test]
    fn windows_has_fewer_names_than_other_systems() {
        let path = |name: &'static [u8]| EntryName(name).to_windows_path();
        assert_eq!(path(b"./maps/a b.c").as_deref(), Ok(&b"maps/a b.c"[..]));
        for (name, fault) in [
            (&b"dot."[..], NameFault::NotOnWindows),
            (b"dot./x", NameFault::NotOnWindows),
            (b"space ", NameFault::NotOnWindows),
            (b"a?", NameFault::NotOnWindows),
            (b"a<b>|c\"*", NameFault::NotOnWindows),
            (b"caf\xe9", NameFault::NotUtf8),
            (b"a:b", NameFault::Colon),
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

    #[test]
    fn a_field_may_contain_a_name_of_its_length_without_a_nul() {
        for length in 1..=40 {
            let name = vec![b'x'; length];
            let mut field = name.clone();
            field.resize(56, 0);
            for case in [false, true] {
                assert!(field_holds(&field, &name, case), "{length}");
                assert!(!field_holds(&field, &name[..length - 1], case), "{length}");
                assert!(!field_holds(&field, &field[..=length], case), "{length}");
                for place in 0..length {
                    let mut other = name.clone();
                    other[place] = b'y';
                    assert!(!field_holds(&field, &other, case), "{length} {place}");
                    let mut with_nul = field.clone();
                    with_nul[place] = 0;
                    assert!(!field_holds(&with_nul, &with_nul[..length], case), "{length} {place}");
                }
            }
        }
    }
}
