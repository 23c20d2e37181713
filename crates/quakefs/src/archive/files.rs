//! Numbered files with names: what every kind of archive is.

use std::ops::Range;

use pak_format::EntryName;

use crate::data::{FileData, FileReader};
use crate::error::Error;

/// Numbered files with names: what a layer is made of.
///
/// A kind of archive that quakefs does not know becomes a layer by implementing this trait: four functions are
/// required, and the others have defaults. Files are numbered from 0. Names must not change
/// while the value lives. No function is called with a number of [`len`](Files::len) or above.
///
/// `examples/wad_layer.rs` mounts the lumps of a Quake WAD2 this way.
///
/// ```
/// use quakefs::{Error, FileData, SearchPath};
/// use quakefs::archive::Files;
///
/// struct Constants(&'static [(&'static str, &'static str)]);
///
/// impl Files for Constants {
///     fn len(&self) -> u32 {
///         self.0.len() as u32
///     }
///     fn name(&self, file: u32) -> &[u8] {
///         self.0[file as usize].0.as_bytes()
///     }
///     fn size(&self, file: u32) -> u64 {
///         self.0[file as usize].1.len() as u64
///     }
///     fn read(&self, file: u32) -> Result<FileData, Error> {
///         Ok(FileData::from(self.0[file as usize].1.as_bytes()))
///     }
/// }
///
/// let files = Constants(&[("autoexec.cfg", "echo built in\n")]);
/// let quake = SearchPath::layers_only().files("builtin", files).mount()?;
/// assert_eq!(quake.read("autoexec.cfg")?, "echo built in\n");
/// # Ok::<(), Error>(())
/// ```
#[expect(clippy::len_without_is_empty, reason = "an archive without files is no special case")]
pub trait Files: Send + Sync {
    /// How many files there are.
    fn len(&self) -> u32;

    /// The name that requests are compared with: `/` between parts, no NUL.
    fn name(&self, file: u32) -> &[u8];

    /// Bytes of the content, decoded.
    fn size(&self, file: u32) -> u64;

    /// The whole content.
    ///
    /// # Errors
    /// Where the content cannot be read. An [`std::io::Error`] converts into [`Error`].
    fn read(&self, file: u32) -> Result<FileData, Error>;

    /// The content as a stream. The default reads all of it.
    ///
    /// # Errors
    /// As [`read`](Files::read).
    fn open(&self, file: u32) -> Result<FileReader, Error> {
        self.read(file).map(FileReader::from)
    }

    /// Checks what the directory says of the file, without reading its payload. The default finds nothing wrong.
    ///
    /// # Errors
    /// Those of [`read`](Files::read), as far as the directory shows them.
    fn check(&self, file: u32) -> Result<(), Error> {
        let _ = file;
        Ok(())
    }

    /// Where the plain bytes of the content lie in the archive; `None` where they are compressed, and by default. For
    /// [`ArchiveEntry::range`](crate::archive::ArchiveEntry::range): files of a caller's own are read by [`read`](Files::read) and
    /// [`open`](Files::open) alone.
    fn range(&self, file: u32) -> Option<Range<u64>> {
        let _ = file;
        None
    }

    /// What the directory says of the file besides its size. The default is a stored file at offset 0.
    fn row(&self, file: u32) -> Row<'_> {
        Row {
            name: EntryName::from_bytes(self.name(file)),
            offset: 0,
            stored_size: self.size(file),
            method: Method::Stored,
            is_folder: false,
        }
    }
}

/// What the directory of an archive says of one file.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The name as stored.
    pub name: EntryName<'a>,
    /// Where the file starts, in bytes from the start of the archive: its payload in a PACK, its local header in a
    /// ZIP.
    pub offset: u64,
    /// Bytes that the payload takes in the archive.
    pub stored_size: u64,
    /// How the payload is stored.
    pub method: Method,
    /// Whether the row stands for a folder, as some rows of a ZIP do: no request finds it.
    pub is_folder: bool,
}

/// How the payload of an entry is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// As plain bytes.
    Stored,
    /// By Daikatana's codec.
    Daikatana,
    /// By deflate.
    Deflate,
    /// By another method of ZIP, of this number: such an entry cannot be read.
    Other(u16),
}
