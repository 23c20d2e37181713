//! Why a file of a folder does not go into an archive.

use pak_format::folder::{CollectError, CollectErrorKind, LeftOut, LeftOutBecause};
use pak_format::name::escape_path;

use super::{Reader, Said, Say};

impl Say for LeftOut {
    /// The sentence begins with the path.
    fn say_to(&self, reader: Reader<'_>) -> Said {
        let help = match self.because {
            LeftOutBecause::Temporary => Some("remove it"),
            LeftOutBecause::Unwanted => match reader {
                Reader::Shell(_) => Some("--all takes it too"),
                Reader::Window => None,
            },
            _ => None,
        };
        Said::with_help(format!("{}: not packed: {}", escape_path(&self.path), self.because), help)
    }
}

impl Say for CollectError {
    fn say_to(&self, reader: Reader<'_>) -> Said {
        let help = match self.kind {
            CollectErrorKind::NoName => {
                Some(reader.either("name that folder by -C", "name the folder that names are relative to"))
            }
            CollectErrorKind::NotUtf8 => Some("rename it"),
            _ => None,
        };
        Said::with_help(self.to_string(), help)
    }
}
