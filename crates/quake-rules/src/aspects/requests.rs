//! Requests: how an engine reads a requested name. No other module normalises or refuses a request.

use std::collections::HashSet;
use std::fmt;

use super::host::Host;
use super::names::Case;
use crate::documented::documented;
use crate::fault::Faults;
use crate::{List, Text};
use pak_format::name::{is_dropped_by_windows, is_refused_by_windows, is_windows_device};

documented! {
    /// How an engine reads a requested name before it compares names.
    ///
    /// It may look for different names in archives and in folders: see [`QPath`].
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Requests {
        /// How a backslash is read.
        pub backslash: Backslash,
        /// How a `/` at the start is read.
        pub leading_slash: PathRule,
        /// How a `.` component is read, as in `./a` and `a/./b`.
        pub dot_component: PathRule,
        /// How an empty component is read, as in `a//b`.
        pub empty_component: PathRule,
        /// How a component that begins with a dot is read, as in `a/.b`. It cannot be dropped.
        pub hidden_component: PathRule,
        /// How a `/` at the end is read. Such a name can match an entry, but never a loose file.
        pub trailing_slash: PathRule,
        /// How dots and spaces at the end of a name are read on Windows, where the system drops them:
        /// `literal`, or `archives-only` as in ioquake3.
        pub end_on_windows: PathRule,
        /// Texts that make a request find nothing, such as `..` in `a..b.cfg` in darkplaces.
        pub refused: List<Text>,
        /// Names that only loose files can have: `autoexec.cfg` in ioquake3.
        pub loose_only: List<Text>,
        /// Whether `AUTOEXEC.cfg` counts as `autoexec.cfg` in `loose-only`, as in openjk.
        #[cfg_attr(feature = "serde", serde(default))]
        pub loose_only_case: Case,
        /// The longest request in bytes, at most 255. Longer requests find nothing.
        pub longest: u32,
        /// Loose files that replace another name if they exist.
        pub instead: List<LooseAlias>,
        /// The system that reads the names of loose files. [`Rules::for_host`](crate::Rules::for_host) sets
        /// it; no rule file has it.
        #[cfg_attr(feature = "serde", serde(skip))]
        pub host: Host,
    }
}

// no rule file contains it
#[cfg(feature = "toml")]
impl crate::documented::Documented for Host {}

impl Host {
    /// The name of the file that the system opens for a name; `None` if no file can have it.
    ///
    /// On Linux and macOS, only `/` separates folders. On Windows a backslash does so too, dots and spaces at
    /// the end of a name fall away, and so does one dot at the end of a folder's. No file there can have a
    /// name that still ends so, that is a device's (`nul`, `aux.cfg`, `com1.txt`) or that holds one of `< > :
    /// " | ? *`.
    ///
    /// Source: Microsoft, "Naming Files, Paths, and Namespaces"; answers of nine engines.
    ///
    /// ```
    /// use quake_rules::Host;
    /// let windows =
    ///     |name: &str| Host::Windows.name_on_disk(name.as_bytes()).map(|name| name.as_bytes().to_vec());
    /// assert_eq!(windows(r"maps\a.bsp. .").unwrap(), b"maps/a.bsp");
    /// assert_eq!((windows("maps/nul.bsp"), windows("a?.cfg")), (None, None));
    /// ```
    #[must_use]
    pub fn name_on_disk(self, name: &[u8]) -> Option<NameBuffer> {
        let mut read = NameBuffer::EMPTY;
        if self != Host::Windows {
            read.extend(name);
            return Some(read);
        }
        let end = name.iter().rposition(|byte| !is_dropped_by_windows(*byte)).map_or(0, |last| last + 1);
        let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
        for part in name.get(..end).unwrap_or_default().split(is_separator) {
            if matches!(part, b"" | b".") {
                continue;
            }
            let part = part.strip_suffix(b".").unwrap_or(part);
            if part.last().is_none_or(|last| is_dropped_by_windows(*last))
                || part.iter().any(|byte| is_refused_by_windows(*byte))
                || is_windows_device(part)
            {
                return None;
            }
            if read.len > 0 {
                read.push(b'/');
            }
            read.extend(part);
        }
        // such a name belongs to a folder
        let is_open = matches!(name.last(), None | Some(b'/' | b'\\'));
        (read.len > 0 && !is_open).then_some(read)
    }

    /// Whether the system uses a name unchanged.
    #[inline]
    fn is_as_given(self, name: &[u8]) -> bool {
        self != Host::Windows || {
            let is_as_given = |part: &[u8]| {
                !part.last().is_some_and(|last| is_dropped_by_windows(*last))
                    && !part.iter().any(|byte| is_refused_by_windows(*byte) || *byte == b'\\')
                    && !is_windows_device(part)
            };
            name.split(|byte| *byte == b'/').all(is_as_given)
        }
    }
}

impl Requests {
    /// The name to look for on disk; empty if no file can have it.
    fn read_by_disk(&self, name: &[u8]) -> NameBuffer {
        let is_open = name.last().is_some_and(|last| is_dropped_by_windows(*last));
        let asked = !(is_open && self.end_on_windows == PathRule::ArchivesOnly);
        let read = asked.then(|| self.host.name_on_disk(name)).flatten();
        read.unwrap_or(NameBuffer::EMPTY)
    }

    /// Whether archives are searched for a name.
    #[inline]
    fn asks_archives(&self, name: &[u8]) -> bool {
        !self.loose_only.iter().any(|loose| match self.loose_only_case {
            Case::Exact => loose.as_bytes() == name,
            Case::Ignored => loose.as_bytes().eq_ignore_ascii_case(name),
        })
    }

    /// Whether a name contains a text of `refused`.
    fn refuses(&self, name: &[u8]) -> bool {
        self.refused.iter().any(|text| holds(name, text))
    }

    /// The same for a [plain](QPath::is_plain) name, in which most texts of `refused` cannot be.
    #[inline]
    fn refuses_plain(&self, name: &[u8]) -> bool {
        let is_usual = |text: &Text| {
            let bytes = text.as_bytes();
            !bytes.iter().any(|byte| SPECIAL.contains(byte))
                && !bytes.windows(2).any(|pair| matches!(*pair, [one, other] if is_unusual(one, other)))
        };
        self.refused.iter().any(|text| is_usual(text) && holds(name, text))
    }

    /// Why a refused text refuses no request that is not refused without it.
    fn refused_before(&self, index: usize, text: &str) -> Option<&'static str> {
        let is_in = |(other, part): (usize, &Text)| {
            other != index && !part.is_empty() && part != text && text.contains(&**part)
        };
        match text {
            _ if text.len() > self.longest as usize => Some("it is longer than requests.longest"),
            _ if text.contains('\0') => Some("no request has a NUL"),
            _ if text.contains('\\') && self.backslash != Backslash::Literal => {
                Some("requests.backslash leaves no backslash")
            }
            _ if self.refused.iter().enumerate().any(is_in) => Some("another text of the list is in it"),
            _ => None,
        }
    }

    pub(crate) fn validate(&self, faults: &mut Faults) {
        if self.longest as usize > QPath::MAX_LEN {
            faults.no_effect("requests.longest", "a request has at most 255 bytes");
        }
        if matches!(self.hidden_component, PathRule::Dropped | PathRule::FirstDropped | PathRule::GameFolder)
        {
            faults.add("requests.hidden-component", "a component with a name cannot be dropped");
        }
        if !matches!(self.end_on_windows, PathRule::Literal | PathRule::ArchivesOnly) {
            faults.no_effect("requests.end-on-windows", "it is literal or archives-only");
        }
        for (key, texts) in [("refused", &self.refused), ("loose-only", &self.loose_only)] {
            for (index, _) in texts.iter().enumerate().filter(|(_, text)| text.is_empty()) {
                faults.empty(format!("requests.{key}[{index}]"));
            }
            faults.twice(&format!("requests.{key}"), texts);
        }
        for (index, text) in self.refused.iter().enumerate() {
            if let Some(why) = self.refused_before(index, text) {
                faults.no_effect(format!("requests.refused[{index}]"), why);
            }
        }
        if self.loose_only_case == Case::Ignored && self.loose_only.is_empty() {
            faults.no_effect("requests.loose-only-case", "requests.loose-only is empty");
        }
        let mut names = HashSet::new();
        for (index, instead) in self.instead.iter().enumerate() {
            if instead.of.eq_ignore_ascii_case(&instead.file) {
                faults.no_effect(format!("requests.instead[{index}].file"), "it equals the replaced name");
            } else if !names.insert(instead.of.to_ascii_lowercase()) {
                faults.no_effect(format!("requests.instead[{index}]"), "an earlier entry replaces the name");
            }
        }
    }
}

documented! {
    /// A loose file that replaces another name: ironwail reads `ironwail.cfg` instead of `config.cfg` if the
    /// folder contains it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LooseAlias {
        /// The requested name, in any case.
        pub of: Text,
        /// The loose file.
        pub file: Text,
    }
}

/// The loose file that replaces a name.
#[must_use]
pub fn loose_alias<'r>(instead: &'r [LooseAlias], name: &[u8]) -> Option<&'r [u8]> {
    let found = instead.iter().find(|instead| instead.of.as_bytes().eq_ignore_ascii_case(name));
    found.map(|instead| instead.file.as_bytes())
}

documented! {
    /// How a backslash in a request is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Backslash {
        /// As an ordinary byte.
        Literal,
        /// As `/`.
        Slash,
        /// The request finds nothing, as in darkplaces.
        Refused,
    }
}

documented! {
    /// How an unusual part of a request is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum PathRule {
        /// It stays. Archives compare it byte for byte; the system drops it for loose files.
        Literal,
        /// It is dropped before anything is compared.
        Dropped,
        /// The first one is dropped and others stay, as in ioquake3.
        FirstDropped,
        /// It stays, and only archives are searched.
        ArchivesOnly,
        /// The system drops it, and loose files are found only in the highest game directory, as in ezquake.
        GameFolder,
        /// The request finds nothing.
        Refused,
    }
}

/// A requested name that is safe to look up, as one engine reads it.
///
/// A request can mean two names: one for archives and one for folders. The engines of id Software compare
/// `./a.cfg` with the names in a pak byte for byte, but let the operating system open it on disk, which finds
/// `a.cfg`.
///
/// Making a `QPath` allocates nothing.
///
/// ```
/// use quake_rules::{Engine, QPath, RequestError};
/// let requests = &Engine::WinQuake.rules().requests;
/// let qpath = QPath::new("./cfg//a.cfg", requests)?;
/// assert_eq!(qpath.in_archives(), b"./cfg//a.cfg");
/// assert_eq!(qpath.in_folders(), b"cfg/a.cfg");
/// assert_eq!(QPath::new("../id1/a.cfg", requests).unwrap_err(), RequestError::Parent);
/// # Ok::<(), RequestError>(())
/// ```
#[derive(Clone)]
pub struct QPath<'a> {
    request: &'a [u8],
    /// The name for archives, if it differs from the request.
    in_archives: Option<NameBuffer>,
    /// The name for folders, if it differs from the request; empty if no folder is searched.
    in_folders: Option<NameBuffer>,
    /// Whether only the folder of the highest game directory is searched.
    in_game_folder: bool,
}

/// A request that no layer can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestError {
    /// The name is empty, or the engine drops all of it.
    Empty,
    /// The name is longer than [`QPath::MAX_LEN`].
    TooLong,
    /// The name is too long for the engine.
    NoRoom,
    /// A component is `..`. Some engines load such a file, but quakefs never leaves a game directory.
    Parent,
    /// The name contains a NUL byte.
    Nul,
    /// The name begins with a drive letter of Windows: `C:a` or `./C:a`.
    Drive,
    /// The name ends with `/`, so it can only name a folder.
    Folder,
    /// The name contains a backslash, and the engine refuses backslashes.
    Backslash,
    /// The name begins with `/`, and the engine refuses such names.
    LeadingSlash,
    /// A component is `.`, and the engine refuses such names.
    Dot,
    /// A component begins with a dot, and the engine refuses such names.
    Hidden,
    /// A component is empty, and the engine refuses such names.
    EmptyComponent,
    /// The name contains a text that the engine refuses.
    RefusedText,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RequestError::Empty => "the name is empty",
            RequestError::TooLong => return write!(f, "the name is longer than {} bytes", QPath::MAX_LEN),
            RequestError::NoRoom => "the name is too long for this engine",
            RequestError::Parent => "the name has a \"..\" component",
            RequestError::Nul => "the name contains a NUL byte",
            RequestError::Drive => "the name begins with a drive letter",
            RequestError::Folder => "the name ends in \"/\"",
            RequestError::Backslash => "the name contains a backslash, which this engine refuses",
            RequestError::LeadingSlash => "the name begins with \"/\", which this engine refuses",
            RequestError::Dot => "the name has a \".\" component, which this engine refuses",
            RequestError::Hidden => {
                "the name has a component that begins with a dot, which this engine refuses"
            }
            RequestError::EmptyComponent => "the name has an empty component, which this engine refuses",
            RequestError::RefusedText => "the name contains a text that this engine refuses",
        })
    }
}

impl std::error::Error for RequestError {}

const MAX_LEN: usize = 255;

/// A name made from a request, without an allocation.
#[derive(Clone)]
pub struct NameBuffer {
    bytes: [u8; MAX_LEN],
    len: u8,
}

impl NameBuffer {
    const EMPTY: NameBuffer = NameBuffer { bytes: [0; MAX_LEN], len: 0 };

    /// A name of a [`QPath`] in lower case (only the letters A to Z).
    #[must_use]
    pub fn lower(name: &[u8]) -> NameBuffer {
        let mut lower = NameBuffer::EMPTY;
        for byte in name {
            lower.push(byte.to_ascii_lowercase());
        }
        lower
    }

    fn extend(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.push(byte);
        }
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(usize::from(self.len)) {
            *place = byte;
            self.len += 1;
        }
    }

    /// The bytes of the name.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl fmt::Debug for NameBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pak_format::EntryName::from_bytes(self.as_bytes()).fmt(f)
    }
}

impl<'a> QPath<'a> {
    /// The longest request in bytes. No known engine accepts a longer one.
    pub const MAX_LEN: usize = MAX_LEN;

    /// Reads a request as an engine with these rules does.
    ///
    /// # Errors
    /// Fails if no layer can answer; the [`RequestError`] gives the reason.
    pub fn new<R: AsRef<[u8]> + ?Sized>(request: &'a R, rules: &Requests) -> Result<QPath<'a>, RequestError> {
        let request = request.as_ref();
        if request.len() > Self::MAX_LEN {
            return Err(RequestError::TooLong);
        }
        if request.len() > rules.longest as usize {
            return Err(RequestError::NoRoom);
        }
        if Self::is_plain(request) {
            if rules.refuses_plain(request) {
                return Err(RequestError::RefusedText);
            }
            let is_as_given = rules.host.is_as_given(request);
            let in_folders = (!is_as_given).then(|| rules.read_by_disk(request));
            let in_archives = (!rules.asks_archives(request)).then_some(NameBuffer::EMPTY);
            return Ok(QPath { request, in_archives, in_folders, in_game_folder: false });
        }
        Self::read_unusual(request, rules)
    }

    /// Whether the engine uses a request unchanged. Most requests are like this and need no `QPath`.
    #[inline]
    #[must_use]
    pub fn is_as_requested(request: &[u8], rules: &Requests) -> bool {
        request.len() <= Self::MAX_LEN.min(rules.longest as usize)
            && Self::is_plain(request)
            && rules.host.is_as_given(request)
            && rules.asks_archives(request)
            && !rules.refuses_plain(request)
    }

    /// Whether every engine uses this name unchanged. It has no empty component, no component that begins
    /// with a dot, no `..`, no dot at the end of a folder's name, and no byte that an operating system treats
    /// specially.
    #[must_use]
    pub fn is_plain(name: &[u8]) -> bool {
        let (Some(first), Some((last, but_last))) = (name.first(), name.split_last()) else { return false };
        if matches!(first, b'/' | b'.') || *last == b'/' || SPECIAL.contains(first) {
            return false;
        }
        let (befores, bytes) = (but_last, name.get(1..).unwrap_or_default());
        let many = any_unusual::<16>(befores, bytes).or_else(|| any_unusual::<8>(befores, bytes));
        !many.unwrap_or_else(|| befores.iter().zip(bytes).any(|(&before, &byte)| is_unusual(before, byte)))
    }

    #[cold]
    fn read_unusual(request: &'a [u8], rules: &Requests) -> Result<QPath<'a>, RequestError> {
        if request.is_empty() {
            return Err(RequestError::Empty);
        }
        if request.contains(&0) {
            return Err(RequestError::Nul);
        }
        // the engine may read a backslash as a letter, but to some systems it is a separator
        let parts = || request.split(|byte| matches!(byte, b'/' | b'\\'));
        // parts in front of the drive may be dropped, as in `/C:a`. If neither the engine nor this program
        // runs on Windows, a drive is a name like any other
        let has_drives = cfg!(windows) || rules.host == Host::Windows;
        if let Some([letter, b':', ..]) = parts().find(|part| !matches!(*part, b"" | b"."))
            && letter.is_ascii_alphabetic()
            && has_drives
        {
            return Err(RequestError::Drive);
        }
        let has_backslash = request.contains(&b'\\');
        if has_backslash && rules.backslash == Backslash::Refused {
            return Err(RequestError::Backslash);
        }
        if parts().any(|part| part == b"..") {
            return Err(RequestError::Parent);
        }
        let slashes = has_backslash && rules.backslash == Backslash::Slash;
        let is_separator = |byte: &u8| *byte == b'/' || (slashes && *byte == b'\\');

        let mut in_folders = NameBuffer::EMPTY;
        let mut in_archives = in_folders.clone();
        // whether the name for archives has a part already, so that the next one needs a `/`
        let mut after_part = false;
        let (mut ends_open, mut no_folders, mut in_game_folder) = (false, false, false);
        let mut slashes_dropped = 0;
        let last = request.iter().filter(|byte| is_separator(byte)).count();
        for (index, part) in request.split(is_separator).enumerate() {
            let at_start = in_archives.len == 0 && !after_part;
            let (reading, refusal) = match part {
                b"" if index == last && in_folders.len > 0 => {
                    no_folders |= rules.trailing_slash != PathRule::Dropped;
                    (rules.trailing_slash, RequestError::Folder)
                }
                b"" if index == 0 || (at_start && rules.leading_slash == PathRule::Dropped) => {
                    (rules.leading_slash, RequestError::LeadingSlash)
                }
                b"" => (rules.empty_component, RequestError::EmptyComponent),
                b"." => (rules.dot_component, RequestError::Dot),
                [b'.', ..] => (rules.hidden_component, RequestError::Hidden),
                _ => (PathRule::Literal, RequestError::Empty),
            };
            match reading {
                PathRule::Refused => return Err(refusal),
                PathRule::Dropped => {}
                PathRule::FirstDropped if slashes_dropped == 0 => slashes_dropped += 1,
                PathRule::GameFolder => in_game_folder = true,
                PathRule::FirstDropped | PathRule::Literal | PathRule::ArchivesOnly => {
                    if after_part {
                        in_archives.push(b'/');
                    }
                    in_archives.extend(part);
                    after_part = true;
                    no_folders |= reading == PathRule::ArchivesOnly;
                }
            }
            let is_usual = !matches!(part, b"" | b".");
            // a slash after a name has its own rule
            ends_open = part == b"." || (part.is_empty() && (in_folders.len == 0 || ends_open));
            if is_usual {
                if in_folders.len > 0 {
                    in_folders.push(b'/');
                }
                in_folders.extend(part);
            }
        }
        if ends_open {
            return Err(if in_folders.len == 0 { RequestError::Empty } else { RequestError::Folder });
        }
        if rules.refuses(in_archives.as_bytes()) {
            return Err(RequestError::RefusedText);
        }
        if no_folders {
            in_folders.len = 0;
        } else if rules.host == Host::Windows {
            in_folders = rules.read_by_disk(in_folders.as_bytes());
        }
        if in_game_folder || !rules.asks_archives(in_archives.as_bytes()) {
            in_archives = NameBuffer::EMPTY;
        }
        let differs = |name: NameBuffer| (name.as_bytes() != request).then_some(name);
        let (in_archives, in_folders) = (differs(in_archives), differs(in_folders));
        Ok(QPath { request, in_archives, in_folders, in_game_folder })
    }

    /// The name for archives; empty if they are not searched.
    #[must_use]
    pub fn in_archives(&self) -> &[u8] {
        self.in_archives.as_ref().map_or(self.request, NameBuffer::as_bytes)
    }

    /// The name for folders: relative, `/` between components, no empty or `.` component. Empty if no folder
    /// is searched.
    #[must_use]
    pub fn in_folders(&self) -> &[u8] {
        self.in_folders.as_ref().map_or(self.request, NameBuffer::as_bytes)
    }

    /// Whether only the folder of the highest game directory is searched.
    #[must_use]
    pub fn in_game_folder(&self) -> bool {
        self.in_game_folder
    }
}

impl fmt::Debug for QPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QPath")
            .field("in_archives", &pak_format::EntryName::from_bytes(self.in_archives()))
            .field("in_folders", &pak_format::EntryName::from_bytes(self.in_folders()))
            .finish()
    }
}

/// Whether some byte [is unusual](is_unusual) after the byte before it. Returns `None` for fewer than `N`
/// bytes.
#[inline]
fn any_unusual<const N: usize>(befores: &[u8], bytes: &[u8]) -> Option<bool> {
    // the last chunk overlaps the previous one
    let (last_before, last) = (befores.last_chunk::<N>()?, bytes.last_chunk::<N>()?);
    let mut chunks = befores.as_chunks::<N>().0.iter().zip(bytes.as_chunks::<N>().0);
    Some(
        chunks.any(|(befores, bytes)| is_unusual_chunk(befores, bytes))
            || is_unusual_chunk(last_before, last),
    )
}

/// Not inlined: if the compiler sees that the arguments overlap, it generates three times as many
/// instructions.
#[inline(never)]
#[expect(clippy::needless_bitwise_bool, reason = "a loop without a branch becomes vector instructions")]
fn is_unusual_chunk<const N: usize>(befores: &[u8; N], bytes: &[u8; N]) -> bool {
    let any = |special: u8| bytes.iter().fold(false, |any, byte| any | (*byte == special));
    let mut two_in_a_row = false;
    for (before, byte) in befores.iter().zip(bytes) {
        // a dot and a slash differ in the lowest bit
        two_in_a_row |= (before | 1 == b'/') & (byte | 1 == b'/');
    }
    let [one, two, three] = SPECIAL;
    any(one) | any(two) | any(three) | two_in_a_row
}

#[inline]
fn is_unusual(before: u8, byte: u8) -> bool {
    SPECIAL.contains(&byte) || (matches!(before, b'/' | b'.') && matches!(byte, b'/' | b'.'))
}

fn holds(name: &[u8], text: &str) -> bool {
    name.windows(text.len().max(1)).any(|at| at == text.as_bytes())
}

/// Bytes that an operating system, or an engine, reads as more than a letter.
const SPECIAL: [u8; 3] = [0, b'\\', b':'];

#[cfg(test)]
mod tests {
    use super::*;

    const LITERAL: Requests = Requests {
        backslash: Backslash::Literal,
        leading_slash: PathRule::Literal,
        dot_component: PathRule::Literal,
        empty_component: PathRule::Literal,
        hidden_component: PathRule::Literal,
        trailing_slash: PathRule::Refused,
        longest: 255,
        instead: std::borrow::Cow::Borrowed(&[]),
        end_on_windows: PathRule::Literal,
        refused: std::borrow::Cow::Borrowed(&[]),
        loose_only: std::borrow::Cow::Borrowed(&[]),
        loose_only_case: Case::Exact,
        host: Host::Linux,
    };
    const DROPPED: Requests = Requests {
        backslash: Backslash::Slash,
        leading_slash: PathRule::Dropped,
        dot_component: PathRule::Dropped,
        empty_component: PathRule::Dropped,
        ..LITERAL
    };
    const REFUSED: Requests = Requests {
        backslash: Backslash::Refused,
        leading_slash: PathRule::Refused,
        dot_component: PathRule::Refused,
        empty_component: PathRule::Refused,
        ..LITERAL
    };

    fn check(request: &str, rules: &Requests, expected: Result<(&str, &str), RequestError>) {
        let qpath = QPath::new(request, rules);
        let names = qpath.as_ref().map(|qpath| {
            (
                std::str::from_utf8(qpath.in_archives()).unwrap(),
                std::str::from_utf8(qpath.in_folders()).unwrap(),
            )
        });
        assert_eq!(names.map_err(|&error| error), expected, "{request:?}");
    }

    #[test]
    fn a_plain_name_is_unchanged_in_every_engine() {
        for name in ["maps/start.bsp", "a", "a.b/c..d", "...", "..a/b", ".hidden/x", "a./b"] {
            for rules in &[LITERAL, DROPPED, REFUSED] {
                check(name, rules, Ok((name, name)));
            }
        }
    }

    #[test]
    fn bytes_are_unusual_alike_one_by_one_and_many_at_a_time() {
        for length in [2, 8, 9, 16, 17, 40] {
            for pair in (0..=255).flat_map(|before| (0..=255).map(move |byte| [before, byte])) {
                for place in [0, length / 2 - 1, length - 2] {
                    let mut name = vec![b'x'; length];
                    name[place..place + 2].copy_from_slice(&pair);
                    let is_unusual = name.windows(2).any(|pair| is_unusual(pair[0], pair[1]))
                        || matches!(name[0], b'/' | b'.' | 0 | b'\\' | b':')
                        || name[length - 1] == b'/';
                    assert_eq!(QPath::is_plain(&name), !is_unusual, "{name:?}");
                }
            }
        }
    }

    #[test]
    fn an_unusual_part_is_found_at_every_place_of_a_name() {
        for length in [3, 8, 16, 17, 18, 31, 40, 64] {
            for place in 0..length {
                for unusual in ["/./", "//", "/.", "..", "./", "\\", ":", "\0"] {
                    let mut name = "x".repeat(length);
                    name.insert_str(place, unusual);
                    assert!(!QPath::is_plain(name.as_bytes()), "{name}");
                }
                for usual in [".", "/", "/x."] {
                    let mut name = "x".repeat(length);
                    name.insert_str(place.max(1), usual);
                    assert!(QPath::is_plain(name.as_bytes()), "{name}");
                }
            }
        }
    }

    #[test]
    fn an_unusual_name_is_read_according_to_the_rules() {
        check("./a//b/./c", &LITERAL, Ok(("./a//b/./c", "a/b/c")));
        check("./a//b/./c", &DROPPED, Ok(("a/b/c", "a/b/c")));
        check("./a", &REFUSED, Err(RequestError::Dot));
        check("/a", &LITERAL, Ok(("/a", "a")));
        check("/a", &DROPPED, Ok(("a", "a")));
        check("/a", &REFUSED, Err(RequestError::LeadingSlash));
        check("a//b", &REFUSED, Err(RequestError::EmptyComponent));
        check("a\\b", &LITERAL, Ok(("a\\b", "a\\b")));
        check("a\\b", &DROPPED, Ok(("a/b", "a/b")));
        check("a\\b", &REFUSED, Err(RequestError::Backslash));
    }

    #[test]
    fn a_name_that_was_read_reads_as_itself_again_in_every_engine() {
        let mut requests = vec![Vec::new()];
        for length in 0..5 {
            let longer = requests.iter().filter(|request| request.len() == length);
            let longer: Vec<_> = longer
                .flat_map(|request| [b'a', b'/', b'.', b'\\'].map(|byte| [&request[..], &[byte]].concat()))
                .collect();
            requests.extend(longer);
        }
        for engine in crate::Engine::ALL {
            let rules = &engine.rules().requests;
            for request in &requests {
                let Ok(read) = QPath::new(request, rules) else { continue };
                let name = String::from_utf8_lossy(request);
                if !read.in_folders().is_empty() {
                    let again = QPath::new(read.in_folders(), rules).map(|again| again.in_folders().to_vec());
                    assert_eq!(again, Ok(read.in_folders().to_vec()), "{engine} {name}");
                }
                // one slash is dropped at each reading, and some names are not looked up in archives
                if rules.leading_slash != PathRule::FirstDropped && !read.in_archives().is_empty() {
                    let again = QPath::new(read.in_archives(), rules);
                    let again = again.as_ref().map(|again| (again.in_archives(), again.in_folders()));
                    assert_eq!(again, Ok((read.in_archives(), read.in_folders())), "{engine} {name}");
                }
            }
        }
    }

    #[test]
    fn a_refused_text_of_letters_is_found_in_a_plain_name() {
        let refused = |text: &'static str| Requests { refused: vec![text.into()].into(), ..LITERAL };
        for (text, name) in [("zz", "cfg/zz.cfg"), ("zz", "zz..cfg"), ("..", "a..cfg"), ("a/b", "a/b.cfg")] {
            check(name, &refused(text), Err(RequestError::RefusedText));
            assert!(!QPath::is_as_requested(name.as_bytes(), &refused(text)), "{name}");
        }
        check("z.z", &refused("zz"), Ok(("z.z", "z.z")));
    }

    #[test]
    fn a_refused_text_that_refuses_nothing_more_is_a_fault() {
        use crate::fault::tests::check as faults;
        let with = |refused: &'static [&'static str], expected: &[&str]| {
            faults(
                move |rules| {
                    *rules = crate::Engine::Q2Pro.rules().clone();
                    rules.requests.longest = 20;
                    rules.requests.refused = refused.iter().map(|text| (*text).into()).collect();
                },
                expected,
            );
        };
        with(&["etkey", "..", ":"], &[]);
        with(&["..", "a..b"], &["requests.refused[1]: no effect, because another text of the list is in it"]);
        with(&["a\0"], &["requests.refused[0]: no effect, because no request has a NUL"]);
        with(&[r"a\b"], &["requests.refused[0]: no effect, because requests.backslash leaves no backslash"]);
        with(
            &["a-text-longer-than-20"],
            &["requests.refused[0]: no effect, because it is longer than requests.longest"],
        );
    }

    #[test]
    fn no_request_leaves_a_game_directory() {
        for rules in &[LITERAL, DROPPED, REFUSED] {
            check("../a", rules, Err(RequestError::Parent));
            check("a/..", rules, Err(RequestError::Parent));
            let on_windows = Requests { host: Host::Windows, ..rules.clone() };
            check("C:a", &on_windows, Err(RequestError::Drive));
            if *rules != REFUSED {
                for request in ["/C:a", "./C:a", ".//c:", "\\C:a"] {
                    check(request, &on_windows, Err(RequestError::Drive));
                }
            }
            if !cfg!(windows) {
                check("a:b.cfg", rules, Ok(("a:b.cfg", "a:b.cfg")));
            }
            check("a\0b", rules, Err(RequestError::Nul));
            check("", rules, Err(RequestError::Empty));
        }
        check("a\\..\\b", &LITERAL, Err(RequestError::Parent));
        check("a/", &LITERAL, Err(RequestError::Folder));
        check("a/.", &DROPPED, Err(RequestError::Folder));
        check(".", &DROPPED, Err(RequestError::Empty));
        check(&"a".repeat(256), &LITERAL, Err(RequestError::TooLong));
        check(&format!("./{}", "a".repeat(253)), &DROPPED, Ok((&"a".repeat(253), &"a".repeat(253))));
    }

    #[test]
    fn a_request_rule_without_effect_is_a_fault() {
        use crate::fault::tests::check as faults;

        faults(
            |rules| rules.requests.longest = 256,
            &["requests.longest: no effect, because a request has at most 255 bytes"],
        );
        faults(
            |rules| rules.requests.hidden_component = PathRule::Dropped,
            &["requests.hidden-component: a component with a name cannot be dropped"],
        );
        let instead = |of: &'static str, file: &'static str| LooseAlias { of: of.into(), file: file.into() };
        faults(
            |rules| {
                let list = vec![instead("a", "b"), instead("A", "c"), instead("d", "D")];
                rules.requests.instead = list.into();
            },
            &[
                "requests.instead[1]: no effect, because an earlier entry replaces the name",
                "requests.instead[2].file: no effect, because it equals the replaced name",
            ],
        );
    }
}
