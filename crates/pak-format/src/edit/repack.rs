//! Writes an archive again, without unused bytes or in another layout.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Seek as _, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use atomic_file::{AtomicFile, Disk, RealDisk, find_target};

use crate::archive::{Entry, ParseOptions, join};
use crate::daikatana::EncodeOptions;
use crate::edit::opened::{Opened, Purpose, read_at, read_into};
use crate::edit::report::Report;
use crate::entry_name::NameFault;
use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::record::{Header, Row};
use crate::write::{
    CHUNK, Payload, PayloadWriter, Progress, Source, WRITE, Work, commit, compresses, not_opened, offset,
    replacing,
};

/// The options of [`repack`]. By default it replaces the archive and keeps its layout.
#[derive(Clone, Default)]
pub struct RepackOptions<'a> {
    /// The path of the new archive; `None` replaces the old one.
    pub output: Option<PathBuf>,
    /// Whether to replace a file at `output`. If false, such a file is an error.
    pub overwrite: bool,
    /// Options for reading the old archive.
    pub read_as: ParseOptions,
    /// The layout of the new archive; `None` keeps the old layout.
    pub layout: Option<Layout>,
    /// Options of the compression.
    pub encoding: EncodeOptions,
    /// Whether to write nothing, but return the same errors and the same report.
    pub dry_run: bool,
    /// Called now and then while the archive is written.
    pub progress: Option<Progress<'a>>,
}

impl fmt::Debug for RepackOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepackOptions")
            .field("output", &self.output)
            .field("overwrite", &self.overwrite)
            .field("read_as", &self.read_as)
            .field("layout", &self.layout)
            .field("encoding", &self.encoding)
            .field("dry_run", &self.dry_run)
            .finish_non_exhaustive()
    }
}

/// Writes an archive again, without unused bytes.
///
/// The new archive is written completely or not at all. Entries keep their order and their exact names, and
/// still share payloads. A replaced file keeps its mode, its owner if the system permits, and the symbolic
/// links to it.
///
/// Payloads are copied unchanged. Only a conversion to another layout decodes or compresses them.
///
/// # Errors
/// Every problem is reported before any file is changed: a missing payload ([`ErrorKind::EntryOutside`]), a
/// payload that has to be decoded but is damaged ([`ErrorKind::Codec`], [`ErrorKind::Expansion`]), a name too
/// long for the new layout ([`ErrorKind::Name`]), and more than 4 GiB ([`ErrorKind::TooLarge`]). An archive
/// that an [`Editor`](crate::Editor) has open is [`ErrorKind::Locked`]. After [`ErrorKind::Io`],
/// [`ErrorKind::Stopped`] and [`ErrorKind::ArchiveChanged`], all files are unchanged. After
/// [`ErrorKind::NotDurable`], the new archive is in place.
///
/// ```
/// use pak_format::{Editor, RepackOptions, repack};
/// # let folder = testutils::game("pak0.pak: autoexec.cfg=echo maps/start.bsp=level");
/// # let path = folder.join("pak0.pak");
///
/// let mut editor = Editor::open(&path)?;
/// editor.remove("maps/start.bsp")?;
/// editor.commit(None)?;
/// let report = repack(&path, &RepackOptions::default())?;
/// // the payload, and the two rows that the directory had before
/// assert_eq!(report.dropped, 5 + 2 * 64);
/// assert_eq!(report.after, 12 + 4 + 64);
/// # Ok::<(), pak_format::Error>(())
/// ```
pub fn repack(path: impl AsRef<Path>, options: &RepackOptions<'_>) -> Result<Report, Error> {
    repack_on(path.as_ref(), options, &mut RealDisk)
}

pub(super) fn repack_on(
    path: &Path,
    options: &RepackOptions<'_>,
    disk: &mut dyn Disk,
) -> Result<Report, Error> {
    let output = options.output.as_deref().unwrap_or(path);
    let purpose = purpose(path, options).map_err(|error| error.in_file(output))?;
    let opened = Opened::open(path, purpose, &options.read_as).map_err(|error| error.in_file(path))?;
    let carried_out = Plan::of(&opened, options).and_then(|plan| plan.carry_out(output, disk));
    // some disks on Windows cannot replace an open file: from here on only the new file has the lock
    drop(opened);
    let committed = carried_out.and_then(|(report, file)| match file {
        Some(file) => commit(file, OUTPUT).map(|()| report),
        None => Ok(report),
    });
    committed.map_err(|error| {
        let of_output = matches!(
            error.kind(),
            ErrorKind::Io { doing: OUTPUT | WRITE, .. } | ErrorKind::NotDurable { .. }
        );
        if of_output { error.in_file(output) } else { error.in_file(path) }
    })
}

const OUTPUT: &str = "write the output";

/// How to open the old archive: for a change, if the new one replaces it.
fn purpose(source: &Path, options: &RepackOptions<'_>) -> Result<Purpose, Error> {
    let Some(output) = options.output.as_deref() else { return Ok(Purpose::Change) };
    let target =
        find_target(output, &replacing(options.overwrite)).map_err(|cause| Error::io(OUTPUT, cause))?;
    let same = |source: PathBuf| target.canonicalize().is_ok_and(|target| target == source);
    Ok(if fs::canonicalize(source).is_ok_and(same) { Purpose::Change } else { Purpose::Read })
}

/// The remaining work after all checks have passed.
struct Plan<'p> {
    opened: &'p Opened,
    options: &'p RepackOptions<'p>,
    layout: Layout,
    /// Extents of the old archive to copy, and the new offset of each. Payloads that touch or overlap are one
    /// extent, so no byte is copied twice.
    regions: Vec<(Range<u64>, u64)>,
    /// Unused bytes of the old archive.
    dropped: u64,
    /// Bytes of content to write.
    content: u64,
}

/// A payload to decode or compress: its offset, stored size and size.
type Key = (u32, u32, u32);

fn key(entry: &Entry<'_>) -> Key {
    (entry.offset(), entry.stored_size(), entry.size())
}

impl<'p> Plan<'p> {
    fn of(opened: &'p Opened, options: &'p RepackOptions<'p>) -> Result<Plan<'p>, Error> {
        let layout = options.layout.unwrap_or(opened.directory.layout());
        let mut plan = Plan { opened, options, layout, regions: Vec::new(), dropped: 0, content: 0 };
        let mut problems = Vec::new();
        let (mut copied, mut named) = (Vec::new(), Vec::new());
        let mut recoded = HashMap::new();
        for entry in opened.directory.entries() {
            if let Err(fault) = plan.name(&entry) {
                problems.push(entry.error(ErrorKind::Name(fault)));
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
            plan.regions.push((extent, Header::SIZE as u64 + plan.content));
            plan.content += length;
        }
        plan.content += recoded.values().copied().map(u64::from).sum::<u64>();
        let rows = opened.directory.len() as u64 * layout.row_size() as u64;
        if let Err(error) = offset(Header::SIZE as u64 + plan.content + rows) {
            problems.push(error);
        }
        Error::refuse(problems)?;
        plan.dropped = opened.len() - plan.used(named);
        Ok(plan)
    }

    /// The number of bytes that belong to the header, the directory or a payload.
    fn used(&self, mut named: Vec<Range<u64>>) -> u64 {
        named.push(0..Header::SIZE as u64);
        let directory = &self.opened.directory;
        let whole_rows = directory.len() as u64 * directory.layout().row_size() as u64;
        named.extend(self.opened.directory_range().map(|range| range.start..range.start + whole_rows));
        join(&mut named);
        named.iter().map(|extent| extent.end - extent.start).sum()
    }

    /// Whether the payload is decoded, or would be compressed if that makes it smaller.
    fn recodes(&self, entry: &Entry<'_>) -> bool {
        match (self.opened.directory.layout().compresses(), self.layout.compresses()) {
            (true, false) => entry.is_compressed(),
            (false, true) => compresses(entry.name().as_bytes()),
            _ => false,
        }
    }

    /// The name for the new row. If the new field has the same width, it is the whole field, with the bytes
    /// after the NUL.
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

    /// Writes and flushes the new archive, without the commit.
    fn carry_out<D: Disk>(&self, output: &Path, disk: D) -> Result<(Report, Option<AtomicFile<D>>), Error> {
        let written = |after| Report {
            entries: self.opened.directory.len(),
            before: self.opened.len(),
            after,
            dropped: self.dropped,
        };
        if self.options.dry_run {
            return self.write(io::sink()).map(|(_, after)| (written(after), None));
        }
        let failed = |cause| Error::io(OUTPUT, cause);
        let replaces = self.options.output.is_none() || self.options.overwrite;
        // if the output is another file, the old archive stays locked while it is read
        let lock = matches!(self.opened.purpose, Purpose::Change).then(|| self.opened.lock.clone());
        let options = replacing(replaces).attributes_of(self.opened.metadata.clone()).lock(lock);
        let mut file =
            AtomicFile::create_on(disk, output, &options).map_err(|cause| not_opened(OUTPUT, cause))?;
        let (header, after) = self.write(BufWriter::with_capacity(CHUNK, &mut file))?;
        file.rewind().and_then(|()| file.write_all(&header.encode())).map_err(failed)?;
        // check after the flush, because the flush can take long
        file.prepare().map_err(failed)?;
        self.opened.check_unchanged()?;
        Ok((written(after), Some(file)))
    }

    /// Writes the archive with a header of zeros, and returns the real header and the size.
    fn write(&self, out: impl Write) -> Result<(Header, u64), Error> {
        let work = Work::new(self.content, self.options.progress);
        let mut writer = PayloadWriter::new(out, self.layout, self.options.encoding, 0, work);
        writer.raw(&[0; Header::SIZE])?;
        let mut chunk = Vec::new();
        for (extent, _) in &self.regions {
            let mut start = extent.start;
            while start < extent.end {
                let length = (extent.end - start).min(CHUNK as u64);
                read_into(self.opened.file(), start, length, &mut chunk)?;
                writer.copy(&chunk)?;
                start += length;
            }
        }
        let mut problems = Vec::new();
        let mut recoded = HashMap::new();
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
        writer.finish(&rows)
    }

    /// The row of an entry whose payload is in a region.
    fn copied<'n>(&self, entry: &Entry<'_>, name: &'n [u8]) -> Result<Row<'n>, Error> {
        let old = entry.row();
        let start = u64::from(old.offset);
        let region = self.regions.partition_point(|(extent, _)| extent.start <= start).checked_sub(1);
        let found = region.and_then(|region| self.regions.get(region)).filter(|_| old.stored_size() > 0);
        let moved = match found {
            Some((extent, at)) => offset(at + (start - extent.start))?,
            // an empty payload may have any offset
            None => offset(Header::SIZE as u64)?,
        };
        let row = Row { name, offset: moved, ..old };
        let same_fields = self.opened.directory.layout().compresses() && self.layout.compresses();
        Ok(if same_fields { row } else { Row { compressed_size: row.size, compression: 0, ..row } })
    }

    /// Decodes or encodes a payload. The outer error ends the work. The inner one reports damage in this
    /// payload.
    fn recode(
        &self,
        entry: &Entry<'_>,
        writer: &mut PayloadWriter<'_, impl Write>,
    ) -> Result<Result<Payload, Error>, Error> {
        let extent = entry.extent()?;
        let stored = read_at(self.opened.file(), extent.start, extent.end - extent.start)?;
        match entry.decode(&stored) {
            Ok(content) => writer.payload(entry.name().as_bytes(), Source::bytes(content)).map(Ok),
            Err(damage) => Ok(Err(damage)),
        }
    }
}
