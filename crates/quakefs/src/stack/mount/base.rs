//! What a mount finds on disk: the base directory, its game directories, and the paths that are put on top.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::record::Header;
use pak_format::{Layout, ParseOptions};

use super::super::folder::Folder;
use super::super::layer::{GameDirectory, Layer, Source};
use super::Mount;
use crate::archive::{Access, Archive, Image, OpenOptions};
use crate::error::{Error, ErrorKind, utf8};
use crate::finding::{FindingKind, Place};
use crate::rules::archives::{Loaded, is_archive_name, load_order};
use crate::rules::directories::{PlannedDirectory, game_directories};
use crate::rules::{ArchiveKind, LoosePosition, NotLoaded, NotUsed, PartialRow, Rules, WrongArchive};

/// A path as it was given, and from the root.
struct Given<'g> {
    given: &'g Utf8Path,
    absolute: Utf8PathBuf,
}

impl<'g> Given<'g> {
    fn new(path: &'g Path, doing: &'static str) -> Result<Self, Error> {
        let given = utf8(path)?;
        let absolute = camino::absolute_utf8(given).map_err(|error| Error::io(given, doing, error))?;
        Ok(Given { given, absolute })
    }
}

impl Mount<'_> {
    /// Mounts the game directories of the base directory, if there is one.
    pub(super) fn base(&mut self) -> Result<(), Error> {
        let builder = Arc::clone(self.builder);
        let Some(base) = &builder.base else { return Ok(()) };
        let base = Given::new(base, "open")?;
        if base.given.is_file() {
            return Err(not_a_folder(base.given));
        }
        if !base.given.is_dir() {
            return Err(Error::from(ErrorKind::NoBaseDirectory).at_path(base.given));
        }
        let base = base.absolute;
        let planned = game_directories(&builder.rules.directories, &builder.missions, &builder.games)
            .map_err(|bad| ErrorKind::BadGame { game: bad.0 })?;
        for (given, why) in planned.not_used {
            let place = match why {
                NotUsed::UnknownFlag => format!("-{given}"),
                _ => format!("{given}/"),
            };
            self.find(Place::layer(place), FindingKind::NotUsed(why));
        }
        let user = match &builder.user {
            Some(user) => Some(Given::new(user, "open")?),
            None => None,
        };
        let mut any = false;
        let mut rank = 0;
        // a folder that the engine makes when it first writes there: its path and its place among the layers
        let mut written_later: Option<(GameDirectory, Utf8PathBuf, usize)> = None;
        for directory in &planned.directories {
            let mut here = false;
            if directory.name == "." {
                rank += 1;
                self.game_directory(rank, ".".to_owned(), "", &base, directory);
                continue;
            }
            let path = base.join(&directory.name);
            if path.is_dir() {
                here = true;
                rank += 1;
                let prefix = format!("{}/", directory.name);
                self.game_directory(rank, directory.name.clone(), &prefix, &path, directory);
            }
            let in_user = user.as_ref().map(|user| {
                let path = user.absolute.join(&directory.name);
                (self.name_of(&user.given.join(&directory.name), &path), path, &user.absolute)
            });
            if let Some((name, path, _)) = &in_user
                && path.is_dir()
                && *path != base.join(&directory.name)
            {
                here = true;
                rank += 1;
                self.game_directory(rank, name.clone(), &format!("{name}/"), path, directory);
            }
            if here && directory.written {
                written_later = None;
                self.write_dir = Some(path);
                if let Some((name, path, user)) = in_user {
                    if !path.is_dir() && !user.is_file() {
                        rank += 1;
                        let directory = GameDirectory { rank, name };
                        written_later = Some((directory, path.clone(), self.layers.len()));
                    }
                    self.write_dir = Some(path);
                }
            }
            any |= here;
            if !here && directory.expected {
                self.find(Place::layer(format!("{}/", directory.name)), FindingKind::MissingDirectory);
            }
        }
        if let Some((directory, path, place)) = written_later {
            let layer = folder_layer(format!("{}/", directory.name), path, self.rules());
            self.layers.insert(place, layer.of(&Arc::new(directory), None));
        }
        if !any && builder.pushed.is_empty() {
            let names = planned.directories.into_iter().map(|directory| directory.name);
            let expected = names.filter(|name| name != ".").collect();
            return Err(Error::from(ErrorKind::NoGameDirectory { expected }).at_path(&base));
        }
        Ok(())
    }

    /// Mounts a game directory, whose archives have a prefix to their names.
    fn game_directory(
        &mut self,
        rank: u16,
        name: String,
        prefix: &str,
        path: &Utf8Path,
        planned: &PlannedDirectory,
    ) {
        let builder = Arc::clone(self.builder);
        let loose_name = format!("{name}/");
        let directory = Arc::new(GameDirectory { rank, name });
        let loose = |mount: &mut Self| {
            tracing::info!(layer = loose_name, "mounted a folder");
            let layer = folder_layer(loose_name.clone(), path.to_owned(), &builder.rules);
            mount.layers.push(layer.of(&directory, None));
        };
        if planned.loose && builder.rules.loose.position == LoosePosition::Below {
            loose(self);
        }
        let files = if planned.archives { self.list_files(prefix, path) } else { Vec::new() };
        let order = load_order(files, &builder.rules, |file| is_empty_archive(&path.join(file)));
        for (file, why) in order.left_out {
            let (name, path) = (format!("{prefix}{file}"), path.join(file));
            // renaming a file that is no archive would not help
            let kind = match (&why, header_of(&path)) {
                (NotLoaded::NotNumbered, Err(error)) => {
                    FindingKind::WrongArchive { error: error.into(), opened: false, fatal: false }
                }
                _ => FindingKind::NotLoaded(why),
            };
            self.left_out.push((name.clone(), path));
            self.find(Place::layer(name), kind);
        }
        for Loaded { file, set, kind, .. } in order.archives {
            let first = self.layers.len();
            self.found_archive(format!("{prefix}{file}"), &path.join(file), kind);
            for layer in self.layers.iter_mut().skip(first) {
                *layer = layer.clone().of(&directory, Some(set));
            }
        }
        if planned.loose && builder.rules.loose.position != LoosePosition::Below {
            loose(self);
        }
    }

    /// The names of the regular files straight in a folder.
    fn list_files(&mut self, prefix: &str, path: &Utf8Path) -> Vec<String> {
        let unreadable = |error| FindingKind::Unreadable(Error::io(path, "list", error));
        let mut files = Vec::new();
        let entries = match path.as_std_path().read_dir() {
            Ok(entries) => entries,
            Err(error) => {
                self.find(Place::layer(prefix), unreadable(error));
                return files;
            }
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.find(Place::layer(prefix), unreadable(error));
                    continue;
                }
            };
            match entry.file_name().into_string() {
                Ok(name) if !is_archive_name(&name, self.rules()) => {}
                Ok(name) if entry.path().is_file() => files.push(name),
                Ok(name) => self.find(Place::layer(format!("{prefix}{name}")), FindingKind::NotRegular),
                Err(name) if is_archive_name(&name.to_string_lossy(), self.rules()) => {
                    let name = name.to_string_lossy();
                    self.find(Place::layer(format!("{prefix}{name}")), FindingKind::NotUtf8);
                }
                Err(_) => {}
            }
        }
        files
    }

    fn found_archive(&mut self, name: String, path: &Utf8Path, kind: ArchiveKind) {
        match self.open_found(path, kind) {
            Ok(archive) => {
                if let (Some(pak), Some(read_as)) = (archive.as_pak(), self.rules().paks.layout) {
                    self.compare_layouts(&name, pak, read_as);
                    self.count_entries(&name, archive.len());
                }
                self.archive(name, archive);
            }
            Err(error) => {
                let fatal =
                    self.rules().paks.wrong_archive == WrongArchive::Fatal && kind == ArchiveKind::Pak;
                self.find(Place::layer(name), FindingKind::WrongArchive { error, opened: true, fatal });
            }
        }
    }

    fn count_entries(&mut self, name: &str, entries: usize) {
        let limits = self.rules().limits;
        if let Some(most) = limits.entries.filter(|most| entries > *most as usize) {
            let kind = FindingKind::TooManyEntries { entries, most, then: limits.too_many };
            self.find(Place::layer(name), kind);
        }
    }

    /// Opens an archive as the engine would: the rules say what kind it is, and in which layout a PACK is read.
    fn open_found(&self, path: &Utf8Path, kind: ArchiveKind) -> Result<Archive, Error> {
        let rules = self.rules();
        self.open(path, self.builder.access, |image| {
            if kind == ArchiveKind::Zip {
                return Archive::open_zip(image, rules.zip_names);
            }
            let partial_row = rules.paks.partial_row == PartialRow::Ignored;
            let options = ParseOptions::new().layout(rules.paks.layout).allow_partial_row(partial_row);
            Archive::open_pak(image, &options)
        })
    }

    /// Opens an archive, unless it is open already and the file did not change.
    fn open(
        &self,
        path: &Utf8Path,
        access: Access,
        open: impl FnOnce(Image) -> Result<Archive, Error>,
    ) -> Result<Archive, Error> {
        let opened = self.opened.iter().filter_map(Layer::archive);
        if let Some(archive) = opened.filter(|archive| archive.path() == Some(path)).find(|a| a.is_current())
        {
            return Ok(archive.clone());
        }
        open(Image::open(path, access)?)
    }

    pub(super) fn push_folder(&mut self, path: &Path) -> Result<(), Error> {
        let path = Given::new(path, "mount")?;
        if !path.given.is_dir() {
            return Err(not_a_folder(path.given));
        }
        let name = format!("{}/", self.name_of(path.given, &path.absolute).trim_end_matches('/'));
        tracing::info!(layer = name, "mounted a folder");
        let layer = folder_layer(name, path.absolute, self.rules());
        self.layers.push(layer);
        Ok(())
    }

    pub(super) fn push_archive(&mut self, path: &Path, options: &OpenOptions) -> Result<(), Error> {
        let path = Given::new(path, "mount")?;
        let name = self.name_of(path.given, &path.absolute);
        let opened =
            self.open(&path.absolute, options.access, |image| Archive::of_any_kind(image, options.layout));
        self.archive(name.clone(), opened.map_err(|error| error.in_archive(name))?);
        Ok(())
    }

    /// A path as layers are named: relative to the base directory if it is inside, else as it was given.
    fn name_of(&self, given: &Utf8Path, absolute: &Utf8Path) -> String {
        let base = self.builder.base.as_deref().and_then(|base| Given::new(base, "open").ok());
        let inside = base.and_then(|base| absolute.strip_prefix(base.absolute).ok().map(Utf8Path::to_owned));
        match inside {
            Some(inside) if inside == "" => ".".to_owned(),
            Some(inside) => inside.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/"),
            None => given.to_string(),
        }
    }
}

fn folder_layer(name: String, path: Utf8PathBuf, rules: &Rules) -> Layer {
    Layer::new(name, Source::Folder(Arc::new(Folder::new(path, rules.loose.case))))
}

fn not_a_folder(path: &Utf8Path) -> Error {
    let why = if path.exists() {
        io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder")
    } else {
        io::Error::new(io::ErrorKind::NotFound, "there is no such folder")
    };
    Error::io(path, "mount", why)
}

/// Whether a file is an archive without rows. A file that cannot be read is not: what is wrong with it is reported when
/// it is opened.
fn is_empty_archive(path: &Utf8Path) -> bool {
    header_of(path).is_ok_and(|header| u64::from(header.directory_size) < Layout::Quake.row_size() as u64)
}

/// The header of a file; a file that cannot be read has none.
fn header_of(path: &Utf8Path) -> Result<Header, pak_format::Error> {
    let mut start = Vec::new();
    if let Ok(file) = File::open(path) {
        // what was read before an error counts
        let _ = file.take(Header::SIZE as u64).read_to_end(&mut start);
    }
    Header::parse(&start)
}
