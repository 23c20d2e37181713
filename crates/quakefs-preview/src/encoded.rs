//! Pictures as files.

use crate::{Error, Image};

/// An encoded picture.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoded {
    /// `image/png`, `image/jpeg` or `image/bmp`.
    pub media_type: &'static str,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

impl Image {
    /// Encodes the picture as a PNG if it has at most 256 colours or transparent parts, otherwise as a JPEG, which needs a third of the
    /// bytes. Without the feature `jpeg` it is always a PNG, and without `png` a BMP, which needs no compressor.
    ///
    /// # Errors
    /// The encoder failed, which does not happen for pictures of this crate.
    pub fn encode(&self) -> Result<Encoded, Error> {
        #[cfg(feature = "png")]
        return crate::compressed::encode(self).map(|(media_type, bytes)| Encoded { media_type, bytes });
        #[cfg(not(feature = "png"))]
        return self.encode_plain();
    }

    #[cfg(not(feature = "png"))]
    fn encode_plain(&self) -> Result<Encoded, Error> {
        let mut file = Vec::new();
        image::codecs::bmp::BmpEncoder::new(&mut file)
            .encode(self.rgba(), self.width(), self.height(), image::ExtendedColorType::Rgba8)
            .map_err(|error| Error::decoder(&error))?;
        Ok(Encoded { media_type: "image/bmp", bytes: file })
    }
}
