//! Changes an archive by appending to its file.

use std::fmt;
use std::path::{Path, PathBuf};

use atomic_file::{Disk, RealDisk};

use crate::archive::{Directory, ParseOptions};
use crate::daikatana::EncodeOptions;
use crate::edit::append::Appender;
use crate::edit::index::NameIndex;
use crate::edit::opened::{Opened, Purpose};
use crate::edit::report::Report;
use crate::entry_name::{EntryName, writable};
use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::record::{Header, Row};
use crate::write::{Payload, PayloadWriter, Progress, Source, WRITE, Work, of_content, offset};

/// Adds, replaces, removes and renames entries of an archive on disk, all at once or not at all.
///
/// [`commit`](Self::commit) writes new payloads and a new directory after the end of the file, and then
/// changes the header to name that directory. Until then, the file is the old archive. The cost depends on
/// the added content and the number of entries, not on the size of the archive. Unused bytes stay until
/// [`repack`](crate::repack()).
///
/// The file is locked as long as the editor exists: a second editor fails with [`ErrorKind::Locked`]. On Unix
/// the lock does not stop programs without locks, so [`commit`](Self::commit) first checks that the file is
/// unchanged. On Windows it stops every other program that writes the file.
///
/// If several entries have the same name, a change applies to all of them. All other rows stay the same to
/// the byte, including the bytes after their names.
///
/// ```
/// use pak_format::{Archive, Editor, Source};
/// # let folder = testutils::game("pak0.pak: autoexec.cfg");
/// # let path = folder.join("pak0.pak");
///
/// let mut editor = Editor::open(&path)?;
/// editor.rename("autoexec.cfg", "default.cfg")?;
/// editor.add("maps/start.bsp", Source::bytes(b"a level"))?;
/// editor.commit(None)?;
///
/// let archive = Archive::parse(std::fs::read(&path)?)?;
/// let names: Vec<_> = archive.entries().map(|entry| entry.name().to_string()).collect();
/// assert_eq!(names, ["default.cfg", "maps/start.bsp"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Editor<'a> {
    opened: Opened,
    /// The caller's path, for messages.
    path: PathBuf,
    encoding: EncodeOptions,
    slots: Vec<Slot>,
    /// The number of live slots.
    len: usize,
    additions: Vec<Source<'a>>,
    /// Slots by name.
    index: NameIndex,
    changed: bool,
}

/// An entry. The entries of the archive come first, with the numbers of their rows, then the added ones.
struct Slot {
    /// False for a removed entry.
    live: bool,
    /// The new name, if the entry was renamed.
    name: Option<Box<[u8]>>,
    /// The number of the addition with the new content, if any.
    content: Option<usize>,
}

impl<'a> Editor<'a> {
    /// Opens an archive, detects its layout, and locks it.
    ///
    /// # Errors
    /// The errors of [`Archive::parse`](crate::Archive::parse), [`ErrorKind::Locked`] and [`ErrorKind::Io`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &ParseOptions::new())
    }

    /// Opens an archive under [`ParseOptions`], and locks it.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open), and [`ErrorKind::WrongMagic`] if the options name a layout.
    pub fn open_with(path: impl AsRef<Path>, options: &ParseOptions) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let opened = Opened::open(&path, Purpose::Change, options).map_err(|error| error.in_file(&path))?;
        let len = opened.directory.len();
        let slots: Vec<_> = (0..len).map(|_| Slot { live: true, name: None, content: None }).collect();
        let mut index = NameIndex::with_capacity(len);
        for number in 0..len {
            index.insert(name_of(&opened, &slots, number), number);
        }
        let (encoding, additions) = (EncodeOptions::default(), Vec::new());
        Ok(Editor { opened, path, encoding, slots, len, additions, index, changed: false })
    }

    /// How entries are compressed.
    pub fn encoding(&mut self, options: EncodeOptions) -> &mut Self {
        self.encoding = options;
        self
    }

    /// The layout of the archive.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.opened.directory.layout()
    }

    /// The rows that are on disk now.
    #[must_use]
    pub fn directory(&self) -> &Directory<Vec<u8>> {
        &self.opened.directory
    }

    /// The names after the commit, in the order of the rows.
    pub fn names(&self) -> impl Iterator<Item = EntryName<'_>> {
        self.live_slots().map(|(number, _)| EntryName::from_bytes(self.name(number)))
    }

    /// How many entries there are after the commit.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the archive will be empty after the commit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the commit changes anything.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Whether an entry will have this name after the commit. Names are compared byte for byte.
    pub fn contains(&self, name: impl AsRef<[u8]>) -> bool {
        !self.slots_named(name.as_ref()).is_empty()
    }

    /// Adds an entry after the last.
    ///
    /// # Errors
    /// [`ErrorKind::Name`] if [`name::writable`](crate::name::writable) fails, and [`ErrorKind::Duplicate`].
    pub fn add(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> Result<(), Error> {
        let name = name.as_ref();
        self.check_new(name, self.slots.len())?;
        self.index.insert(name, self.slots.len());
        self.slots.push(Slot { live: true, name: Some(name.into()), content: Some(self.additions.len()) });
        self.additions.push(source);
        self.len += 1;
        self.changed = true;
        Ok(())
    }

    /// Replaces the content of each entry of this name. The entry keeps its place.
    ///
    /// # Errors
    /// [`ErrorKind::NoEntry`].
    pub fn replace(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> Result<(), Error> {
        let found = self.require(name.as_ref())?;
        for number in found {
            if let Some(slot) = self.slots.get_mut(number) {
                slot.content = Some(self.additions.len());
            }
        }
        self.additions.push(source);
        self.changed = true;
        Ok(())
    }

    /// Removes each entry of this name, and returns how many there were.
    ///
    /// # Errors
    /// [`ErrorKind::NoEntry`].
    pub fn remove(&mut self, name: impl AsRef<[u8]>) -> Result<usize, Error> {
        let found = self.require(name.as_ref())?;
        for number in &found {
            self.remove_slot(*number);
        }
        Ok(found.len())
    }

    /// Removes each entry for whose name `gone` returns true, and returns how many there were.
    pub fn remove_where(&mut self, mut gone: impl FnMut(EntryName<'_>) -> bool) -> usize {
        let named = self.live_slots().map(|(number, _)| (number, self.name(number)));
        let found: Vec<_> =
            named.filter(|(_, name)| gone(EntryName::from_bytes(name))).map(|(number, _)| number).collect();
        for number in &found {
            self.remove_slot(*number);
        }
        found.len()
    }

    /// Removes the entry in row `row` of [`directory`](Self::directory), whatever its name. Use it for one of
    /// several entries with the same name, or for one whose payload is missing. Returns false if it was
    /// removed before.
    pub fn remove_row(&mut self, row: usize) -> bool {
        row < self.directory().len() && self.remove_slot(row)
    }

    /// Renames each entry of this name, and returns how many there are.
    ///
    /// # Errors
    /// [`ErrorKind::NoEntry`], [`ErrorKind::Name`], and [`ErrorKind::Duplicate`] if an entry has the new
    /// name.
    pub fn rename(&mut self, old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Result<usize, Error> {
        let (old, new) = (old.as_ref(), new.as_ref());
        let found = self.require(old)?;
        if old == new {
            return Ok(found.len());
        }
        self.check_new(new, found.first().copied().unwrap_or_default())?;
        for number in &found {
            if let Some(slot) = self.slots.get_mut(*number) {
                slot.name = Some(new.into());
                self.index.insert(new, *number);
            }
        }
        self.changed = true;
        Ok(found.len())
    }

    /// Every problem that stops [`commit`](Self::commit): more than 4 GiB ([`ErrorKind::TooLarge`]), and
    /// entries that the change would damage. Such a payload ends past the end of the archive, where new
    /// payloads go ([`ErrorKind::EntryOutside`]), or starts in the header ([`ErrorKind::EntryInHeader`]).
    #[must_use]
    pub fn check(&self) -> Vec<Error> {
        let mut problems = Vec::new();
        if !self.changed {
            return problems;
        }
        for (number, _) in self.live_slots().filter(|(_, slot)| slot.content.is_none()) {
            let Some(entry) = self.directory().entry(number) else { continue };
            if let Err(error) = entry.extent() {
                problems.push(error);
            } else if entry.stored_size() > 0 && (entry.offset() as usize) < Header::SIZE {
                problems.push(entry.error(ErrorKind::EntryInHeader { offset: entry.offset() }));
            }
        }
        let rows = self.len as u64 * self.layout().row_size() as u64;
        let size = self.opened.len().saturating_add(rows).saturating_add(self.content());
        if let Err(error) = offset(size) {
            problems.push(error);
        }
        problems.into_iter().map(|error| error.in_file(&self.path)).collect()
    }

    /// Bytes of content that a commit writes.
    fn content(&self) -> u64 {
        let wanted = self.additions.iter().zip(self.additions_wanted());
        let added = wanted.filter(|(_, slot)| slot.is_some()).map(|(source, _)| source.size());
        added.fold(0, u64::saturating_add)
    }

    /// Makes the changes. Until the end, and if the commit fails, the file is the old archive.
    ///
    /// # Errors
    /// Every problem of [`check`](Self::check), before anything is written; [`ErrorKind::ArchiveChanged`] if
    /// another program changed or replaced the archive, which stays as that program left it;
    /// [`ErrorKind::ContentChanged`] and [`ErrorKind::Io`], and the file is the old archive;
    /// [`ErrorKind::Stopped`] if `progress` stops the work; and [`ErrorKind::NotDurable`], and it is the new
    /// one.
    pub fn commit(self, progress: Option<Progress<'_>>) -> Result<Report, Error> {
        self.commit_on(&mut RealDisk, progress)
    }

    pub(super) fn commit_on(
        mut self,
        disk: &mut dyn Disk,
        progress: Option<Progress<'_>>,
    ) -> Result<Report, Error> {
        let before = self.opened.len();
        let mut report = Report { entries: self.len, before, after: before, dropped: 0 };
        if self.changed {
            let work = Work::new(self.content(), progress);
            let written = Error::refuse(self.check()).and_then(|()| self.write(disk, work));
            report.after = written.map_err(|error| error.in_file(&self.path))?;
        }
        Ok(report)
    }

    fn write(&mut self, disk: &mut dyn Disk, work: Work<'_>) -> Result<u64, Error> {
        self.opened.check_unchanged()?;
        self.opened.lock.path().parent().into_iter().for_each(atomic_file::remove_abandoned);
        let failed = |cause| Error::io(WRITE, cause);
        let appended = self.append(disk, work);
        let file = self.opened.file();
        let before = self.opened.len();
        let appended = appended.and_then(|appended| disk.sync(file).map(|()| appended).map_err(failed));
        // if no path names the file any more, the changes are lost
        let appended = appended.and_then(|appended| self.opened.check_in_place().map(|()| appended));
        let (header, after) = match appended {
            Ok(appended) => appended,
            Err(error) => {
                // a failure here is harmless: no header names the remaining bytes
                let _ = disk.set_len(file, before);
                return Err(error);
            }
        };
        if let Err(cause) = disk.write_at(file, 0, &header.encode()) {
            // part of the new header may be written, so restore the old header before removing the new rows
            let restored = disk.write_at(file, 0, &self.opened.header).and_then(|()| disk.sync(file));
            if restored.is_ok() {
                let _ = disk.set_len(file, before);
            }
            return Err(failed(cause));
        }
        disk.sync(file).map_err(Error::not_durable)?;
        self.opened.check_in_place()?;
        Ok(after)
    }

    /// Writes payloads and a new directory after the end. Returns the header for this directory, and the new
    /// size.
    fn append(&mut self, disk: &mut dyn Disk, work: Work<'_>) -> Result<(Header, u64), Error> {
        let layout = self.layout();
        let wanted = self.additions_wanted();
        let additions = std::mem::take(&mut self.additions);
        let mut payloads: Vec<Option<Payload>> = vec![None; additions.len()];
        let out = Appender::new(disk, self.opened.file(), self.opened.len());
        let mut writer = PayloadWriter::new(out, layout, self.encoding, self.opened.len(), work);
        for ((source, slot), payload) in additions.into_iter().zip(wanted).zip(&mut payloads) {
            // an addition without an entry was removed or replaced before the commit
            if let Some(slot) = slot {
                let name = self.name(slot);
                let written = writer.payload(name, source);
                *payload = Some(written.map_err(|error| of_content(error, slot, name))?);
            }
        }
        let mut rows = Vec::with_capacity(self.len * layout.row_size());
        for (number, slot) in self.live_slots() {
            let row = self.directory().entry(number).map(|entry| entry.row());
            let name = slot.name.as_deref().or(row.map(|row| row.name)).unwrap_or_default();
            let payload = slot.content.and_then(|content| payloads.get(content).copied().flatten());
            match (payload, row) {
                (Some(payload), _) => payload.row(name).encode(layout, &mut rows),
                (None, Some(row)) => Row { name, ..row }.encode(layout, &mut rows),
                (None, None) => {}
            }
        }
        writer.finish(&rows)
    }

    /// For each addition, the first entry with its content.
    fn additions_wanted(&self) -> Vec<Option<usize>> {
        let mut wanted = vec![None; self.additions.len()];
        for (number, slot) in self.live_slots() {
            if let Some(space) = slot.content.and_then(|content| wanted.get_mut(content)) {
                space.get_or_insert(number);
            }
        }
        wanted
    }

    fn live_slots(&self) -> impl Iterator<Item = (usize, &Slot)> {
        self.slots.iter().enumerate().filter(|(_, slot)| slot.live)
    }

    fn name(&self, number: usize) -> &[u8] {
        name_of(&self.opened, &self.slots, number)
    }

    /// Removes an entry; returns whether it was live.
    fn remove_slot(&mut self, number: usize) -> bool {
        let Some(slot) = self.slots.get_mut(number).filter(|slot| slot.live) else { return false };
        slot.live = false;
        self.len -= 1;
        self.changed = true;
        true
    }

    fn check_new(&self, name: &[u8], number: usize) -> Result<(), Error> {
        let kind = match writable(name, self.layout()) {
            Err(fault) => ErrorKind::Name(fault),
            Ok(()) => match self.slots_named(name).first() {
                Some(&first) => ErrorKind::Duplicate { first },
                None => return Ok(()),
            },
        };
        let error = Error::from(kind).at_entry(number, EntryName::from_bytes(name));
        Err(error.in_file(&self.path))
    }

    fn require(&self, name: &[u8]) -> Result<Vec<usize>, Error> {
        let found = self.slots_named(name);
        if found.is_empty() {
            let error = Error::from(ErrorKind::NoEntry { name: EntryName::from_bytes(name).into() });
            return Err(error.in_file(&self.path));
        }
        Ok(found)
    }

    fn slots_named(&self, name: &[u8]) -> Vec<usize> {
        let live = |number: &usize| self.slots.get(*number).is_some_and(|slot| slot.live);
        let candidates = self.index.candidates(name).filter(live);
        let mut found: Vec<_> = candidates.filter(|&number| self.name(number) == name).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn name_of<'s>(opened: &'s Opened, slots: &'s [Slot], number: usize) -> &'s [u8] {
    match slots.get(number).and_then(|slot| slot.name.as_deref()) {
        Some(name) => name,
        None => EntryName::from_field(opened.directory.name_field(number).unwrap_or_default()).as_bytes(),
    }
}

impl fmt::Debug for Editor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Editor")
            .field("path", &self.path)
            .field("layout", &self.layout())
            .field("entries", &self.len)
            .field("changed", &self.changed)
            .finish()
    }
}
