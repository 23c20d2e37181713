//! The files in an archive, a game directory or a game.

use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::archive::OpenOptions;
use quakefs::content::ContentType;
use quakefs::errors::utf8;
use quakefs::findings::{FindingKind, Location};
use quakefs::{Builder, Error, ErrorKind, File, Finding, Rules, SearchPath};

use crate::observer::Observer;
use crate::wad::compared;

/// The files of an archive, of a game directory or of a game.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Contents {
    /// The files, in the order of the archive, or else in the byte order of their names.
    pub files: Vec<File<'static>>,
    /// Problems of the folder, such as files that cannot be reached.
    pub findings: Vec<Finding>,
    /// The size of the archives and loose files that the files come from.
    pub source_size: u64,
}

impl Contents {
    /// Whether entries of an archive are lost.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.findings.iter().any(|finding| matches!(finding.kind, FindingKind::Damaged(_)))
    }

    /// Every entry of an archive, or the winners in a folder under an engine's rules.
    ///
    /// A folder that contains game directories, such as `id1`, counts as a game without mods. Every other
    /// folder counts as a game directory: its loose files, and the archives that the engine would load from
    /// it. Its other archives count as loose files. Textures of a WAD or a level compare by their pixels.
    ///
    /// # Errors
    /// The archive cannot be opened, or the folder cannot be listed.
    pub fn of(path: impl AsRef<Path>, rules: &Rules, options: &OpenOptions) -> Result<Contents, Error> {
        let path = utf8(path.as_ref())?;
        if path.is_dir() {
            return Ok(Contents::served(&mount_folder(path, rules, options)?));
        }
        let archive = compared(Observer::default().open(path, options)?);
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

    /// The winners in an archive or a folder: one copy for each name that an engine can request.
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

    /// Whether all files are loose archives, as in a collection of downloads.
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
    // the path `.` has no file name
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
