//! Writing an archive: payloads first, the directory last, no gaps, the same bytes for the same calls.

use crate::error::{Error, ErrorKind};
use crate::layout::{Header, Layout, Row};
use crate::name::{self, EntryName};

/// Collects files and lays them out as an archive. Payloads are stored as they are.
///
/// ```
/// use pak_format::{Archive, Builder, Layout};
/// let mut builder = Builder::new(Layout::Sin);
/// builder.add("scripts/a.cfg", "echo hello\n")?;
/// assert_eq!(Archive::parse(builder.finish()?)?.layout(), Layout::Sin);
/// # Ok::<(), pak_format::Error>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    layout: Layout,
    image: Vec<u8>,
    rows: Vec<u8>,
}

impl Builder {
    /// An empty archive of this layout.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Builder { layout, image: vec![0; Header::SIZE], rows: Vec::new() }
    }

    /// Adds a file behind those that were added before. The same name may be added twice, as archives in the
    /// world have it; engines differ in which of the two they serve.
    ///
    /// Fails with [`ErrorKind::Name`] where [`name::writable`] does, and with [`ErrorKind::TooLarge`].
    pub fn add(&mut self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Result<(), Error> {
        let (name, content) = (name.as_ref(), content.as_ref());
        let place = |kind| Error::from(kind).at_entry(self.len(), EntryName::from_bytes(name));
        name::writable(name, self.layout).map_err(|fault| place(ErrorKind::Name(fault)))?;
        let end = self.image.len() as u64 + content.len() as u64;
        let total = end + self.rows.len() as u64 + self.layout.row_size() as u64;
        let too_large = |_| place(ErrorKind::TooLarge { size: total });
        u32::try_from(total).map_err(too_large)?;
        let offset = u32::try_from(self.image.len()).map_err(too_large)?;
        let size = u32::try_from(content.len()).map_err(too_large)?;
        let row = Row { name, offset, size, compressed_size: size, compression: 0 };
        row.encode(self.layout, &mut self.rows);
        self.image.extend_from_slice(content);
        Ok(())
    }

    /// How many files were added.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len() / self.layout.row_size()
    }

    /// Whether no file was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The archive. Fails with [`ErrorKind::TooLarge`].
    pub fn finish(mut self) -> Result<Vec<u8>, Error> {
        let too_large = |size: usize| ErrorKind::TooLarge { size: size as u64 };
        let directory_offset = u32::try_from(self.image.len()).map_err(|_| too_large(self.image.len()))?;
        let directory_size = u32::try_from(self.rows.len()).map_err(|_| too_large(self.rows.len()))?;
        let header = Header { magic: self.layout.magic(), directory_offset, directory_size };
        if let Some(space) = self.image.first_chunk_mut() {
            *space = header.encode();
        }
        self.image.append(&mut self.rows);
        Ok(self.image)
    }
}
