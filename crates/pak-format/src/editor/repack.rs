//! An archive written anew: without the bytes that no entry names, or in another layout.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use super::Report;
use super::disk::{Disk, DiskWriter, Opened, Purpose, RealDisk, read_at, read_into};
use crate::archive::{Entry, join};
use crate::builder::{CHUNK, Compression, Packing, Payload, PayloadWriter, Source, WRITE, offset};
use crate::daikatana::EncodeOptions;
use crate::error::{Error, ErrorKind};
use crate::layout::{Header, Layout, Row};
use crate::name::NameFault;

/// What to make of an archive, and where.
#[derive(Clone, Default)]
pub struct RepackOptions<'a> {
    /// Where the new archive goes; `None` replaces the old one.
    pub output: Option<PathBuf>,
    /// Whether `output` may be there already, and is then replaced.
    pub overwrite: bool,
    /// The layout of the old archive; `None` tells it from its bytes.
    pub read_as: Option<Layout>,
    /// The layout of the new archive; `None` keeps that of the old one.
    pub layout: Option<Layout>,
    /// Which entries are compressed if the layout changes to one that can.
    pub compression: Compression,
    /// How they are compressed.
    pub encoding: EncodeOptions,
    /// Do everything but write: what would be wrong is told, and the report is exact.
    pub dry_run: bool,
    /// Called now and then with the bytes of content that are done, and with all there are.
    /// [`ControlFlow::Break`] ends the work with [`ErrorKind::Stopped`], as if it had not been begun.
    pub progress: Option<&'a dyn Fn(u64, u64) -> ControlFlow<()>>,
}

impl fmt::Debug for RepackOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepackOptions")
            .field("output", &self.output)
            .field("overwrite", &self.overwrite)
            .field("read_as", &self.read_as)
            .field("layout", &self.layout)
            .field("compression", &self.compression)
            .field("encoding", &self.encoding)
            .field("dry_run", &self.dry_run)
            .finish_non_exhaustive()
    }
}

/// Writes an archive anew, without the bytes that no entry names.
///
/// It is written to a temporary file beside its place and moved there once it is whole and on the disk. Entries
/// keep their order, their names to the byte, and the payloads that they share. A file that is replaced keeps its
/// mode, its owner where that is permitted, and the symbolic links that lead to it.
///
/// With another layout, compressed payloads are decoded or content is compressed; otherwise payloads are copied
/// as they are.
///
/// Fails with everything that stands in the way before any file is changed: payloads that are not there
/// ([`ErrorKind::EntryOutside`]), are damaged ([`ErrorKind::Codec`], [`ErrorKind::Expansion`]; only where they have to
/// be decoded) or have names too long for the new layout ([`ErrorKind::Name`]), and more than 4 GiB
/// ([`ErrorKind::TooLarge`]). Fails with [`ErrorKind::Locked`] where an [`Editor`](super::Editor) has the archive
/// open, and with [`ErrorKind::Io`].
///
/// ```
/// use pak_format::{Archive, Builder, Editor, Layout, RepackOptions, repack};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pak0.pak");
/// # let mut builder = Builder::new(Layout::Quake);
/// # builder.add("autoexec.cfg", "sensitivity 3\n")?;
/// # builder.add("maps/start.bsp", [7; 1000])?;
/// # std::fs::write(&path, builder.finish()?)?;
///
/// let mut editor = Editor::open(&path)?;
/// editor.remove("maps/start.bsp")?;
/// editor.commit()?;
/// let report = repack(&path, &RepackOptions::default())?;
/// // the payload, and the two rows that the directory had before
/// assert_eq!(report.dropped, 1000 + 2 * 64);
/// assert_eq!(report.after, 12 + 14 + 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn repack(path: impl AsRef<Path>, options: &RepackOptions<'_>) -> Result<Report, Error> {
    repack_on(path.as_ref(), options, &mut RealDisk)
}

pub(super) fn repack_on(
    path: &Path,
    options: &RepackOptions<'_>,
    disk: &mut dyn Disk,
) -> Result<Report, Error> {
    Target::of(path, options)
        .and_then(|target| {
            let purpose = if target.replaces_source { Purpose::Change } else { Purpose::Read };
            let opened = Opened::open(path, purpose, options.read_as)?;
            Plan::of(&opened, options)?.carry_out(&target, disk)
        })
        .map_err(|error| error.in_archive(path.display().to_string()))
}

const OUTPUT: &str = "write the output";

/// Where the new archive goes.
struct Target {
    path: PathBuf,
    /// The file that is there now, if it may be replaced.
    replaced: Option<Metadata>,
    replaces_source: bool,
}

impl Target {
    fn of(source: &Path, options: &RepackOptions<'_>) -> Result<Target, Error> {
        let failed = |cause| Error::io(OUTPUT, cause);
        let path = options.output.as_deref().unwrap_or(source);
        let resolved = match fs::canonicalize(path) {
            Ok(resolved) => resolved,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound && options.output.is_some() => {
                return Ok(Target { path: path.to_owned(), replaced: None, replaces_source: false });
            }
            Err(cause) if options.output.is_some() => return Err(failed(cause)),
            Err(cause) => return Err(Error::io("open the archive", cause)),
        };
        if options.output.is_some() && !options.overwrite {
            return Err(failed(io::ErrorKind::AlreadyExists.into()));
        }
        let metadata = fs::metadata(&resolved).map_err(failed)?;
        if !metadata.is_file() {
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
        }
        let replaces_source = fs::canonicalize(source).is_ok_and(|source| source == resolved);
        Ok(Target { path: resolved, replaced: Some(metadata), replaces_source })
    }

    fn folder(&self) -> &Path {
        let folder = self.path.parent().unwrap_or(&self.path);
        if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
    }
}

/// What has to be done, once it is known that it can be.
struct Plan<'p> {
    opened: &'p Opened,
    options: &'p RepackOptions<'p>,
    layout: Layout,
    /// What is copied as it is: extents of the old archive, and where each starts in the new one. Payloads that
    /// touch or overlap are one, so that nothing is copied twice.
    regions: Vec<(Range<u64>, u64)>,
    /// Bytes of the old archive that nothing names.
    dropped: u64,
    /// Bytes of content, for whoever waits.
    work: u64,
}

/// What tells one payload that is not copied as it is from another.
type Key = (u32, u32, u32);

fn key(entry: &Entry<'_>) -> Key {
    (entry.offset(), entry.stored_size(), entry.size())
}

impl<'p> Plan<'p> {
    fn of(opened: &'p Opened, options: &'p RepackOptions<'p>) -> Result<Plan<'p>, Error> {
        let layout = options.layout.unwrap_or(opened.directory.layout());
        let mut plan =
            Plan { opened, options, layout, regions: Vec::new(), dropped: 0, work: Header::SIZE as u64 };
        let mut problems = Vec::new();
        let (mut copied, mut named) = (Vec::new(), Vec::new());
        let mut recoded = HashMap::new();
        for entry in opened.directory.entries() {
            if let Err(fault) = plan.name(&entry) {
                problems.push(Error::from(ErrorKind::Name(fault)).at_entry(entry.index(), entry.name()));
            }
            let is_recoded = plan.recodes(&entry);
            let checked = if is_recoded { entry.check() } else { Ok(()) };
            match checked.and_then(|()| entry.extent()) {
                Ok(extent) if extent.is_empty() => {}
                Ok(extent) => {
                    named.push(extent.clone());
                    if is_recoded {
                        recoded.insert(key(&entry), entry.size());
                    } else {
                        copied.push(extent);
                    }
                }
                Err(error) => problems.push(error),
            }
        }
        join(&mut copied);
        for extent in copied {
            let length = extent.end - extent.start;
            plan.regions.push((extent, plan.work));
            plan.work += length;
        }
        plan.work += recoded.values().copied().map(u64::from).sum::<u64>();
        let rows = opened.directory.len() as u64 * layout.row_size() as u64;
        if let Err(error) = offset(plan.work + rows) {
            problems.push(error);
        }
        Error::refuse(problems)?;
        plan.dropped = opened.len() - plan.used(named);
        Ok(plan)
    }

    /// Bytes that are header, directory or payload.
    fn used(&self, mut named: Vec<Range<u64>>) -> u64 {
        named.push(0..Header::SIZE as u64);
        let directory =
            Header::parse(&self.opened.header).and_then(|header| header.directory_range(self.opened.len()));
        named.extend(directory);
        join(&mut named);
        named.iter().map(|extent| extent.end - extent.start).sum()
    }

    /// Whether the payload is decoded, or compressed if that helps.
    fn recodes(&self, entry: &Entry<'_>) -> bool {
        match (self.opened.directory.layout().compresses(), self.layout.compresses()) {
            (true, false) => entry.is_compressed(),
            (false, true) => self.options.compression.applies_to(entry.name().as_bytes()),
            _ => false,
        }
    }

    /// The name, with all that follows it where the field is as wide as it was.
    fn name<'e>(&self, entry: &Entry<'e>) -> Result<&'e [u8], NameFault> {
        let name = entry.name().as_bytes();
        if self.layout.name_width() == self.opened.directory.layout().name_width() {
            Ok(entry.row().name)
        } else if name.len() < self.layout.name_width() {
            Ok(name)
        } else {
            Err(NameFault::TooLong)
        }
    }

    fn carry_out(&self, target: &Target, disk: &mut dyn Disk) -> Result<Report, Error> {
        let written = |after| Report {
            entries: self.opened.directory.len(),
            before: self.opened.len(),
            after,
            dropped: self.dropped,
        };
        if self.options.dry_run {
            return self.write(io::sink()).map(|(_, after)| written(after));
        }
        let failed = |cause| Error::io(OUTPUT, cause);
        let temporary = disk.temporary(target.folder()).map_err(failed)?;
        let file = temporary.as_file();
        let (header, after) = self.write(DiskWriter::new(disk, file, 0))?;
        disk.write_at(file, 0, &header.encode()).map_err(failed)?;
        keep_attributes(file, target.replaced.as_ref(), &self.opened.metadata).map_err(failed)?;
        disk.sync(file).map_err(failed)?;
        self.opened.check_unchanged()?;
        disk.persist(temporary, &target.path, target.replaced.is_some()).map_err(failed)?;
        let lost = |cause| Error::io("make sure that the new archive survives a power cut", cause);
        disk.sync_folder(target.folder()).map_err(lost)?;
        Ok(written(after))
    }

    /// Writes all of it, with zeros for the header that it gives.
    fn write(&self, out: impl Write) -> Result<(Header, u64), Error> {
        let packing =
            Packing { compression: self.options.compression.clone(), encoding: self.options.encoding };
        let mut writer = PayloadWriter::new(out, self.layout, packing, 0);
        writer.raw(&[0; Header::SIZE])?;
        let mut chunk = Vec::new();
        for (extent, _) in &self.regions {
            let mut start = extent.start;
            while start < extent.end {
                let length = (extent.end - start).min(CHUNK as u64);
                read_into(&self.opened.file, start, length, &mut chunk)?;
                writer.raw(&chunk)?;
                start += length;
                self.progress(writer.position())?;
            }
        }
        let mut problems = Vec::new();
        let mut recoded = HashMap::new();
        let mut done = writer.position();
        let mut rows = Vec::with_capacity(self.opened.directory.len() * self.layout.row_size());
        for entry in self.opened.directory.entries() {
            let name = self.name(&entry).map_err(ErrorKind::Name)?;
            if !self.recodes(&entry) {
                self.copied(&entry, name)?.encode(self.layout, &mut rows);
                continue;
            }
            let payload = match recoded.get(&key(&entry)) {
                Some(payload) => *payload,
                None => match self.recode(&entry, &mut writer)? {
                    Ok(payload) => {
                        done += u64::from(entry.size());
                        self.progress(done)?;
                        recoded.insert(key(&entry), payload);
                        payload
                    }
                    Err(damage) => {
                        problems.push(damage);
                        continue;
                    }
                },
            };
            payload.row(name).encode(self.layout, &mut rows);
        }
        Error::refuse(problems)?;
        let directory_offset = offset(writer.position())?;
        let directory_size = offset(rows.len() as u64)?;
        writer.raw(&rows)?;
        let end = writer.position();
        writer.into_inner().flush().map_err(|cause| Error::io(WRITE, cause))?;
        Ok((Header { magic: self.layout.magic(), directory_offset, directory_size }, end))
    }

    /// The row of an entry whose payload is in a region.
    fn copied<'n>(&self, entry: &Entry<'_>, name: &'n [u8]) -> Result<Row<'n>, Error> {
        let old = entry.row();
        let start = u64::from(old.offset);
        let region = self.regions.partition_point(|(extent, _)| extent.start <= start).checked_sub(1);
        let found = region.and_then(|region| self.regions.get(region)).filter(|_| old.stored_size() > 0);
        let moved = match found {
            Some((extent, at)) => offset(at + (start - extent.start))?,
            // no bytes are anywhere
            None => offset(Header::SIZE as u64)?,
        };
        let row = Row { name, offset: moved, ..old };
        let same_fields = self.opened.directory.layout().compresses() && self.layout.compresses();
        Ok(if same_fields { row } else { Row { compressed_size: row.size, compression: 0, ..row } })
    }

    /// Decodes or encodes a payload; damage is told apart from what ends the work.
    fn recode(
        &self,
        entry: &Entry<'_>,
        writer: &mut PayloadWriter<impl Write>,
    ) -> Result<Result<Payload, Error>, Error> {
        let extent = entry.extent()?;
        let stored = read_at(&self.opened.file, extent.start, extent.end - extent.start)?;
        match entry.decode(&stored) {
            Ok(content) => writer.payload(entry.name().as_bytes(), Source::bytes(content)).map(Ok),
            Err(damage) => Ok(Err(damage)),
        }
    }

    fn progress(&self, done: u64) -> Result<(), Error> {
        match self.options.progress.map(|progress| progress(done, self.work)) {
            Some(ControlFlow::Break(())) => Err(ErrorKind::Stopped.into()),
            _ => Ok(()),
        }
    }
}

/// Gives a new file what the one in its place has; beside it, the mode of the one that it was made of.
fn keep_attributes(file: &File, replaced: Option<&Metadata>, source: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(replaced) = replaced {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let (user, group) = (Some(replaced.uid()), Some(replaced.gid()));
        // only root may give a file away; a group that one is in, anybody may set
        if fchown(file, user, group).is_err() {
            let _ = fchown(file, None, group);
        }
    }
    // last, since a change of owner takes bits of the mode
    file.set_permissions(replaced.unwrap_or(source).permissions())
}
