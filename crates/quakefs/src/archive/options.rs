//! How to open an archive.

use pak_format::Layout;

use crate::disk::Access;

/// Options for opening an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Whether the file is mapped or read.
    pub access: Access,
    /// The layout of a PACK; `None` to detect it from the bytes.
    pub layout: Option<Layout>,
}

impl OpenOptions {
    /// The defaults: map the file and detect the layout.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether the file is mapped or read.
    #[must_use]
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Sets the layout, for archives whose bytes are ambiguous.
    #[must_use]
    pub fn layout(mut self, layout: impl Into<Option<Layout>>) -> Self {
        self.layout = layout.into();
        self
    }
}
