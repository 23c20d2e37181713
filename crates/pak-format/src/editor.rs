//! Changing an archive on disk: add, replace, remove and rename behind its end, and repacking.

mod disk;
#[cfg(test)]
#[cfg(unix)]
mod faults;
mod repack;

use std::collections::HashMap;
use std::fmt;
use std::io::Write as _;
use std::path::Path;

use self::disk::{Disk, DiskWriter, Opened, Purpose, RealDisk};
pub use self::repack::{RepackOptions, repack};
use crate::archive::Directory;
use crate::builder::{Compression, Packing, Payload, PayloadWriter, Source, WRITE, of_content, offset};
use crate::daikatana::EncodeOptions;
use crate::error::{Error, ErrorKind};
use crate::layout::{Header, Layout, Row};
use crate::name::{self, EntryName};

/// What became of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Entries that it has now.
    pub entries: usize,
    /// Bytes that the file had.
    pub before: u64,
    /// Bytes that it has now.
    pub after: u64,
    /// Bytes that no entry named and that are gone. Only a repack drops any.
    pub dropped: u64,
}

/// Adds, replaces, removes and renames entries of a file, all at once or not at all.
///
/// [`commit`](Self::commit) writes new payloads and a new directory behind the end of the file, and then changes the
/// header to name that directory: until then, the file is the old archive. The cost grows with what is added and
/// the number of entries, not with the archive. Bytes that no entry names any more stay until [`repack`].
///
/// While an editor lives, the file is locked: a second one is refused with [`ErrorKind::Locked`]. Unix does not
/// hold programs to that that do not ask, so the file is compared with what was read before it is changed. On
/// Windows other programs cannot even read it meanwhile.
///
/// The same name may be there more than once; what is done to a name is done to each of its entries. Rows that
/// nothing is done to are kept to the byte, whatever their names are and whatever follows them.
///
/// ```
/// use pak_format::{Archive, Builder, Editor, Layout, Source};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pak0.pak");
/// # let mut builder = Builder::new(Layout::Quake);
/// # builder.add("autoexec.cfg", "sensitivity 3\n")?;
/// # std::fs::write(&path, builder.finish()?)?;
///
/// let mut editor = Editor::open(&path)?;
/// editor.rename("autoexec.cfg", "default.cfg")?;
/// editor.add("maps/start.bsp", Source::bytes(b"a level"))?;
/// editor.commit()?;
///
/// let archive = Archive::parse(std::fs::read(&path)?)?;
/// let names: Vec<_> = archive.entries().map(|entry| entry.name().to_string()).collect();
/// assert_eq!(names, ["default.cfg", "maps/start.bsp"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Editor<'a> {
    opened: Opened,
    shown: String,
    packing: Packing,
    slots: Vec<Slot>,
    /// Entries that are not removed.
    len: usize,
    additions: Vec<Source<'a>>,
    index: Index,
    changed: bool,
}

/// An entry: the row of the same number as it was opened, or one behind the last.
struct Slot {
    live: bool,
    /// The name, if not that of the row.
    name: Option<Box<[u8]>>,
    /// The number of the addition that is its content, if not that of the row.
    content: Option<usize>,
}

/// Slots by name, made when it pays: a few lookups among many rows cost less without.
#[derive(Default)]
struct Index {
    lookups: usize,
    names: Option<HashMap<Box<[u8]>, Vec<usize>>>,
}

const LOOKUPS_WITHOUT_INDEX: usize = 4;

impl<'a> Editor<'a> {
    /// Opens an archive for changes, telling its layout from its bytes, and locks it.
    ///
    /// Fails as [`Archive::parse`](crate::Archive::parse) does, and with [`ErrorKind::Locked`] or
    /// [`ErrorKind::Io`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path.as_ref(), None)
    }

    /// Opens an archive of a layout that the caller knows. Fails with [`ErrorKind::WrongMagic`] too.
    pub fn open_as(path: impl AsRef<Path>, layout: Layout) -> Result<Self, Error> {
        Self::open_with(path.as_ref(), Some(layout))
    }

    fn open_with(path: &Path, layout: Option<Layout>) -> Result<Self, Error> {
        let shown = path.display().to_string();
        let opened = Opened::open(path, Purpose::Change, layout).map_err(|error| error.in_archive(&shown))?;
        let len = opened.directory.len();
        let slots = (0..len).map(|_| Slot { live: true, name: None, content: None }).collect();
        let (packing, additions, index) = (Packing::default(), Vec::new(), Index::default());
        Ok(Editor { opened, shown, packing, slots, len, additions, index, changed: false })
    }

    /// Which of the added entries are compressed, if the layout can. The default is Ion Storm's choice.
    pub fn compression(&mut self, compression: Compression) -> &mut Self {
        self.packing.compression = compression;
        self
    }

    /// How they are compressed.
    pub fn encoding(&mut self, options: EncodeOptions) -> &mut Self {
        self.packing.encoding = options;
        self
    }

    /// The layout of the archive.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.opened.directory.layout()
    }

    /// The rows as they are on disk.
    #[must_use]
    pub fn directory(&self) -> &Directory<Vec<u8>> {
        &self.opened.directory
    }

    /// The names as they will be, in the order of the rows.
    pub fn names(&self) -> impl Iterator<Item = EntryName<'_>> {
        self.live_slots().map(|(number, _)| EntryName::from_bytes(self.name(number)))
    }

    /// How many entries there will be.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there will be no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether there is anything to commit.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Whether there will be an entry of this name, byte for byte.
    pub fn contains(&mut self, name: impl AsRef<[u8]>) -> bool {
        !self.slots_named(name.as_ref()).is_empty()
    }

    /// Adds an entry behind the last.
    ///
    /// Fails with [`ErrorKind::Name`] where [`name::writable`] does, and with [`ErrorKind::Duplicate`].
    pub fn add(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> Result<(), Error> {
        let name = name.as_ref();
        self.check_new(name, self.slots.len())?;
        self.index.insert(name, vec![self.slots.len()]);
        self.slots.push(Slot { live: true, name: Some(name.into()), content: Some(self.additions.len()) });
        self.additions.push(source);
        self.len += 1;
        self.changed = true;
        Ok(())
    }

    /// Gives the entry of this name, or each if there are more, another content. It keeps its place.
    ///
    /// Fails with [`ErrorKind::NoEntry`].
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

    /// Removes the entry of this name, or each if there are more, and says how many.
    ///
    /// Fails with [`ErrorKind::NoEntry`].
    pub fn remove(&mut self, name: impl AsRef<[u8]>) -> Result<usize, Error> {
        let found = self.require(name.as_ref())?;
        self.index.remove(name.as_ref());
        for number in &found {
            self.kill(*number);
        }
        Ok(found.len())
    }

    /// Removes each entry whose name it says so of, and says how many.
    pub fn remove_where(&mut self, mut gone: impl FnMut(EntryName<'_>) -> bool) -> usize {
        let named = self.live_slots().map(|(number, _)| (number, self.name(number)));
        let found: Vec<_> =
            named.filter(|(_, name)| gone(EntryName::from_bytes(name))).map(|(number, _)| number).collect();
        self.index = Index::default();
        for number in &found {
            self.kill(*number);
        }
        found.len()
    }

    /// Removes the entry in row `row` of [`directory`](Self::directory), whatever its name: one of many of the same
    /// name, or one whose payload is not there. Says whether it was still there.
    pub fn remove_row(&mut self, row: usize) -> bool {
        let there = row < self.directory().len() && self.slots.get(row).is_some_and(|slot| slot.live);
        if there {
            let Editor { opened, slots, index, .. } = self;
            index.remove_one(name_of(opened, slots, row), row);
            self.kill(row);
        }
        there
    }

    /// Gives the entry of this name, or each if there are more, another name, and says how many.
    ///
    /// Fails with [`ErrorKind::NoEntry`], [`ErrorKind::Name`], and with [`ErrorKind::Duplicate`] if the new name is taken.
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
            }
        }
        self.changed = true;
        let count = found.len();
        self.index.remove(old);
        self.index.insert(new, found);
        Ok(count)
    }

    /// Everything that [`commit`](Self::commit) would refuse: an archive of more than 4 GiB
    /// ([`ErrorKind::TooLarge`]), and entries that a change would spoil: payloads that end past the end, where new
    /// ones are written ([`ErrorKind::EntryOutside`]), or lie in the header ([`ErrorKind::EntryInHeader`]).
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
                let kind = ErrorKind::EntryInHeader { offset: entry.offset() };
                problems.push(Error::from(kind).at_entry(number, entry.name()));
            }
        }
        let rows = self.len as u64 * self.layout().row_size() as u64;
        let wanted = self.additions.iter().zip(self.additions_wanted());
        let added = wanted.filter(|(_, slot)| slot.is_some()).map(|(source, _)| source.size());
        let size = added.fold(self.opened.len().saturating_add(rows), u64::saturating_add);
        if let Err(error) = offset(size) {
            problems.push(error);
        }
        problems.into_iter().map(|error| error.in_archive(&self.shown)).collect()
    }

    /// Makes the changes. Until it is done, the file is the old archive; if it fails, it stays so.
    ///
    /// Fails with all of [`check`](Self::check) and with [`ErrorKind::ArchiveChanged`] before anything is written,
    /// and with [`ErrorKind::ContentChanged`] or [`ErrorKind::Io`].
    pub fn commit(self) -> Result<Report, Error> {
        self.commit_on(&mut RealDisk)
    }

    fn commit_on(mut self, disk: &mut dyn Disk) -> Result<Report, Error> {
        let before = self.opened.len();
        let mut report = Report { entries: self.len, before, after: before, dropped: 0 };
        if self.changed {
            Error::refuse(self.check()).map_err(|error| error.in_archive(&self.shown))?;
            report.after = self.write(disk).map_err(|error| error.in_archive(&self.shown))?;
        }
        Ok(report)
    }

    fn write(&mut self, disk: &mut dyn Disk) -> Result<u64, Error> {
        self.opened.check_unchanged()?;
        let failed = |cause| Error::io(WRITE, cause);
        let appended = self.append(disk);
        let file = &self.opened.file;
        let before = self.opened.len();
        let appended = appended.and_then(|appended| disk.sync(file).map(|()| appended).map_err(failed));
        let (header, after) = match appended {
            Ok(appended) => appended,
            Err(error) => {
                // whatever is left there, no header names it
                let _ = disk.set_len(file, before);
                return Err(error);
            }
        };
        if let Err(cause) = disk.write_at(file, 0, &header.encode()) {
            // nobody knows how much of it was written: the new rows may go only behind the old header
            let restored = disk.write_at(file, 0, &self.opened.header).and_then(|()| disk.sync(file));
            if restored.is_ok() {
                let _ = disk.set_len(file, before);
            }
            return Err(failed(cause));
        }
        let lost = |cause| Error::io("make sure that the changed archive survives a power cut", cause);
        disk.sync(file).map_err(lost)?;
        Ok(after)
    }

    /// Writes payloads and rows behind the end, and gives the header that names them.
    fn append(&mut self, disk: &mut dyn Disk) -> Result<(Header, u64), Error> {
        let layout = self.layout();
        let wanted = self.additions_wanted();
        let additions = std::mem::take(&mut self.additions);
        let mut payloads: Vec<Option<Payload>> = vec![None; additions.len()];
        let out = DiskWriter::new(disk, &self.opened.file, self.opened.len());
        let mut writer = PayloadWriter::new(out, layout, self.packing.clone(), self.opened.len());
        for ((source, slot), payload) in additions.into_iter().zip(wanted).zip(&mut payloads) {
            // what no entry wants any more was removed or replaced since
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
        let directory_offset = offset(writer.position())?;
        let directory_size = offset(rows.len() as u64)?;
        writer.raw(&rows)?;
        let end = writer.position();
        writer.into_inner().flush().map_err(|cause| Error::io(WRITE, cause))?;
        Ok((Header { magic: layout.magic(), directory_offset, directory_size }, end))
    }

    /// For each addition, the first entry that it is the content of.
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

    fn kill(&mut self, number: usize) {
        if let Some(slot) = self.slots.get_mut(number) {
            slot.live = false;
            self.len -= 1;
            self.changed = true;
        }
    }

    fn check_new(&mut self, name: &[u8], number: usize) -> Result<(), Error> {
        let kind = match name::writable(name, self.layout()) {
            Err(fault) => ErrorKind::Name(fault),
            Ok(()) => match self.slots_named(name).first() {
                Some(&first) => ErrorKind::Duplicate { first },
                None => return Ok(()),
            },
        };
        let error = Error::from(kind).at_entry(number, EntryName::from_bytes(name));
        Err(error.in_archive(&self.shown))
    }

    fn require(&mut self, name: &[u8]) -> Result<Vec<usize>, Error> {
        let found = self.slots_named(name);
        if found.is_empty() {
            let error = Error::from(ErrorKind::NoEntry { name: name.to_vec() });
            return Err(error.in_archive(&self.shown));
        }
        Ok(found)
    }

    fn slots_named(&mut self, name: &[u8]) -> Vec<usize> {
        self.index.lookups += 1;
        if self.index.names.is_none() && self.index.lookups > LOOKUPS_WITHOUT_INDEX {
            let mut names: HashMap<Box<[u8]>, Vec<usize>> = HashMap::with_capacity(self.len);
            for (number, _) in self.live_slots() {
                let name = self.name(number);
                match names.get_mut(name) {
                    Some(slots) => slots.push(number),
                    None => drop(names.insert(name.into(), vec![number])),
                }
            }
            self.index.names = Some(names);
        }
        if let Some(names) = &self.index.names {
            return names.get(name).cloned().unwrap_or_default();
        }
        let live = self.live_slots().map(|(number, _)| number);
        live.filter(|number| self.name(*number) == name).collect()
    }
}

fn name_of<'s>(opened: &'s Opened, slots: &'s [Slot], number: usize) -> &'s [u8] {
    match slots.get(number).and_then(|slot| slot.name.as_deref()) {
        Some(name) => name,
        None => EntryName::from_field(opened.directory.name_field(number).unwrap_or_default()).as_bytes(),
    }
}

impl Index {
    fn insert(&mut self, name: &[u8], slots: Vec<usize>) {
        if let Some(names) = &mut self.names {
            names.insert(name.into(), slots);
        }
    }

    fn remove(&mut self, name: &[u8]) {
        if let Some(names) = &mut self.names {
            names.remove(name);
        }
    }

    fn remove_one(&mut self, name: &[u8], slot: usize) {
        if let Some(slots) = self.names.as_mut().and_then(|names| names.get_mut(name)) {
            slots.retain(|&found| found != slot);
        }
    }
}

impl fmt::Debug for Editor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Editor")
            .field("path", &self.opened.path)
            .field("layout", &self.layout())
            .field("entries", &self.len)
            .field("changed", &self.changed)
            .finish()
    }
}
