//! One way to change any archive on disk.

use std::path::{Path, PathBuf};

use pak_format::daikatana::EncodeOptions;
use pak_format::{
    EntryName, Error, Layout, ParseOptions, Progress, RepackOptions, Report, Source, WriteOptions,
};
use quake_content::WadVersion;
use quakefs::Access;
use quakefs::archive::OpenOptions;

use crate::rewriter::Rewriter;

/// Changes a PACK archive, a ZIP such as a `.pk3`, or a WAD, all at once or not at all.
///
/// [`commit`](Self::commit) writes the changes; until then the file stays as it is, and every other writer
/// gets [`ErrorKind::Locked`](pak_format::ErrorKind::Locked).
///
/// The cost of a change to a PACK archive depends on the size of the change: see [`pak_format::Editor`]. A
/// ZIP or a WAD is rewritten as a whole, without a ZIP's entries for folders.
///
/// ```
/// # use pak_format::Source;
/// # let folder = testutils::game("a.pk3: maps/start.bsp");
/// let mut editor = quakefs_archives::Editor::open(folder.join("a.pk3"))?;
/// editor.rename("maps/start.bsp", "maps/begin.bsp")?;
/// editor.add("readme.txt", Source::bytes("hello"))?;
/// assert_eq!(editor.commit(None)?.entries, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Editor<'a>(Inner<'a>);

#[derive(Debug)]
enum Inner<'a> {
    Pack(Box<pak_format::Editor<'a>>),
    Rewritten(Box<Rewriter<'a>>),
}

impl<'a> Editor<'a> {
    /// Opens an archive for changes, and locks it.
    ///
    /// # Errors
    /// The file is missing, is not an archive, is damaged, or another writer has it open. The textures of a
    /// level cannot be changed: [`Unsupported`](std::io::ErrorKind::Unsupported).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, quakefs::Error> {
        Self::open_with(path, None)
    }

    /// Opens an archive for changes. A named layout reads the file as a PACK archive of that layout.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(
        path: impl AsRef<Path>,
        layout: impl Into<Option<Layout>>,
    ) -> Result<Self, quakefs::Error> {
        let (path, layout) = (path.as_ref(), layout.into());
        match pak_format::Editor::open_with(path, &ParseOptions::new().layout(layout)) {
            Ok(editor) => Ok(Editor(Inner::Pack(Box::new(editor)))),
            Err(error) if layout.is_none() && error.is_other_format() => match Rewriter::open(path) {
                Ok(editor) => Ok(Editor(Inner::Rewritten(Box::new(editor)))),
                // a file of an unknown kind gets the error for PACK archives
                Err(_) if !is_known(path) => Err(error.into()),
                Err(other) => Err(other),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// The version of a WAD; `None` for the other archives.
    #[must_use]
    pub fn wad(&self) -> Option<WadVersion> {
        match &self.0 {
            Inner::Pack(_) => None,
            Inner::Rewritten(editor) => editor.wad(),
        }
    }

    /// Options of the compression in Daikatana's layout.
    pub fn encoding(&mut self, options: EncodeOptions) {
        if let Inner::Pack(editor) = &mut self.0 {
            editor.encoding(options);
        }
    }

    /// The compression level of a ZIP, from 0 to 9. The default is 6.
    pub fn level(&mut self, level: u32) {
        if let Inner::Rewritten(editor) = &mut self.0 {
            editor.level(level);
        }
    }

    /// The names of the entries after the commit.
    pub fn names(&self) -> impl Iterator<Item = EntryName<'_>> {
        let (pack, other) = match &self.0 {
            Inner::Pack(editor) => (Some(editor.names()), None),
            Inner::Rewritten(editor) => (None, Some(editor.names())),
        };
        pack.into_iter().flatten().chain(other.into_iter().flatten())
    }

    /// How many entries there are after the commit.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Inner::Pack(editor) => editor.len(),
            Inner::Rewritten(editor) => editor.len(),
        }
    }

    /// Whether the archive will be empty after the commit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an entry has this name after the commit. Names in a WAD match in any case.
    pub fn contains(&self, name: impl AsRef<[u8]>) -> bool {
        match &self.0 {
            Inner::Pack(editor) => editor.contains(name),
            Inner::Rewritten(editor) => editor.contains(name.as_ref()),
        }
    }

    /// Adds an entry after the last.
    ///
    /// # Errors
    /// [`ErrorKind::Duplicate`](pak_format::ErrorKind::Duplicate), and
    /// [`ErrorKind::Name`](pak_format::ErrorKind::Name) if a PACK archive cannot store the name. A ZIP or a
    /// WAD reports such a name in [`check`](Self::check).
    pub fn add(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> Result<(), Error> {
        match &mut self.0 {
            Inner::Pack(editor) => editor.add(name, source),
            Inner::Rewritten(editor) => editor.add(name.as_ref(), source),
        }
    }

    /// Replaces the content of the entries of this name. If several entries of a ZIP or a WAD have the name,
    /// only the first stays.
    ///
    /// # Errors
    /// [`ErrorKind::NoEntry`](pak_format::ErrorKind::NoEntry).
    pub fn replace(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> Result<(), Error> {
        match &mut self.0 {
            Inner::Pack(editor) => editor.replace(name, source),
            Inner::Rewritten(editor) => editor.replace(name.as_ref(), source),
        }
    }

    /// Sets the kind number of the entries of this name in a WAD. Other archives store no kinds.
    pub fn set_kind(&mut self, name: impl AsRef<[u8]>, number: u8) {
        if let Inner::Rewritten(editor) = &mut self.0 {
            editor.set_kind(name.as_ref(), number);
        }
    }

    /// Removes each entry for whose name `gone` returns true, and returns how many there were.
    pub fn remove_where(&mut self, gone: impl FnMut(EntryName<'_>) -> bool) -> usize {
        match &mut self.0 {
            Inner::Pack(editor) => editor.remove_where(gone),
            Inner::Rewritten(editor) => editor.remove_where(gone),
        }
    }

    /// Renames each entry of this name, and returns how many there are. A texture in a WAD also contains its
    /// name, which changes too.
    ///
    /// # Errors
    /// [`ErrorKind::NoEntry`](pak_format::ErrorKind::NoEntry),
    /// [`ErrorKind::Duplicate`](pak_format::ErrorKind::Duplicate) if an entry has the new name, and
    /// [`ErrorKind::Name`](pak_format::ErrorKind::Name) as for [`add`](Self::add).
    pub fn rename(&mut self, old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Result<usize, Error> {
        match &mut self.0 {
            Inner::Pack(editor) => editor.rename(old, new),
            Inner::Rewritten(editor) => editor.rename(old.as_ref(), new.as_ref()),
        }
    }

    /// Every problem that stops [`commit`](Self::commit).
    #[must_use]
    pub fn check(&self) -> Vec<Error> {
        match &self.0 {
            Inner::Pack(editor) => editor.check(),
            Inner::Rewritten(editor) => editor.check(),
        }
    }

    /// Writes the changes.
    ///
    /// # Errors
    /// Every problem of [`check`](Self::check), an unreadable entry,
    /// [`ErrorKind::Io`](pak_format::ErrorKind::Io), [`ErrorKind::Stopped`](pak_format::ErrorKind::Stopped)
    /// and [`ErrorKind::ArchiveChanged`](pak_format::ErrorKind::ArchiveChanged). The old archive is then
    /// unchanged. After [`ErrorKind::NotDurable`](pak_format::ErrorKind::NotDurable) the new archive is in
    /// place, but a power failure may bring the old one back.
    pub fn commit(self, progress: Option<Progress<'_>>) -> Result<Report, Error> {
        match self.0 {
            Inner::Pack(editor) => editor.commit(progress),
            Inner::Rewritten(editor) => editor.commit(progress),
        }
    }
}

/// Rewrites a ZIP or a WAD. Entries of a ZIP are compressed at this `level`. [`pak_format::repack`] does the
/// same for PACK archives.
///
/// Of the options, `output`, `overwrite`, `dry_run` and `progress` apply.
///
/// # Errors
/// The errors of [`Editor::open`] and [`Editor::commit`]. Nothing is then written.
pub fn rewrite(
    path: impl AsRef<Path>,
    options: &RepackOptions<'_>,
    level: u32,
) -> Result<Report, quakefs::Error> {
    let path = path.as_ref();
    let is_same =
        |output: &PathBuf| output.canonicalize().is_ok_and(|output| path.canonicalize().ok() == Some(output));
    let output = options.output.as_ref().filter(|output| !is_same(output));
    let mut rewriter = if output.is_some() { Rewriter::read(path)? } else { Rewriter::open(path)? };
    rewriter.level(level);
    if options.dry_run {
        return Ok(rewriter.dry_run()?);
    }
    let Some(output) = output else { return Ok(rewriter.commit(options.progress)?) };
    let RepackOptions { overwrite, progress, .. } = *options;
    Ok(rewriter.write_file(output, &WriteOptions { overwrite, progress, unchanged_since: None })?)
}

/// Whether the file is a ZIP, a WAD or a level, damaged or not.
fn is_known(path: &Path) -> bool {
    match OpenOptions::new().access(Access::Read).open(path) {
        Ok(_) => true,
        Err(error) => matches!(error.kind(), quakefs::ErrorKind::Zip(_) | quakefs::ErrorKind::Directory(_)),
    }
}
