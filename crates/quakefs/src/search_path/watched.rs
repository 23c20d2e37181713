//! Methods of a search path for the watcher.

use std::ops::RangeInclusive;
use std::time::SystemTime;

use camino::Utf8Path;

use super::folder_list::Detail;
use super::layer::Layer;
use super::surface::SearchPath;
use crate::archive::Archive;
use crate::disk::Access;
use crate::error::Error;
use crate::mount::{Pushed, mount};

impl SearchPath {
    /// Mounts again with archives read by position, so that their names stay in memory if a file is truncated.
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
        let left_out = || self.0.left_out.iter().find(|(left_out, _)| left_out == name);
        layer.and_then(Layer::path).or_else(|| left_out().map(|(_, path)| &**path))
    }

    /// Whether a file of this name in a game directory may be an archive of the engine.
    pub(crate) fn is_archive_name(&self, name: &str) -> bool {
        let archives = &self.rules().archives;
        archives.is_archive_name(name) || archives.own.iter().any(|own| own.file == name)
    }
}
