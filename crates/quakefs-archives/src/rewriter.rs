//! Changes of a ZIP or a WAD on disk, which is written anew and put in the place of the old one whole.

use std::io;
use std::path::Path;

use pak_format::name::escape_path;
use pak_format::{Builder, EntryName, Error, ErrorKind, Held, Progress, Report, Source, WriteOptions};
use quakefs::archive::{ArchiveKind, OpenOptions};
use quakefs::{Access, Archive};

use crate::wad::{self, WadContents, WadVersion};

/// Changes of a ZIP, such as a `.pk3`, or of a WAD. Nothing is written before [`commit`](Self::commit), and other writers wait until then.
///
/// Every entry is read again, and deflated in a ZIP, so that a change costs as much as the archive is large. Rows of folders, which
/// hold nothing, are not written.
///
/// ```
/// # use pak_format::{Builder, Source};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.pk3");
/// # let mut builder = Builder::zip();
/// # builder.add("maps/start.bsp", "a level")?;
/// # std::fs::write(&path, builder.finish()?)?;
/// let mut editor = quakefs_archives::Rewriter::open(&path)?;
/// editor.rename("maps/start.bsp", "maps/begin.bsp")?;
/// editor.add("readme.txt", Source::bytes("hello"))?;
/// assert_eq!(editor.commit(None)?.entries, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rewriter<'a> {
    /// `None` where it is written elsewhere.
    held: Option<Held>,
    path: String,
    archive: Archive,
    form: Form,
    before: u64,
    level: u32,
    slots: Vec<Slot<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Zip,
    Wad(WadVersion),
}

#[derive(Debug)]
struct Slot<'a> {
    name: Box<[u8]>,
    content: Content<'a>,
    /// What a WAD says of it.
    kind: Option<u8>,
    /// Whether the archive has the name already.
    is_old: bool,
}

#[derive(Debug)]
enum Content<'a> {
    Entry(usize),
    New(Source<'a>),
}

impl<'a> Rewriter<'a> {
    /// Opens a ZIP or a WAD for changes.
    ///
    /// # Errors
    /// There is no such file, it is neither, or another writer has it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, quakefs::Error> {
        let held = Held::open(path.as_ref())?;
        Ok(Rewriter { held: Some(held), ..Rewriter::read(path)? })
    }

    /// Opens a ZIP or a WAD that [`write_file`](Self::write_file) writes elsewhere.
    ///
    /// # Errors
    /// There is no such file, or it is neither.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, quakefs::Error> {
        let path = path.as_ref();
        // not mapped: an entry keeps the file open until it is read
        let archive = Archive::open_with(path, &OpenOptions::new().access(Access::Read))?;
        let wad = WadContents::of(&archive);
        let form = match (&wad, archive.kind()) {
            (Some(wad), _) if !wad.is_level() => Form::Wad(wad.version()),
            (None, ArchiveKind::Zip) => Form::Zip,
            _ => {
                return Err(
                    io::Error::new(io::ErrorKind::Unsupported, "it is neither a ZIP nor a WAD").into()
                );
            }
        };
        let kind = |row| {
            let wad = wad.as_ref()?;
            Some(wad.kind(row)?.number(wad.version().number()))
        };
        let before = std::fs::metadata(path).map_or(0, |found| found.len());
        let files = archive.entries().filter(|entry| !entry.is_folder());
        let slot = |entry: quakefs::archive::ArchiveEntry<'_>| Slot {
            name: entry.name().as_bytes().into(),
            content: Content::Entry(entry.index()),
            kind: kind(entry.index()),
            is_old: true,
        };
        let slots = files.map(slot).collect();
        Ok(Rewriter {
            held: None,
            path: escape_path(path).into_owned(),
            archive,
            form,
            before,
            level: 6,
            slots,
        })
    }

    /// The version of a WAD; `None` for a ZIP.
    #[must_use]
    pub fn wad(&self) -> Option<WadVersion> {
        match self.form {
            Form::Wad(version) => Some(version),
            Form::Zip => None,
        }
    }

    /// How hard entries of a ZIP are compressed, from 0 to 9.
    pub fn level(&mut self, level: u32) {
        self.level = level;
    }

    /// The names of the entries as they will be.
    pub fn names(&self) -> impl Iterator<Item = EntryName<'_>> {
        self.slots.iter().map(|slot| EntryName::from_bytes(&slot.name))
    }

    /// How many entries there will be.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there will be no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Whether there will be an entry of this name.
    #[must_use]
    pub fn contains(&self, name: &[u8]) -> bool {
        self.position(name).is_some()
    }

    /// The first entry of a name.
    fn position(&self, name: &[u8]) -> Option<usize> {
        self.slots.iter().position(|slot| self.form.is_same(&slot.name, name))
    }

    /// Adds an entry after the last.
    ///
    /// # Errors
    /// [`ErrorKind::Duplicate`].
    pub fn add(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> Result<(), Error> {
        let name = name.as_ref();
        self.check_new(name)?;
        self.slots.push(Slot { name: name.into(), content: Content::New(source), kind: None, is_old: false });
        Ok(())
    }

    /// Says of the entries of this name what they are, as a WAD does by a number.
    pub fn set_kind(&mut self, name: impl AsRef<[u8]>, number: u8) {
        let (form, name) = (self.form, name.as_ref());
        for slot in self.slots.iter_mut().filter(|slot| form.is_same(&slot.name, name)) {
            slot.kind = Some(number);
        }
    }

    /// Replaces the content of the first entry of this name. Others of the name go: which of them counts depends on the engine.
    ///
    /// # Errors
    /// [`ErrorKind::NoEntry`].
    pub fn replace(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> Result<(), Error> {
        let name = name.as_ref();
        let first = self.require(name)?;
        let (mut number, form) = (0, self.form);
        self.slots.retain(|slot| {
            number += 1;
            number - 1 <= first || !form.is_same(&slot.name, name)
        });
        if let Some(slot) = self.slots.get_mut(first) {
            slot.content = Content::New(source);
        }
        Ok(())
    }

    /// Removes each entry whose name `gone` returns true for, and returns how many there were.
    pub fn remove_where(&mut self, mut gone: impl FnMut(EntryName<'_>) -> bool) -> usize {
        let before = self.slots.len();
        self.slots.retain(|slot| !gone(EntryName::from_bytes(&slot.name)));
        before - self.slots.len()
    }

    /// Renames each entry of this name, and returns how many there are. A texture has its name in its content too, which is
    /// changed with it.
    ///
    /// # Errors
    /// [`ErrorKind::NoEntry`], and [`ErrorKind::Duplicate`] if an entry has the new name.
    pub fn rename(&mut self, old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Result<usize, Error> {
        let (old, new) = (old.as_ref(), new.as_ref());
        self.require(old)?;
        let form = self.form;
        if !form.is_same(old, new) {
            self.check_new(new)?;
        }
        let found = self.slots.iter_mut().filter(|slot| form.is_same(&slot.name, old));
        let renamed = found.map(|slot| {
            slot.name = new.into();
            slot.is_old = false;
        });
        Ok(renamed.count())
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

    /// Every problem that stops [`commit`](Self::commit).
    #[must_use]
    pub fn check(&self) -> Vec<Error> {
        let mut builder = self.form.builder();
        for slot in &self.slots {
            slot.add_to(&mut builder, Source::bytes([]));
        }
        builder.check().into_iter().map(|error| error.in_archive(&*self.path)).collect()
    }

    /// Writes the archive in the place of the old one.
    ///
    /// # Errors
    /// Those of [`check`](Self::check), an entry that cannot be read, and [`ErrorKind::Io`]; nothing is changed then.
    /// [`ErrorKind::Locked`] where the archive was opened by [`read`](Self::read).
    pub fn commit(mut self, progress: Option<Progress<'_>>) -> Result<Report, Error> {
        let held = self.held.take().ok_or(ErrorKind::Locked)?;
        let mut options = WriteOptions::new();
        options.progress = progress;
        self.write(|builder| builder.replace(held, &options))
    }

    /// Writes the archive to another file.
    ///
    /// # Errors
    /// Those of [`check`](Self::check), an entry that cannot be read, and those of [`Builder::write_file`].
    pub fn write_file(self, path: impl AsRef<Path>, options: &WriteOptions<'_>) -> Result<Report, Error> {
        self.write(|builder| builder.write_file(path, options))
    }

    fn write(self, write: impl FnOnce(Builder<'_>) -> Result<u64, Error>) -> Result<Report, Error> {
        let Rewriter { archive, form, before, level, slots, .. } = self;
        let entries = slots.len();
        let mut builder = form.builder();
        builder.level(level);
        for mut slot in slots {
            let source = match std::mem::replace(&mut slot.content, Content::Entry(0)) {
                Content::New(source) => source,
                Content::Entry(row) => {
                    let archive = archive.clone();
                    let size = archive.entry(row).map_or(0, |entry| entry.size());
                    let renamed = (form != Form::Zip && !slot.is_old).then(|| slot.name.clone());
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
        // Windows replaces no file that is open: from here on the entries that are still to be read keep it open
        drop(archive);
        Ok(Report::new(entries, before, write(builder)?))
    }
}

impl Form {
    /// Engines take names of a WAD without case (`W_CleanupName` of Quake's `wad.c`).
    fn is_same(self, one: &[u8], other: &[u8]) -> bool {
        match self {
            Form::Wad(_) => one.eq_ignore_ascii_case(other),
            Form::Zip => one == other,
        }
    }

    fn builder<'s>(self) -> Builder<'s> {
        match self {
            Form::Zip => Builder::zip(),
            Form::Wad(version) => version.builder(),
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
