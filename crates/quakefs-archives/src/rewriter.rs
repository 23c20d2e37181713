//! Changes a ZIP or a WAD on disk by writing the whole archive again.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::Path;

use pak_format::name::escape_path;
use pak_format::{Builder, EntryName, Error, ErrorKind, Held, Progress, Report, Source, WriteOptions};
use quake_content::WadVersion;
use quakefs::archive::{ArchiveKind, OpenOptions};
use quakefs::{Access, Archive};

use crate::wad::{self, WadContents};

/// Collects changes to a ZIP or a WAD. [`commit`](Self::commit) writes them; until then, other writers are
/// locked out.
#[derive(Debug)]
pub(crate) struct Rewriter<'a> {
    /// `None` if the new archive goes elsewhere.
    held: Option<Held>,
    path: String,
    archive: Archive,
    format: Format,
    before: u64,
    level: u32,
    slots: Vec<Slot<'a>>,
    /// The numbers of the slots of each name, lowest first. Names of a WAD are in lower case.
    named: HashMap<Vec<u8>, Vec<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    Zip,
    Wad(WadVersion),
}

#[derive(Debug)]
struct Slot<'a> {
    name: Box<[u8]>,
    content: SlotContent<'a>,
    /// The kind number in a WAD.
    kind: Option<u8>,
    /// Whether the name is in the archive already.
    is_old: bool,
}

#[derive(Debug)]
enum SlotContent<'a> {
    Entry(usize),
    New(Source<'a>),
}

impl<'a> Rewriter<'a> {
    /// Opens a ZIP or a WAD for changes.
    pub(crate) fn open(path: impl AsRef<Path>) -> Result<Self, quakefs::Error> {
        let held = Held::open(path.as_ref())?;
        Ok(Rewriter { held: Some(held), ..Rewriter::read(path)? })
    }

    /// Opens a ZIP or a WAD without a lock, for [`write_file`](Self::write_file).
    pub(crate) fn read(path: impl AsRef<Path>) -> Result<Self, quakefs::Error> {
        let path = path.as_ref();
        // not mapped: an entry keeps the file open until it is read
        let archive = OpenOptions::new().access(Access::Read).open(path)?;
        // a new archive would not have the entries that cannot be read
        archive.damage().map_or(Ok(()), Err)?;
        let wad = WadContents::of(&archive);
        let format = match (&wad, archive.kind()) {
            (Some(wad), _) if !wad.is_level() => Format::Wad(wad.version()),
            (None, ArchiveKind::Zip) => Format::Zip,
            (wad, _) => {
                let text = match wad {
                    Some(_) => "the textures of a level cannot be changed",
                    None => {
                        "an archive of Anachronox cannot be changed: make a pk3 with `quakefs pak convert`"
                    }
                };
                return Err(io::Error::new(io::ErrorKind::Unsupported, text).into());
            }
        };
        let kind = |row| {
            let wad = wad.as_ref()?;
            Some(wad.kind(row)?.number(wad.version()))
        };
        let before = std::fs::metadata(path).map_or(0, |found| found.len());
        let files = archive.entries().filter(|entry| !entry.row().is_folder);
        let slot = |entry: quakefs::archive::ArchiveEntry<'_>| Slot {
            name: entry.name().as_bytes().into(),
            content: SlotContent::Entry(entry.index()),
            kind: kind(entry.index()),
            is_old: true,
        };
        let slots: Vec<_> = files.map(slot).collect();
        Ok(Rewriter {
            named: format.index(&slots),
            held: None,
            path: escape_path(path).into_owned(),
            archive,
            format,
            before,
            level: 6,
            slots,
        })
    }

    pub(crate) fn wad(&self) -> Option<WadVersion> {
        match self.format {
            Format::Wad(version) => Some(version),
            Format::Zip => None,
        }
    }

    pub(crate) fn level(&mut self, level: u32) {
        self.level = level;
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = EntryName<'_>> {
        self.slots.iter().map(|slot| EntryName::from_bytes(&slot.name))
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn contains(&self, name: &[u8]) -> bool {
        self.position(name).is_some()
    }

    fn position(&self, name: &[u8]) -> Option<usize> {
        self.numbers(name).first().copied()
    }

    fn numbers(&self, name: &[u8]) -> &[usize] {
        self.named.get(&*self.format.key(name)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn add(&mut self, name: &[u8], source: Source<'a>) -> Result<(), Error> {
        self.check_new(name)?;
        self.named.insert(self.format.key(name).into_owned(), vec![self.slots.len()]);
        self.slots.push(Slot {
            name: name.into(),
            content: SlotContent::New(source),
            kind: None,
            is_old: false,
        });
        Ok(())
    }

    pub(crate) fn set_kind(&mut self, name: &[u8], number: u8) {
        for slot in self.numbers(name).to_vec() {
            if let Some(slot) = self.slots.get_mut(slot) {
                slot.kind = Some(number);
            }
        }
    }

    /// Replaces the content of the first entry of this name, and removes the others, because engines differ
    /// in which one wins.
    pub(crate) fn replace(&mut self, name: &[u8], source: Source<'a>) -> Result<(), Error> {
        let first = self.require(name)?;
        if self.numbers(name).len() > 1 {
            let (mut number, format, key) = (0, self.format, self.format.key(name));
            self.slots.retain(|slot| {
                number += 1;
                number - 1 <= first || format.key(&slot.name) != key
            });
            self.named = format.index(&self.slots);
        }
        if let Some(slot) = self.slots.get_mut(first) {
            slot.content = SlotContent::New(source);
        }
        Ok(())
    }

    pub(crate) fn remove_where(&mut self, mut gone: impl FnMut(EntryName<'_>) -> bool) -> usize {
        let before = self.slots.len();
        self.slots.retain(|slot| !gone(EntryName::from_bytes(&slot.name)));
        self.named = self.format.index(&self.slots);
        before - self.slots.len()
    }

    pub(crate) fn rename(&mut self, old: &[u8], new: &[u8]) -> Result<usize, Error> {
        self.require(old)?;
        let (old, key) = (self.format.key(old).into_owned(), self.format.key(new).into_owned());
        if old != key {
            self.check_new(new)?;
        }
        let numbers = self.named.remove(&old).unwrap_or_default();
        for number in &numbers {
            if let Some(slot) = self.slots.get_mut(*number) {
                slot.name = new.into();
                slot.is_old = false;
            }
        }
        let count = numbers.len();
        self.named.insert(key, numbers);
        Ok(count)
    }

    fn require(&self, name: &[u8]) -> Result<usize, Error> {
        self.position(name)
            .ok_or_else(|| Error::from(ErrorKind::NoEntry { name: name.into() }).in_archive(&*self.path))
    }

    fn check_new(&self, name: &[u8]) -> Result<(), Error> {
        match self.position(name) {
            Some(first) => {
                let error = Error::from(ErrorKind::Duplicate { first });
                Err(error.at_entry(self.len(), EntryName::from_bytes(name)).in_archive(&*self.path))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn check(&self) -> Vec<Error> {
        let mut builder = self.format.builder();
        for slot in &self.slots {
            slot.add_to(&mut builder, Source::bytes([]));
        }
        builder.check().into_iter().map(|error| error.in_archive(&*self.path)).collect()
    }

    /// The report of a dry run. The new size is known only after compression.
    pub(crate) fn dry_run(&self) -> Result<Report, Error> {
        self.check().into_iter().next().map_or_else(|| Ok(Report::new(self.len(), 0, 0)), Err)
    }

    pub(crate) fn commit(mut self, progress: Option<Progress<'_>>) -> Result<Report, Error> {
        let held = self.held.take().ok_or(ErrorKind::Locked)?;
        let options = WriteOptions { progress, ..WriteOptions::default() };
        self.write(|builder| builder.replace(held, &options))
    }

    pub(crate) fn write_file(
        self,
        path: impl AsRef<Path>,
        options: &WriteOptions<'_>,
    ) -> Result<Report, Error> {
        self.write(|builder| builder.write_file(path, options))
    }

    fn write(self, write: impl FnOnce(Builder<'_>) -> Result<u64, Error>) -> Result<Report, Error> {
        let Rewriter { archive, format, before, level, slots, .. } = self;
        let entries = slots.len();
        let mut builder = format.builder();
        builder.level(level);
        for mut slot in slots {
            let source = match std::mem::replace(&mut slot.content, SlotContent::Entry(0)) {
                SlotContent::New(source) => source,
                SlotContent::Entry(row) => {
                    let archive = archive.clone();
                    let size = archive.entry(row).map_or(0, |entry| entry.size());
                    let renamed = (format != Format::Zip && !slot.is_old).then(|| slot.name.clone());
                    Source::reader(size, move || {
                        let entry = archive.entry(row).ok_or(io::ErrorKind::NotFound)?;
                        Ok(match renamed {
                            Some(new) => Box::new(io::Cursor::new(wad::renamed(&entry, &new)?)),
                            None => Box::new(entry.open()?) as Box<dyn io::Read>,
                        })
                    })
                }
            };
            slot.add_to(&mut builder, source);
        }
        // Windows cannot replace an open file; from here on, only entries that are not yet read keep it open
        drop(archive);
        Ok(Report::new(entries, before, write(builder)?))
    }
}

impl Format {
    /// Engines ignore case in names of a WAD (`W_CleanupName` of Quake's `wad.c`).
    fn key(self, name: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Format::Wad(_) => name.to_ascii_lowercase().into(),
            Format::Zip => name.into(),
        }
    }

    fn index(self, slots: &[Slot<'_>]) -> HashMap<Vec<u8>, Vec<usize>> {
        let mut named: HashMap<Vec<u8>, Vec<usize>> = HashMap::with_capacity(slots.len());
        for (number, slot) in slots.iter().enumerate() {
            named.entry(self.key(&slot.name).into_owned()).or_default().push(number);
        }
        named
    }

    fn builder<'s>(self) -> Builder<'s> {
        match self {
            Format::Zip => Builder::zip(),
            Format::Wad(version) => wad::wad_builder(version),
        }
    }
}

impl Slot<'_> {
    fn add_to<'s>(&self, builder: &mut Builder<'s>, source: Source<'s>) {
        if self.is_old {
            builder.keep(&self.name, source);
        } else {
            builder.push(&self.name, source);
        }
        if let Some(kind) = self.kind {
            builder.kind(kind);
        }
    }
}
