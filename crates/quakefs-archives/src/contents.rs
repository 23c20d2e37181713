//! What an archive, a game directory or a game holds, by name.

use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::archive::OpenOptions;
use quakefs::content::ContentType;
use quakefs::errors::utf8;
use quakefs::findings::{FindingKind, Location};
use quakefs::{Builder, Error, ErrorKind, File, Finding, Rules, SearchPath};

use crate::observer::WorkUnit;
use crate::wad::compared;

/// The files of an archive, of a game directory or of a game.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Contents {
    /// The files, in the order of the archive, or else in the byte order of their names.
    pub files: Vec<File<'static>>,
    /// Problems of the folder, such as files that cannot be reached.
    pub findings: Vec<Finding>,
    /// Bytes that the files come from.
    pub source_size: u64,
}

impl Contents {
    /// Every entry of an archive, or what an engine would serve of a folder.
    ///
    /// A folder that holds game directories, as `id1`, is a game without mods. Every other folder is taken as a game directory by
    /// itself: its loose files, and the archives that the engine would load of them. Each of the others is a file among its
    /// files. Textures of a WAD or a level are compared by their pixels.
    ///
    /// # Errors
    /// Where the archive cannot be opened, or the folder not be listed.
    pub fn of(path: impl AsRef<Path>, rules: &Rules, options: &OpenOptions) -> Result<Contents, Error> {
        let path = utf8(path.as_ref())?;
        if path.is_dir() {
            return Ok(Contents::served(&mount_folder(path, rules, options)?));
        }
        let archive = compared(WorkUnit::default().open(path, options)?);
        let files = archive.files(path.as_str());
        let findings = archive
            .damage()
            .map(|error| Finding::of_archive(Location::layer(path.as_str()), FindingKind::Damaged(error)));
        Ok(Contents {
            files: files.collect(),
            findings: findings.into_iter().collect(),
            source_size: archive.size(),
        })
    }

    /// What an engine would serve of an archive or a folder: of equal names one, and no name that it cannot ask for.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn served_of(
        path: impl AsRef<Path>,
        rules: &Rules,
        options: &OpenOptions,
    ) -> Result<Contents, Error> {
        let path = utf8(path.as_ref())?;
        let search_path = if path.is_dir() {
            mount_folder(path, rules, options)?
        } else {
            Builder::new().rules(rules.clone()).archive_with(path, *options).mount()?
        };
        Ok(Contents::served(&search_path))
    }

    /// Whether the files are loose archives and nothing else, as in a folder where archives are collected.
    #[must_use]
    pub fn is_of_archives(&self) -> bool {
        let is_archive = |file: &File<'_>| {
            file.layer().archive().is_none()
                && ContentType::of(file.name().as_bytes()) == ContentType::Archive
        };
        !self.files.is_empty() && self.files.iter().all(is_archive)
    }

    fn served(search_path: &SearchPath) -> Contents {
        let served = search_path.files();
        let findings = search_path.findings().chain(served.findings()).cloned().collect();
        let files: Vec<File<'static>> = served.map(File::into_owned).collect();
        let archives = search_path.layers().filter_map(|layer| layer.archive());
        let archives = archives.fold(0, |sum: u64, archive| sum.saturating_add(archive.size()));
        let loose = files.iter().filter(|file| file.layer().archive().is_none()).map(File::size);
        let source_size = loose.fold(archives, u64::saturating_add);
        Contents { files, findings, source_size }
    }
}

fn mount_folder(folder: &Utf8Path, rules: &Rules, options: &OpenOptions) -> Result<SearchPath, Error> {
    let mount =
        |base: &Utf8Path, rules: Rules| SearchPath::builder(base).rules(rules).access(options.access).mount();
    match mount(folder, rules.clone()) {
        Err(error) if matches!(error.kind(), ErrorKind::NoGameDirectory { .. }) => {}
        mounted => return mounted,
    }
    // `.` has no name
    let whole = dunce::canonicalize(folder).map_err(|error| Error::io(folder, "open", error))?;
    let whole = Utf8PathBuf::from_path_buf(whole).map_err(|_| Error::from(ErrorKind::PathNotUtf8))?;
    match (whole.parent(), whole.file_name()) {
        (Some(parent), Some(name)) => {
            let mut alone = rules.clone();
            alone.directories.base = vec![name.to_owned().into()].into();
            mount(parent, alone)
        }
        _ => mount(folder, rules.clone()),
    }
}
