//! One archive of any kind, as numbered files: the PACK family, ZIP, WAD, Anachronox's, or a kind of the
//! caller's own.

mod anachronox;
#[expect(clippy::module_inception, reason = "the type has the name of the room")]
pub(crate) mod archive;
mod by_name;
mod decoded;
mod files;
mod image;
mod names;
mod options;
mod pak;
mod wad;
mod zip;
mod zip_end;

pub(crate) use self::archive::Archive;
pub use self::archive::ArchiveEntry;
pub(crate) use self::decoded::{Decoded, crc32};
pub use self::files::{Files, Method, Row};
pub(crate) use self::image::Image;
pub use self::options::OpenOptions;
pub(crate) use self::pak::Pak;
pub(crate) use self::zip::Zip;
pub use crate::rules::ArchiveKind;
