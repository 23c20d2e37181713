//! Mounting: from a builder to a stack. What stands in the base directory is the part of [`base`].

#[cfg(feature = "fs")]
mod base;
#[cfg(feature = "fs")]
mod wrong_base;

#[cfg(feature = "fs")]
pub use wrong_base::{BaseAbove, base_above};

use std::borrow::Cow;
#[cfg(feature = "fs")]
use std::path::Path;
use std::sync::{Arc, OnceLock};

use camino::Utf8PathBuf;
use hashbrown::DefaultHashBuilder;
use pak_format::Layout;
use pak_format::detect::detect;
use pak_format::record::Header;

use super::builder::{Builder, Pushed};
use super::folder_list::Detail;
use super::index::Index;
use super::layer::{Layer, Source};
use super::listing::{Listing, LooseFiles, reach};
use super::lookup::{Layers, Stack};
use super::search_path::SearchPath;
#[cfg(feature = "fs")]
use crate::archive::OpenOptions;
use crate::archive::{Archive, Pak};
use crate::error::{Error, ErrorKind};
use crate::finding::{Finding, FindingKind, Place, Unreachable};
use crate::rules::{LooseWithout, Rules, RulesFault};

impl SearchPath {
    /// Starts a stack with a base directory: the folder that holds `id1`.
    #[cfg(feature = "fs")]
    pub fn builder(base: impl AsRef<Path>) -> Builder {
        Builder::new().base_directory(base)
    }

    /// Starts a stack without a base directory, of the layers that are put on top alone.
    pub fn layers_only() -> Builder {
        Builder::new()
    }

    /// The stack as the same builder mounts it now: new archives, new game directories, new loose files. Archives on
    /// disk that did not change are shared with this stack, which stays as it is.
    ///
    /// # Errors
    /// As [`Builder::mount`].
    pub fn remount(&self) -> Result<SearchPath, Error> {
        mount(Builder::clone(&self.0.builder), &self.0.layers.0)
    }

    /// The same stack without the layer of this name: what would be served if the layer were not there.
    /// [`remount`](Self::remount) of the result brings the layer back.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchLayer`], and [`ErrorKind::NothingToMount`] if no layer is left.
    pub fn without(&self, layer: &str) -> Result<SearchPath, Error> {
        self.keeping(layer, |name| name != layer)
    }

    /// The same stack with the layer of this name alone: what the layer would serve if there were no other.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchLayer`].
    pub fn only(&self, layer: &str) -> Result<SearchPath, Error> {
        self.keeping(layer, |name| name == layer)
    }

    fn keeping(&self, layer: &str, kept: impl Fn(&str) -> bool) -> Result<SearchPath, Error> {
        if self.layers().all(|there| there.name() != layer) {
            return Err(ErrorKind::NoSuchLayer { name: layer.to_owned() }.into());
        }
        keeping(&self.0, kept)
    }
}

impl Builder {
    /// Opens every archive and indexes its names.
    ///
    /// An archive in a game directory that cannot be loaded is a [`Finding`](crate::Finding) of the stack, as is
    /// everything that was left out.
    ///
    /// # Errors
    /// [`ErrorKind::NoBaseDirectory`](crate::ErrorKind::NoBaseDirectory),
    /// [`ErrorKind::NoGameDirectory`](crate::ErrorKind::NoGameDirectory),
    /// [`ErrorKind::BadGame`](crate::ErrorKind::BadGame),
    /// [`ErrorKind::NothingToMount`](crate::ErrorKind::NothingToMount),
    /// [`ErrorKind::PathNotUtf8`](crate::ErrorKind::PathNotUtf8), and whatever keeps a layer that was put on top from
    /// being opened.
    pub fn mount(self) -> Result<SearchPath, Error> {
        mount(self, &[])
    }
}

/// Mounts what a builder collected. An archive on disk that did not change since it was opened is taken from `opened`.
pub(super) fn mount(builder: Builder, opened: &[Layer]) -> Result<SearchPath, Error> {
    if let Cow::Owned(rules) = &builder.rules {
        let outside = rules
            .validate()
            .into_iter()
            .find(|fault| matches!(fault, RulesFault::Outside { .. } | RulesFault::OutsideHome { .. }));
        outside.map_or(Ok(()), |fault| Err(ErrorKind::Rules(fault)))?;
    }
    let builder = Arc::new(builder);
    let mut mount = Mount {
        builder: &builder,
        opened,
        layers: Vec::new(),
        findings: Vec::new(),
        misread: Vec::new(),
        left_out: Vec::new(),
        user: None,
        write_dir: None,
        #[cfg(feature = "fs")]
        main_base: None,
        #[cfg(feature = "fs")]
        has_first: false,
    };
    #[cfg(feature = "fs")]
    mount.base()?;
    for pushed in &builder.pushed {
        mount.push(pushed)?;
    }
    mount.finish()
}

/// A mount on its way.
struct Mount<'b> {
    builder: &'b Arc<Builder>,
    opened: &'b [Layer],
    /// Lowest first.
    layers: Vec<Layer>,
    findings: Vec<Finding>,
    /// Archives whose rows the engine reads in the wrong layout: what is wrong with each row says the same again.
    misread: Vec<String>,
    left_out: Vec<(String, Utf8PathBuf)>,
    /// The user directory, whether it is there or not.
    user: Option<Utf8PathBuf>,
    /// The highest game directory, in the user directory if there is one.
    write_dir: Option<Utf8PathBuf>,
    /// The first base directory, from the root.
    #[cfg(feature = "fs")]
    main_base: Option<Utf8PathBuf>,
    /// Whether the first game directory of the first base directory has an archive with the number 0.
    #[cfg(feature = "fs")]
    has_first: bool,
}

impl Mount<'_> {
    fn rules(&self) -> &Rules {
        &self.builder.rules
    }

    fn find(&mut self, place: Place, kind: FindingKind) {
        let finding = Finding::new(&self.builder.rules.name, place, kind);
        self.report(finding);
    }

    fn report(&mut self, finding: Finding) {
        tracing::warn!(place = %finding.place, kind = finding.kind.name(), "mounted with a finding");
        self.findings.push(finding);
    }

    fn push(&mut self, pushed: &Pushed) -> Result<(), Error> {
        match pushed {
            Pushed::Memory(name, archive) => {
                self.archive(name.clone(), archive.clone()?);
                Ok(())
            }
            #[cfg(feature = "fs")]
            Pushed::Folder(path) => self.push_folder(path),
            #[cfg(feature = "fs")]
            Pushed::Archive(path, options) => {
                let options = options.unwrap_or(OpenOptions::new().access(self.builder.access));
                self.push_archive(path, &options)
            }
        }
    }

    /// Adds an archive as the highest layer so far.
    fn archive(&mut self, name: String, archive: Archive) {
        tracing::info!(layer = name, entries = archive.len(), "mounted an archive");
        if let Some(error) = archive.damage() {
            self.find(Place::layer(&*name), FindingKind::Damaged(error));
        }
        self.layers.push(Layer::new(name, Source::Archive(archive)));
    }

    /// Reports rows in another layout than the one that the engine reads: such an engine reads garbage.
    fn compare_layouts(&mut self, name: &str, pak: &Pak, read_as: Layout) {
        let rows = pak.directory().rows();
        let size = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let header = Header { magic: read_as.magic(), directory_offset: 0, directory_size: size };
        match detect(&header, rows, pak.directory().image_size()) {
            Ok(found) if found.layout != read_as => {
                self.misread.push(name.to_owned());
                let kind = FindingKind::OtherLayout { found: found.layout, read_as };
                self.find(Place::layer(name), kind);
            }
            _ if pak.ragged() > 0 => {
                self.find(Place::layer(name), FindingKind::PartialRow { ignored: pak.ragged() });
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Result<SearchPath, Error> {
        let rules = Arc::new(self.builder.rules.clone().into_owned());
        let layers = checked(std::mem::take(&mut self.layers))?;
        let (archives, of_entries) = index(&layers, &rules);
        for finding in of_entries {
            if !self.misread.contains(&finding.place.layer) {
                self.report(finding);
            }
        }
        let rest = Rest {
            rules,
            builder: Arc::clone(self.builder),
            user: self.user,
            write_dir: self.write_dir,
            left_out: self.left_out.into(),
            findings: self.findings.into(),
        };
        Ok(rest.with(layers, archives))
    }
}

/// What a stack is besides its layers.
struct Rest {
    rules: Arc<Rules>,
    builder: Arc<Builder>,
    user: Option<Utf8PathBuf>,
    write_dir: Option<Utf8PathBuf>,
    left_out: Arc<[(String, Utf8PathBuf)]>,
    findings: Arc<[Finding]>,
}

impl Rest {
    fn with(self, layers: Layers, archives: Index) -> SearchPath {
        let folders = layers.numbered().filter(|(_, layer)| layer.archive().is_none());
        let folders: Vec<u16> = folders.map(|(number, _)| number).rev().collect();
        let (listing, listing_findings) = match self.builder.loose {
            LooseFiles::Live => (None, Vec::new()),
            LooseFiles::Listed => {
                let (listing, findings) = Listing::new(&layers.0, &self.rules, &archives, Detail::Metadata);
                (Some(listing), findings)
            }
        };
        let mut stack = Stack {
            rules: self.rules,
            layers: Arc::new(layers),
            archives: Arc::new(archives),
            folders,
            listing,
            top_level_only: false,
            names: OnceLock::new(),
            builder: self.builder,
            user: self.user,
            write_dir: self.write_dir,
            left_out: self.left_out,
            findings: self.findings,
            listing_findings,
        };
        stack.top_level_only = stack.rules.registered_by.as_ref().is_some_and(|registered| {
            registered.loose_without == LooseWithout::TopLevel
                && stack.locate(stack.listing.as_ref(), registered.file.as_bytes()).is_none()
                && registered.shareware.is_some_and(|shareware| {
                    let lowest = stack.layers.0.iter().find_map(Layer::archive);
                    lowest.is_some_and(|archive| archive.len() == shareware.entries as usize)
                })
        });
        SearchPath::from_stack(stack)
    }
}

/// A stack of some of its layers.
fn keeping(stack: &Stack, kept: impl Fn(&str) -> bool) -> Result<SearchPath, Error> {
    let layers = stack.layers.0.iter().filter(|layer| kept(layer.name())).cloned().collect();
    let layers = checked(layers)?;
    let (archives, _) = index(&layers, &stack.rules);
    let is_layer = |name: &str| stack.layers.0.iter().any(|layer| layer.name() == name);
    let findings = stack.findings.iter().filter(|finding| {
        let layer = &*finding.place.layer;
        kept(layer) || !is_layer(layer)
    });
    let rest = Rest {
        rules: Arc::clone(&stack.rules),
        builder: Arc::clone(&stack.builder),
        user: stack.user.clone(),
        write_dir: stack.write_dir.clone(),
        left_out: Arc::clone(&stack.left_out),
        findings: findings.cloned().collect(),
    };
    Ok(rest.with(layers, archives))
}

fn checked(layers: Vec<Layer>) -> Result<Layers, Error> {
    if layers.is_empty() {
        return Err(ErrorKind::NothingToMount.into());
    }
    if layers.len() > usize::from(u16::MAX) {
        return Err(ErrorKind::TooManyLayers { found: layers.len() }.into());
    }
    Ok(Layers(layers))
}

/// Indexes the names in all archives, and reports the entries that cannot be read or reached.
fn index(layers: &Layers, rules: &Rules) -> (Index, Vec<Finding>) {
    let mut findings = Vec::new();
    let archives = layers.numbered().filter_map(|(number, layer)| Some((number, layer, layer.archive()?)));
    let archives: Vec<_> = archives.rev().collect();
    let sizes = archives.iter().map(|(number, _, archive)| (*number, archive.rows()));
    let index = Index::build(
        sizes,
        rules.case,
        DefaultHashBuilder::default(),
        rules.duplicates,
        layers,
        |id, name| {
            let Some(Layer { source: Source::Archive(archive), .. }) = layers.get(id.layer) else {
                return false;
            };
            match of_entry(archive, id.file, name, rules) {
                Reach::Fine => true,
                Reach::Folder => false,
                Reach::Finding(kind, reachable) => {
                    findings.push((id, kind));
                    reachable
                }
            }
        },
    );
    findings.sort_by_key(|(id, _)| *id);
    let finding = |(id, kind): (super::index::FileId, _)| {
        let layer = layers.get(id.layer)?;
        let entry = layer.archive()?.entry(id.file as usize)?;
        Some(Finding::new(&rules.name, Place::entry(layer.name(), entry.index(), entry.name()), kind))
    };
    (index, findings.into_iter().filter_map(finding).collect())
}

/// Whether a request reaches an entry.
enum Reach {
    Fine,
    /// The row stands for a folder, and no request asks for it.
    Folder,
    /// What is wrong, and whether a request reaches the entry all the same.
    Finding(FindingKind, bool),
}

#[inline]
fn of_entry(archive: &Archive, row: u32, name: &[u8], rules: &Rules) -> Reach {
    if archive.is_empty_folder(row) {
        return Reach::Folder;
    }
    if archive.is_folder(row) && archive.is_dropped(row) {
        return Reach::Folder;
    }
    if archive.is_dropped(row) {
        return Reach::Finding(FindingKind::Unreachable(Unreachable::Dropped), false);
    }
    if let Err(why) = reach(name, rules, |qpath| qpath.in_archives()) {
        return Reach::Finding(FindingKind::Unreachable(why), false);
    }
    match archive.check(row) {
        Err(error) => Reach::Finding(FindingKind::Entry(error), true),
        Ok(()) => Reach::Fine,
    }
}
