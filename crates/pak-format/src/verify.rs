//! What is odd or wrong about an archive.
//!
//! Only what the bytes themselves say: how many entries an engine takes, or how it looks at case, is a rule of
//! that engine, and belongs to the crate `quakefs`.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use crate::archive::{Archive, Entry, join};
use crate::daikatana;
use crate::error::ErrorKind;
use crate::layout::Header;
use crate::name::{EntryName, NameFault};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Programs differ in what they make of it, or somebody will have meant something else.
    Warning,
    /// Something cannot be read, or not be extracted under its name, or an engine stops.
    Error,
}

impl Severity {
    /// The lower-case word for it: `note`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Something odd or wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    entry: Option<(usize, Box<[u8]>)>,
    kind: FindingKind,
}

/// What is odd or wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindingKind {
    /// The entry cannot be read: [`ErrorKind::EntryOutside`], [`ErrorKind::Expansion`] or [`ErrorKind::Codec`].
    #[error("{}", unreadable(.0))]
    Unreadable(ErrorKind),
    /// The payload shares bytes with the header.
    #[error("the payload overlaps the header")]
    InHeader,
    /// The payload shares bytes with the directory.
    #[error("the payload overlaps the directory")]
    InDirectory,
    /// The payload shares some bytes with another.
    #[error("the payload overlaps that of entry {other}")]
    Overlap {
        /// The entry whose payload that is.
        other: usize,
    },
    /// The payload is the same bytes of the archive as another.
    #[error("the payload is that of entry {first} too")]
    Shared {
        /// The first entry of that payload.
        first: usize,
    },
    /// The name is there before.
    #[error("entry {first} has the same name: which of them is served depends on the program")]
    Duplicate {
        /// The first entry of that name.
        first: usize,
    },
    /// The name is there before, in other case. ASCII letters alone are compared so.
    #[error("the name is that of entry {first} but for upper and lower case")]
    SameWithoutCase {
        /// The first entry of that name.
        first: usize,
    },
    /// The name is there before, as Windows reads it: without case, and without dots and spaces at the end of a
    /// component; and without components that are empty or `.`.
    #[error("the name leads to the same file as that of entry {first} on Windows")]
    SameOnWindows {
        /// The first entry of that name.
        first: usize,
    },
    /// The name is also that of a folder, which another name starts with. They are compared as on Windows.
    #[error("the name is that of a file, and of a folder in the name of entry {below}")]
    FileAndFolder {
        /// An entry in that folder.
        below: usize,
    },
    /// The name does not become a path on disk.
    #[error("it cannot be extracted: {0}")]
    UnsafeName(NameFault),
    /// The name has an empty or `.` component, which extraction drops.
    #[error("the name has an empty or \".\" component: it is not found by the name without")]
    DottedName,
    /// The name fills its field, so that no NUL ends it.
    #[error("the name has {length} bytes and fills its field: programs that expect a NUL behind it read on")]
    NoNul {
        /// Bytes in the name.
        length: usize,
    },
    /// The name holds bytes over 127, whose meaning depends on the program.
    #[error("the name is not ASCII")]
    NotAscii,
    /// Names are followed by more than zeros.
    #[error("{entries} name fields hold something behind the NUL, the first in entry {first}")]
    GarbageAfterNul {
        /// How many entries.
        entries: usize,
        /// The first of them.
        first: usize,
    },
    /// Bytes between header, payloads and directory that nothing names.
    #[error("{bytes} bytes between the payloads belong to nothing (holes: {count})")]
    Holes {
        /// How many holes.
        count: usize,
        /// Bytes in all of them.
        bytes: u64,
    },
    /// Bytes behind all that is named.
    #[error("{bytes} bytes at the end belong to nothing")]
    Tail {
        /// How many bytes.
        bytes: u64,
    },
    /// The entries together are far larger than the archive.
    #[error("{archive} bytes of archive hold {content} bytes of files")]
    Expansion {
        /// Bytes of all entries, decoded.
        content: u64,
        /// Bytes of the archive.
        archive: u64,
    },
    /// Streams that were not decoded, because [`Expansion`](Self::Expansion) would make it a long time.
    #[error("{entries} compressed entries were not decoded: it would take too long")]
    NotDecoded {
        /// How many entries.
        entries: usize,
    },
}

fn unreadable(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::Codec(damage) => format!("{kind}: {damage}"),
        _ => kind.to_string(),
    }
}

impl FindingKind {
    /// A word that stays the same, for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            FindingKind::Unreadable(ErrorKind::EntryOutside { .. }) => "outside",
            FindingKind::Unreadable(_) => "damaged",
            FindingKind::InHeader => "in-header",
            FindingKind::InDirectory => "in-directory",
            FindingKind::Overlap { .. } => "overlap",
            FindingKind::Shared { .. } => "shared",
            FindingKind::Duplicate { .. } => "duplicate",
            FindingKind::SameWithoutCase { .. } => "same-without-case",
            FindingKind::SameOnWindows { .. } => "same-on-windows",
            FindingKind::FileAndFolder { .. } => "file-and-folder",
            FindingKind::UnsafeName(_) => "unsafe-name",
            FindingKind::DottedName => "dotted-name",
            FindingKind::NoNul { .. } => "no-nul",
            FindingKind::NotAscii => "not-ascii",
            FindingKind::GarbageAfterNul { .. } => "garbage-after-nul",
            FindingKind::Holes { .. } => "holes",
            FindingKind::Tail { .. } => "tail",
            FindingKind::Expansion { .. } => "expansion",
            FindingKind::NotDecoded { .. } => "not-decoded",
        }
    }

    /// How much it matters.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        match self {
            FindingKind::Unreadable(_) | FindingKind::UnsafeName(_) => Severity::Error,
            FindingKind::Shared { .. }
            | FindingKind::NotAscii
            | FindingKind::GarbageAfterNul { .. }
            | FindingKind::Holes { .. }
            | FindingKind::Tail { .. } => Severity::Note,
            _ => Severity::Warning,
        }
    }

    /// What somebody who has such an archive can do.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            FindingKind::Unreadable(ErrorKind::EntryOutside { .. }) => {
                "the file is probably a cut-off download: get it again, or remove the entry"
            }
            FindingKind::Unreadable(_) => "get the archive again, or remove the entry",
            FindingKind::InHeader | FindingKind::InDirectory => {
                "the row is probably damaged: read the entry and see"
            }
            FindingKind::Overlap { .. } => "one of the rows is probably damaged: read both entries and see",
            FindingKind::Shared { .. } => "nothing: it saves room",
            FindingKind::Duplicate { .. } => "remove all but one",
            FindingKind::SameWithoutCase { .. } | FindingKind::SameOnWindows { .. } => {
                "rename one of them: extracted to such a disk, one replaces the other"
            }
            FindingKind::FileAndFolder { .. } => "rename it: a disk has no room for both",
            FindingKind::UnsafeName(_) | FindingKind::DottedName => "rename it",
            FindingKind::NoNul { .. } => "rename it to something shorter",
            FindingKind::NotAscii => "rename it if it is not found",
            FindingKind::GarbageAfterNul { .. } => "nothing: old packers leave it there",
            FindingKind::Holes { .. } | FindingKind::Tail { .. } => "repack the archive to drop them",
            FindingKind::Expansion { .. } | FindingKind::NotDecoded { .. } => {
                "see that the disk has room before extracting it"
            }
        }
    }
}

impl Finding {
    fn of(entry: &Entry<'_>, kind: FindingKind) -> Finding {
        Finding { entry: Some((entry.index(), entry.name().as_bytes().into())), kind }
    }

    /// The number and the name of the entry; `None` if it is about the archive.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, EntryName<'_>)> {
        self.entry.as_ref().map(|(index, name)| (*index, EntryName::from_bytes(name)))
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> &FindingKind {
        &self.kind
    }

    /// How much it matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }

    /// What somebody who has such an archive can do.
    #[must_use]
    pub fn help(&self) -> &'static str {
        self.kind.help()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((index, name)) = self.entry() {
            write!(f, "entry {index} ({name}): ")?;
        }
        self.kind.fmt(f)
    }
}

/// Looks at every row and decodes every compressed payload. Findings about entries come first, in the order of
/// the rows, then those about the whole.
///
/// It takes little memory beyond a name an entry and the largest file, and reads payloads only to decode them.
///
/// ```
/// use pak_format::{Archive, Builder, Layout, Severity, verify};
///
/// let mut builder = Builder::new(Layout::Quake);
/// builder.add("maps/start.bsp", *b"a level")?;
/// builder.add("maps/Start.bsp", *b"another")?;
/// let findings = verify(&Archive::parse(builder.finish()?)?);
/// assert_eq!(findings[0].severity(), Severity::Warning);
/// assert_eq!(
///     findings[0].to_string(),
///     "entry 1 (maps/Start.bsp): the name is that of entry 0 but for upper and lower case",
/// );
/// # Ok::<(), pak_format::Error>(())
/// ```
#[must_use]
pub fn verify<D: AsRef<[u8]>>(archive: &Archive<D>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut about_all = Vec::new();
    payloads(archive, &mut findings, &mut about_all);
    places(archive, &mut findings, &mut about_all);
    names(archive, &mut findings, &mut about_all);
    collisions(archive, &mut findings);
    findings.sort_by_key(|finding| finding.entry.as_ref().map(|(index, _)| *index));
    findings.extend(about_all.into_iter().map(|kind| Finding { entry: None, kind }));
    findings
}

/// What more than this, and more than a hundred times the archive, is not believed.
const MUCH: u64 = 1 << 30;

/// Whether each entry can be read.
fn payloads(archive: &Archive<impl AsRef<[u8]>>, findings: &mut Vec<Finding>, all: &mut Vec<FindingKind>) {
    let size = archive.get_ref().as_ref().len() as u64;
    let content: u64 = archive.entries().map(|entry| u64::from(entry.size())).sum();
    let believed = MUCH.max(size.saturating_mul(100));
    if content > believed {
        all.push(FindingKind::Expansion { content, archive: size });
    }
    let (mut decoded, mut skipped) = (0, 0);
    let mut whole = HashSet::new();
    let mut space = Vec::new();
    for entry in archive.entries() {
        let checked = entry.check().and_then(|()| archive.raw(&entry));
        let stream = match checked {
            Ok(stream) => stream,
            Err(error) => {
                findings.push(Finding::of(&entry, FindingKind::Unreadable(error.kind().clone())));
                continue;
            }
        };
        if !entry.is_compressed() || whole.contains(&(entry.offset(), entry.stored_size(), entry.size())) {
            continue;
        }
        if decoded + u64::from(entry.size()) > believed {
            skipped += 1;
            continue;
        }
        decoded += u64::from(entry.size());
        space.resize(usize::try_from(entry.size()).unwrap_or(usize::MAX), 0);
        match daikatana::decode_into(stream, &mut space) {
            Ok(()) => drop(whole.insert((entry.offset(), entry.stored_size(), entry.size()))),
            Err(damage) => {
                findings.push(Finding::of(&entry, FindingKind::Unreadable(ErrorKind::Codec(damage))));
            }
        }
    }
    if skipped > 0 {
        all.push(FindingKind::NotDecoded { entries: skipped });
    }
}

/// Where header, directory and payloads lie.
fn places(archive: &Archive<impl AsRef<[u8]>>, findings: &mut Vec<Finding>, all: &mut Vec<FindingKind>) {
    let size = archive.get_ref().as_ref().len() as u64;
    let header = 0..Header::SIZE as u64;
    let rows = archive.directory_range();
    let directory = rows.start as u64..rows.end as u64;
    let mut extents: Vec<(Range<u64>, usize)> = archive
        .entries()
        .filter_map(|entry| Some((entry.extent().ok()?, entry.index())))
        .filter(|(extent, _)| !extent.is_empty())
        .collect();
    extents.sort_by_key(|(extent, index)| (extent.start, extent.end, *index));

    let mut find = |index: usize, kind| {
        findings.extend(archive.entry(index).map(|entry| Finding::of(&entry, kind)));
    };
    let overlaps = |one: &Range<u64>, other: &Range<u64>| one.start < other.end && other.start < one.end;
    // of those before: the last that is not a copy, and the one that reaches farthest
    let mut last: Option<&(Range<u64>, usize)> = None;
    let mut farthest: Option<&(Range<u64>, usize)> = None;
    for this in &extents {
        let (extent, index) = this;
        if overlaps(extent, &header) {
            find(*index, FindingKind::InHeader);
        }
        if overlaps(extent, &directory) {
            find(*index, FindingKind::InDirectory);
        }
        match (last, farthest) {
            (Some((same, first)), _) if same == extent => {
                find(*index, FindingKind::Shared { first: *first });
                continue;
            }
            (_, Some((before, other))) if overlaps(extent, before) => {
                find(*index, FindingKind::Overlap { other: *other });
            }
            _ => {}
        }
        last = Some(this);
        if farthest.is_none_or(|(before, _)| before.end < extent.end) {
            farthest = Some(this);
        }
    }

    let mut used: Vec<_> = extents.into_iter().map(|(extent, _)| extent).collect();
    used.extend([header, directory]);
    join(&mut used);
    let holes = used.iter().zip(used.iter().skip(1)).map(|(one, next)| next.start - one.end);
    let (count, bytes) = holes.fold((0, 0), |(count, bytes), hole| (count + 1, bytes + hole));
    if count > 0 {
        all.push(FindingKind::Holes { count, bytes });
    }
    let bytes = used.last().map_or(0, |last| size.saturating_sub(last.end));
    if bytes > 0 {
        all.push(FindingKind::Tail { bytes });
    }
}

/// Each name by itself.
fn names(archive: &Archive<impl AsRef<[u8]>>, findings: &mut Vec<Finding>, all: &mut Vec<FindingKind>) {
    let mut garbage = None;
    for entry in archive.entries() {
        let (name, field) = (entry.name().as_bytes(), entry.row().name);
        match entry.name().to_disk_path() {
            Err(fault) => findings.push(Finding::of(&entry, FindingKind::UnsafeName(fault))),
            Ok(path) if path.len() != name.len() => {
                findings.push(Finding::of(&entry, FindingKind::DottedName));
            }
            Ok(_) => {}
        }
        if name.len() == field.len() {
            findings.push(Finding::of(&entry, FindingKind::NoNul { length: name.len() }));
        }
        if !name.is_ascii() {
            findings.push(Finding::of(&entry, FindingKind::NotAscii));
        }
        if field.iter().skip(name.len()).any(|&byte| byte != 0) {
            let (entries, _) = garbage.get_or_insert((0, entry.index()));
            *entries += 1;
        }
    }
    all.extend(garbage.map(|(entries, first)| FindingKind::GarbageAfterNul { entries, first }));
}

/// The keys of all names, as Windows would compare them. A NUL separates components: no name holds one, and it
/// sorts before anything else, so that what is in a folder follows a file of its name directly.
struct Keys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Keys {
    fn of(archive: &Archive<impl AsRef<[u8]>>) -> Keys {
        let mut keys = Keys { bytes: Vec::new(), ends: Vec::with_capacity(archive.len()) };
        for entry in archive.entries() {
            let start = keys.bytes.len();
            for part in entry.name().as_bytes().split(|&byte| byte == b'/') {
                if part.is_empty() || part == b"." {
                    continue;
                }
                // what is dots and spaces alone leads nowhere, or up
                let last = part.iter().rposition(|byte| !matches!(byte, b'.' | b' '));
                let part = last.and_then(|last| part.get(..=last)).unwrap_or(part);
                if keys.bytes.len() > start {
                    keys.bytes.push(0);
                }
                keys.bytes.extend(part.iter().map(u8::to_ascii_lowercase));
            }
            keys.ends.push(keys.bytes.len());
        }
        keys
    }

    fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.bytes.get(start..end).unwrap_or_default()
    }
}

/// Names beside each other.
fn collisions(archive: &Archive<impl AsRef<[u8]>>, findings: &mut Vec<Finding>) {
    let keys = Keys::of(archive);
    let directory = archive.directory();
    let name = |index| EntryName::from_field(directory.name_field(index).unwrap_or_default()).as_bytes();
    let lower = |index| name(index).iter().map(u8::to_ascii_lowercase);
    let mut order: Vec<usize> = (0..archive.len()).collect();
    order.sort_unstable_by(|&one, &other| {
        let by_key = keys.get(one).cmp(keys.get(other));
        by_key
            .then_with(|| lower(one).cmp(lower(other)))
            .then_with(|| name(one).cmp(name(other)))
            .then(one.cmp(&other))
    });
    let mut find = |index: usize, kind| {
        findings.extend(archive.entry(index).map(|entry| Finding::of(&entry, kind)));
    };
    let first = |group: &[usize]| group.iter().copied().min().unwrap_or_default();
    let mut groups = order.chunk_by(|&one, &other| keys.get(one) == keys.get(other)).peekable();
    while let Some(group) = groups.next() {
        if group.len() > 1 {
            let on_windows = first(group);
            for group in group.chunk_by(|&one, &other| lower(one).eq(lower(other))) {
                let without_case = first(group);
                for group in group.chunk_by(|&one, &other| name(one) == name(other)) {
                    let same = first(group);
                    for &index in group {
                        if index != same {
                            find(index, FindingKind::Duplicate { first: same });
                        } else if index != without_case {
                            find(index, FindingKind::SameWithoutCase { first: without_case });
                        } else if index != on_windows {
                            find(index, FindingKind::SameOnWindows { first: on_windows });
                        }
                    }
                }
            }
        }
        let key = group.first().map(|&index| keys.get(index)).unwrap_or_default();
        let next = groups.peek().and_then(|next| next.first()).copied();
        if let Some(below) = next
            && !key.is_empty()
            && keys.get(below).strip_prefix(key).is_some_and(|rest| rest.first() == Some(&0))
        {
            for &index in group {
                find(index, FindingKind::FileAndFolder { below });
            }
        }
    }
}
