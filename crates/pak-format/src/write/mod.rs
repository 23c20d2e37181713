//! Writing: [`Builder`] makes an archive of [`Source`]s.

mod builder;
#[cfg(feature = "edit")]
mod file;
#[cfg(feature = "edit")]
pub mod folder;
mod payload;
mod progress;
mod source;
mod wad;
#[cfg(feature = "zip")]
mod zip;

pub use self::builder::Builder;
#[cfg(feature = "edit")]
pub use self::file::{Held, WriteOptions};
pub use self::progress::Progress;
pub use self::source::Source;
#[cfg(feature = "edit")]
pub(crate) use self::{
    file::{commit, not_opened, replacing},
    payload::{Payload, PayloadWriter, WRITE, compresses, of_content, offset},
    progress::Work,
    source::CHUNK,
};
