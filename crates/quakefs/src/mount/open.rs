//! Opens archives as layers, and reports their problems.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::Layout;
use pak_format::detect::detect;
use pak_format::record::Header;

use super::assemble::{GamePart, Step, assemble_folder};
use super::given::{CallerPath, is_folder, not_a_folder};
use super::survey::Survey;
use super::{Builder, Pushed, name_of};
use crate::archive::{Archive, Image, OpenOptions, Pak};
use crate::disk::{Disk, broken_link};
use crate::error::{Error, ErrorKind};
use crate::finding::{Finding, FindingKind};
use crate::location::Location;
use crate::rules::order::sort_by_name;
use crate::rules::{ArchiveKind, EngineStop, Loaded, Loose, NestedPaks, Probe, Rules, Spelling};
use crate::search_path::{GameDirectory, Layer, LooseFolder, Source};

/// The deepest nesting of archives.
const DEEPEST: usize = 4;

/// The state of a mount while archives are opened.
pub(super) struct Opening<'b> {
    builder: &'b Builder,
    /// The builder's rules, adapted to the system that the engine runs on.
    rules: &'b Rules,
    /// How loose files are found: by `rules`, and the builder's settings.
    pub(super) loose: Loose,
    disk: &'b Arc<dyn Disk>,
    /// The folder of the last archive, and the disk for the names that are listed in it.
    listed: RefCell<Option<(Utf8PathBuf, Arc<dyn Disk>)>>,
    /// The archives of an earlier mount by their paths. Those that did not change are reused.
    before: HashMap<&'b Utf8Path, Vec<&'b Archive>>,
    /// The first base directory, from the root of the disk.
    main: Option<Utf8PathBuf>,
    /// How many archives were opened, and not taken from an earlier mount.
    pub(super) opened: Cell<u64>,
    /// Archives that were opened as a probe. They stay here until their step, and are sorted before the first
    /// one.
    probed: Vec<(String, Option<Opened>)>,
    /// Lowest first.
    pub(super) layers: Vec<Layer>,
    pub(super) findings: Vec<Finding>,
    /// Archives whose rows the engine reads in the wrong layout. For these, no problems of single rows are
    /// reported, because all rows are wrong.
    pub(super) misread: Vec<String>,
    pub(super) skipped: Vec<(String, Utf8PathBuf)>,
}

/// An opened archive and its findings, or why it was not loaded.
struct Opened {
    archive: Option<Archive>,
    /// Each finding, and whether it stops the engine.
    findings: Vec<(FindingKind, bool)>,
    probe: Probe,
}

impl<'b> Opening<'b> {
    pub(super) fn new(
        builder: &'b Builder,
        rules: &'b Rules,
        loose: Loose,
        disk: &'b Arc<dyn Disk>,
        main: Option<Utf8PathBuf>,
        before: &'b [Layer],
    ) -> Self {
        let mut by_path: HashMap<&Utf8Path, Vec<&Archive>> = HashMap::new();
        // a caller's own files may have any path as their name
        let archives = before.iter().filter_map(Layer::archive);
        for archive in archives.filter(|archive| archive.kind() != ArchiveKind::Own) {
            if let Some(path) = archive.path() {
                by_path.entry(path).or_default().push(archive);
            }
        }
        let mut opening = Opening {
            builder,
            rules,
            loose,
            disk,
            listed: RefCell::default(),
            before: by_path,
            main,
            opened: Cell::default(),
            probed: Vec::new(),
            layers: Vec::new(),
            findings: Vec::new(),
            misread: Vec::new(),
            skipped: Vec::new(),
        };
        disk.findings().into_iter().for_each(|finding| opening.report(finding));
        opening
    }

    pub(super) fn find(&mut self, place: Location, kind: FindingKind) {
        let finding = Finding::new(&self.rules.name, place, kind);
        self.report(finding);
    }

    pub(super) fn report(&mut self, finding: Finding) {
        tracing::warn!(place = %finding.location, kind = finding.kind.name(), "mounted with a finding");
        self.findings.push(finding);
    }

    /// Opens an archive of a game directory as a probe, and keeps it for the step that loads it.
    pub(super) fn probe(&mut self, path: &Utf8Path, kind: ArchiveKind) -> Probe {
        let opened = self.open_as_engine(path, kind);
        let probe = opened.probe;
        self.probed.push((path.to_string(), Some(opened)));
        probe
    }

    /// Ends the probes. The steps find their archives by binary search.
    pub(super) fn sort_probed(&mut self) {
        sort_by_name(&mut self.probed, |(path, _)| path.as_bytes());
    }

    /// Takes a probed archive.
    fn probed(&mut self, path: &Utf8Path) -> Option<Opened> {
        let at = self.probed.binary_search_by(|(probed, _)| (**probed).cmp(path.as_str())).ok()?;
        self.probed.get_mut(at)?.1.take()
    }

    /// Opens an archive that will not be loaded, and returns its kind and whether it stops the engine.
    pub(super) fn look_at(&self, path: &Utf8Path, kind: ArchiveKind) -> (Probe, bool) {
        let Opened { findings, probe, .. } = self.open_as_engine(path, kind);
        (probe, findings.into_iter().any(|(_, stops)| stops))
    }

    /// Executes one step of the assembly.
    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Report(mut finding) => {
                if let FindingKind::MissingDirectory { directory, link, .. } = &mut finding.kind {
                    let folder = self.main.as_ref().map(|main| main.join(directory));
                    *link = folder.and_then(|folder| broken_link(&**self.disk, folder.as_std_path()));
                }
                self.report(*finding);
            }
            Step::LeaveOut { name, path, why, look } => {
                let options = OpenOptions::new().access(self.builder.access);
                let wrong = look.then(|| self.open(&path, &options).err()).flatten();
                let kind = match wrong {
                    Some(error) => FindingKind::WrongArchive { error, opened: false },
                    None => FindingKind::Skipped(why),
                };
                self.leave_out(name, path, kind);
            }
            Step::NotRegular { name, path } => {
                let kind = match broken_link(&**self.disk, path.as_std_path()) {
                    Some(target) => FindingKind::BrokenLink { target },
                    None => FindingKind::NotRegular,
                };
                self.leave_out(name, path, kind);
            }
            Step::Folder { name, path, spelling, part } => {
                let folder = LooseFolder::new(Arc::clone(self.disk), path, spelling, self.loose, self.rules);
                self.folder(name, folder, part.as_ref());
            }
            Step::Archive { name, path, kind, part, only } => {
                let mut found = self.probed(&path).unwrap_or_else(|| self.open_as_engine(&path, kind));
                if !only.is_empty() {
                    found.archive = found.archive.map(|archive| archive.with_only(&only));
                }
                if found.archive.is_none() {
                    self.skipped.push((name.clone(), path));
                }
                self.opened(&name, found, part.as_ref(), 0);
            }
        }
    }

    fn leave_out(&mut self, name: String, path: Utf8PathBuf, kind: FindingKind) {
        self.skipped.push((name.clone(), path));
        self.find(Location::layer(name), kind);
    }

    fn folder(&mut self, name: String, folder: LooseFolder, part: Option<&GamePart>) {
        tracing::info!(layer = name, "mounted a folder");
        self.layers.push(layer(name, Source::Folder(Arc::new(folder)), part));
    }

    /// Adds an archive as the highest layer so far.
    fn archive(&mut self, name: String, archive: Archive, part: Option<&GamePart>) {
        tracing::info!(layer = name, entries = archive.rows(), "mounted an archive");
        if let Some(error) = archive.damage() {
            self.find(Location::layer(&*name), FindingKind::Damaged(error));
        }
        self.layers.push(layer(name, Source::Archive(archive), part));
    }

    /// Adds an opened archive and the archives nested in it as layers.
    fn opened(&mut self, name: &str, opened: Opened, part: Option<&GamePart>, depth: usize) {
        for (kind, stops) in opened.findings {
            let finding = Finding::new(&self.rules.name, Location::layer(name), kind);
            let stops_engine = stops || finding.stops_engine;
            self.report(Finding { stops_engine, ..finding });
        }
        let Some(archive) = opened.archive else { return };
        if let (Some(pak), Some(read_as)) = (archive.as_pak(), self.rules.paks.layout) {
            self.compare_layouts(name, pak, read_as);
        }
        match self.rules.archives.nested_paks {
            NestedPaks::Ignored => self.archive(name.to_owned(), archive, part),
            NestedPaks::Below => {
                self.nested(name, &archive, part, depth);
                self.archive(name.to_owned(), archive, part);
            }
            NestedPaks::Above => {
                self.archive(name.to_owned(), archive.clone(), part);
                self.nested(name, &archive, part, depth);
            }
        }
    }

    /// Adds the paks that are entries of an archive.
    fn nested(&mut self, name: &str, container: &Archive, part: Option<&GamePart>, depth: usize) {
        let rules = self.rules;
        if depth >= DEEPEST {
            return;
        }
        let mut rows: Vec<(String, usize)> = Vec::new();
        for row in 0..container.rows() {
            let name = container.name(row);
            // most names are in a folder
            let is_searched = rules.archives.nested_paks == NestedPaks::Above || !name.contains(&b'/');
            let Some(entry) = is_searched.then(|| std::str::from_utf8(name).ok()).flatten() else {
                continue;
            };
            if ArchiveKind::of(entry) == Some(ArchiveKind::Pak) && !container.is_folder(row) {
                rows.push((entry.to_owned(), row as usize));
            }
        }
        // keeps the first row of each name
        sort_by_name(&mut rows, |(name, _)| name.as_bytes());
        rows.dedup_by(|(name, _), (before, _)| name == before);
        let mut opened: Vec<Option<Opened>> = rows.iter().map(|_| None).collect();
        let place = |file: &str| rows.binary_search_by(|(name, _)| (**name).cmp(file)).ok();
        let open = |at: usize| {
            let image = Image::from(container.read(rows.get(at)?.1).ok()?);
            let archive = Archive::open_as(image, ArchiveKind::Pak, rules).ok()?;
            Some(Opened { archive: Some(archive), findings: Vec::new(), probe: Probe::Usable })
        };
        let files = rows.iter().map(|(name, _)| name.clone()).collect();
        // names inside an archive compare by the engine's rules, not the disk's
        let order = rules.archives.load_order(files, false, Spelling::Exact, |file| {
            let kept = place(file).and_then(|at| Some((opened.get_mut(at)?, open(at)?)));
            let Some((kept, found)) = kept else { return Probe::Unusable };
            *kept = Some(found);
            Probe::Usable
        });
        for Loaded { file, .. } in order.archives {
            let kept = place(&file).and_then(|at| opened.get_mut(at)?.take().or_else(|| open(at)));
            if let Some(found) = kept {
                self.opened(&format!("{name}/{file}"), found, part, depth + 1);
            }
        }
    }

    /// Reports an archive in a layout that the engine does not read. Such an engine reads garbage.
    fn compare_layouts(&mut self, name: &str, pak: &Pak, read_as: Layout) {
        let rows = pak.directory().rows();
        let size = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let header = Header { magic: read_as.magic(), directory_offset: 0, directory_size: size };
        match detect(&header, rows, pak.directory().image_size()) {
            Ok((found, _)) if found != read_as => {
                self.misread.push(name.to_owned());
                let kind = FindingKind::OtherLayout { found, read_as };
                self.find(Location::layer(name), kind);
            }
            _ if pak.ragged() > 0 => {
                self.find(Location::layer(name), FindingKind::PartialRow { ignored: pak.ragged() });
            }
            _ => {}
        }
    }

    /// Opens an archive as the engine would. The rules decide its kind and how its bytes are read.
    fn open_as_engine(&self, path: &Utf8Path, kind: ArchiveKind) -> Opened {
        let rules = self.rules;
        let stops = |stop| rules.stops.contains(&stop);
        let mut findings = Vec::new();
        let disk = self.disk_of_listed(path);
        let open = || {
            self.opened.set(self.opened.get() + 1);
            let image = Image::open_listed(&disk, path, self.builder.access)?;
            match self.builder.reader_of(path) {
                Some(reader) => (reader.read)(image.bytes(0..image.size())?),
                None => Archive::open_as(image, kind, rules),
            }
        };
        let found = self.unchanged(&disk, path).map_or_else(open, Ok);
        let archive = match found {
            Ok(archive) => archive,
            Err(error) => {
                use pak_format::ErrorKind as Pak;
                let stops_here = kind == ArchiveKind::Pak
                    && match error.kind() {
                        // to the engine, a file that cannot be opened is missing
                        ErrorKind::Io { .. } => false,
                        ErrorKind::Pak(Pak::DirectoryOutside { offset, size, .. })
                            if is_negative(*offset) || is_negative(*size) =>
                        {
                            stops(EngineStop::NegativeDirectory)
                        }
                        ErrorKind::Pak(Pak::DirectoryOutside { .. }) => stops(EngineStop::CutDirectory),
                        ErrorKind::Pak(Pak::EntryOutside { .. }) => stops(EngineStop::FarEntry),
                        _ => stops(EngineStop::WrongArchive),
                    };
                findings.push((FindingKind::WrongArchive { error, opened: true }, stops_here));
                let probe = if stops_here { Probe::Fatal } else { Probe::Unusable };
                return Opened { archive: None, findings, probe };
            }
        };
        if let Some(error) = archive.damage()
            && let ErrorKind::Pak(pak_format::ErrorKind::DirectoryOutside { offset, size, .. }) = error.kind()
            && (is_negative(*offset) || is_negative(*size))
            && stops(EngineStop::NegativeDirectory)
        {
            findings.push((FindingKind::StopsAt(EngineStop::NegativeDirectory), true));
        }
        // a truncated directory did have rows
        let is_cut = archive.as_pak().is_some() && archive.damage().is_some();
        let is_empty = archive.rows() == 0 && !is_cut;
        if is_empty && stops(EngineStop::EmptyArchive) {
            findings.push((FindingKind::StopsAt(EngineStop::EmptyArchive), true));
        }
        if let Some(zip) = archive.as_zip() {
            if zip.is_shifted() && stops(EngineStop::BytesInFront) {
                findings.push((FindingKind::StopsAt(EngineStop::BytesInFront), true));
            }
            let longest = rules.zips.longest_name.map_or(usize::MAX, |longest| longest.most as usize);
            let mut names = archive.entries().map(|entry| entry.name().as_bytes().len());
            if stops(EngineStop::LongZipName) && names.any(|length| length > longest) {
                findings.push((FindingKind::StopsAt(EngineStop::LongZipName), true));
            }
        }
        let entries = archive.as_pak().map_or(0, Pak::stated_rows);
        if let Some(limit) = rules.limits.entries.filter(|limit| entries > limit.most as usize) {
            let skips = limit.skips;
            let kind = FindingKind::TooManyEntries { entries, most: limit.most, skips };
            findings.push((kind, stops(EngineStop::TooManyEntries)));
            if skips {
                return Opened { archive: None, findings, probe: Probe::Unusable };
            }
        }
        let probe = if is_empty { Probe::Empty } else { Probe::Usable };
        Opened { archive: Some(archive), findings, probe }
    }

    fn open(&self, path: &Utf8Path, options: &OpenOptions) -> Result<Archive, Error> {
        let open = || {
            self.opened.set(self.opened.get() + 1);
            options.open_on(self.disk, path)
        };
        self.unchanged(self.disk, path).map_or_else(open, Ok)
    }

    /// The disk for a path whose name is from a listing. A disk that compares names by another rule would
    /// list the folder once more for each archive in it.
    fn disk_of_listed(&self, path: &Utf8Path) -> Arc<dyn Disk> {
        let folder = path.parent().unwrap_or(path);
        let mut listed = self.listed.borrow_mut();
        if let Some((known, disk)) = &*listed
            && known == folder
        {
            return Arc::clone(disk);
        }
        let found = self.disk.as_listed(folder.as_std_path());
        // elsewhere, the path would have another spelling
        let found = found.filter(|(_, stored)| stored == folder.as_std_path());
        let disk = found.map_or_else(|| Arc::clone(self.disk), |(disk, _)| disk);
        *listed = Some((folder.to_owned(), Arc::clone(&disk)));
        disk
    }

    /// The archive of the earlier mount, if its file did not change.
    fn unchanged(&self, disk: &Arc<dyn Disk>, path: &Utf8Path) -> Option<Archive> {
        let mut same = self.before.get(path)?.iter();
        same.find(|archive| archive.is_current_on(disk)).map(|archive| (*archive).clone())
    }

    /// Adds one of the caller's layers as the highest so far.
    pub(super) fn push(&mut self, pushed: &Pushed) -> Result<(), Error> {
        match pushed {
            Pushed::Memory(name, archive) => {
                self.archive(name.clone(), archive.clone()?, None);
                Ok(())
            }
            Pushed::Folder(path) => self.push_folder(path),
            Pushed::GameDirectory(path) => self.push_game_directory(path),
            Pushed::Archive(path, options) => {
                let options = options.unwrap_or(OpenOptions::new().access(self.builder.access));
                self.push_archive(path, &options)
            }
        }
    }

    fn push_folder(&mut self, path: &Path) -> Result<(), Error> {
        let path = CallerPath::new(&**self.disk, self.builder, path, "mount")?;
        if !is_folder(&**self.disk, &path.absolute) {
            return Err(not_a_folder(&**self.disk, &path));
        }
        let name = format!("{}/", self.name_of(&path).trim_end_matches('/'));
        let spelling = self.disk.spelling(path.absolute.as_std_path(), b"");
        let folder = LooseFolder::new(Arc::clone(self.disk), path.absolute, spelling, self.loose, self.rules);
        self.folder(name, folder, None);
        Ok(())
    }

    fn push_game_directory(&mut self, path: &Path) -> Result<(), Error> {
        let rules = self.rules;
        let path = CallerPath::new(&**self.disk, self.builder, path, "mount")?;
        let survey = Survey::of_folder(&**self.disk, rules, path.clone());
        let survey = survey.ok_or_else(|| not_a_folder(&**self.disk, &path))?;
        let ranks = self.layers.iter().filter_map(Layer::game_directory).map(|directory| directory.rank);
        let rank = ranks.max().unwrap_or_default().saturating_add(1);
        let name = self.name_of(&path).trim_end_matches('/').to_owned();
        let directory = Arc::new(GameDirectory { rank, game: name.clone(), name });
        let part = GamePart { directory, set: None, requested: None };
        let steps = assemble_folder(rules, self.loose.position, &survey, &part, &mut |path, kind| {
            self.probe(path, kind)
        });
        self.sort_probed();
        for step in steps {
            self.step(step);
        }
        Ok(())
    }

    fn push_archive(&mut self, path: &Path, options: &OpenOptions) -> Result<(), Error> {
        let path = CallerPath::new(&**self.disk, self.builder, path, "mount")?;
        let name = self.name_of(&path);
        let opened = self.open(&path.absolute, options);
        self.archive(name.clone(), opened.map_err(|error| error.in_archive(name))?, None);
        Ok(())
    }

    fn name_of(&self, path: &CallerPath) -> String {
        name_of(self.main.as_deref(), &path.given, &path.absolute)
    }
}

fn layer(name: String, source: Source, part: Option<&GamePart>) -> Layer {
    let directory = part.map(|part| Arc::clone(&part.directory));
    let requested = part.and_then(|part| part.requested.as_deref().map(Arc::from));
    Layer::new(name, source, directory, part.and_then(|part| part.set), requested)
}

/// Whether a number in a header is negative for an engine that reads it as signed.
fn is_negative(number: u32) -> bool {
    number > i32::MAX.unsigned_abs()
}
