//! What the watcher needs of a search path.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::time::SystemTime;

use camino::Utf8Path;

use super::file::File;
use super::folder_list::Detail;
use super::index::FileId;
use super::layer::Layer;
use super::lookup::Core;
use super::shared::SharedSearchPath;
use super::surface::SearchPath;
use crate::archive::Archive;
use crate::disk::{Access, Version};
use crate::error::Error;
use crate::mount::{Pushed, mount};

impl SearchPath {
    /// Mounts again with archives read by position, so that their names stay in memory if a file is
    /// truncated.
    pub(crate) fn read_by_position(&self) -> Result<SearchPath, Error> {
        let mut builder = self.0.builder.clone();
        builder.access = Access::Read;
        for pushed in &mut builder.pushed {
            if let Pushed::Archive(_, Some(options)) = pushed {
                options.access = Access::Read;
            }
        }
        mount(builder, &[])
    }

    /// The same search path, with folders listed and their files' sizes and times.
    pub(crate) fn snapshot(&self) -> SearchPath {
        if self.0.listing.is_some() { self.clone() } else { self.listed_again(Detail::Metadata) }
    }

    /// Whether a listed file or an archive has a time in this range.
    pub(crate) fn has_time_in(&self, range: &RangeInclusive<SystemTime>) -> bool {
        let listing = self.0.listing.iter();
        let loose = listing.flat_map(|listing| listing.files().filter_map(|id| listing.version(id)?.time()));
        let archives = self.archives_on_disk().filter_map(Archive::modified);
        loose.chain(archives).any(|time| range.contains(&time))
    }

    /// The archives among the layers that are files.
    pub(crate) fn archives_on_disk(&self) -> impl Iterator<Item = &Archive> {
        self.0.layers.0.iter().filter_map(Layer::archive).filter(|archive| archive.path().is_some())
    }

    /// The path of an archive by the name of its layer, including skipped archives.
    pub(crate) fn archive_path(&self, name: &str) -> Option<&Utf8Path> {
        let layer = self.0.layers.0.iter().find(|layer| layer.name() == name);
        let skipped = || self.0.skipped.iter().find(|(skipped, _)| skipped == name);
        layer.and_then(Layer::path).or_else(|| skipped().map(|(_, path)| &**path))
    }

    /// Whether a file of this name in a game directory may be an archive of the engine.
    pub(crate) fn is_archive_name(&self, name: &str) -> bool {
        let archives = &self.rules().archives;
        archives.is_archive_name(name) || archives.own.iter().any(|own| own.file == name)
    }

    /// Overridden loose files that were written since an older search path was listed, each with its winner.
    pub(crate) fn overridden_edits(
        &self,
        old: &SearchPath,
        counts: &dyn Fn(SystemTime) -> bool,
    ) -> Vec<(File<'static>, File<'static>)> {
        self.0.with_listing(|listing| {
            old.0.with_listing(|old_listing| {
                let layer_of = |search_path: &Core, id: FileId| {
                    search_path.layers.get(id.layer).map(|layer| layer.name().to_owned())
                };
                let known: HashMap<_, _> = old_listing
                    .files()
                    .filter_map(|id| {
                        let said = (old_listing.size(id), old_listing.version(id));
                        Some(((layer_of(&old.0, id)?, old_listing.name(id)), said))
                    })
                    .collect();
                let is_edited = |id: FileId| {
                    let Some(layer) = layer_of(&self.0, id) else { return false };
                    let was = known.get(&(layer, listing.name(id)));
                    let is = (listing.size(id), listing.version(id));
                    was != Some(&is) || is.1.and_then(Version::time).is_some_and(|time| !counts(time))
                };
                let edited = listing.files().filter(|id| is_edited(*id));
                edited.filter_map(|id| self.hidden_by(id.layer, listing.name(id))).collect()
            })
        })
    }

    /// The copy of a name in a layer, and the winner that overrides it.
    fn hidden_by(&self, layer: u16, name: &[u8]) -> Option<(File<'static>, File<'static>)> {
        let mut copies = self.copies(name).into_iter();
        let served = copies.next()?;
        let folder = self.0.layers.get(layer)?.name();
        let is_there = |copy: &File<'_>| copy.layer().name() == folder && copy.entry().is_none();
        if is_there(&served) {
            return None;
        }
        // games do not request archives that are layers
        let overridden =
            copies.find(is_there).filter(|copy| !self.0.is_layer(copy.layer(), copy.name().as_bytes()))?;
        Some((overridden.into_owned(), served.into_owned()))
    }
}

impl SharedSearchPath {
    /// The current search path, and how often one was stored.
    pub(crate) fn load_stored(&self) -> (SearchPath, u64) {
        let current = self.0.current.read();
        (current.search_path.clone(), current.stored)
    }

    /// Updates the search path after a change on disk. Returns `false` if another one was stored in the
    /// meantime.
    pub(crate) fn update(&self, search_path: &SearchPath, stored: u64) -> bool {
        let mut current = self.0.current.write();
        let is_stored = current.stored == stored;
        if is_stored {
            current.search_path = search_path.clone();
        }
        is_stored
    }

    /// Calls this after each store, until it returns `false`.
    pub(crate) fn on_store(&self, called: impl FnMut() -> bool + Send + 'static) {
        self.0.on_store.lock().push(Box::new(called));
    }
}
