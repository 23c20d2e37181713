//! Pictures as files.

use crate::{Error, Image};

impl Image {
    /// Encodes the picture, and returns its media type (`image/png`, `image/jpeg` or `image/bmp`) and the bytes of the file.
    ///
    /// A picture with at most 256 colours or transparent parts becomes a PNG. Any other becomes a JPEG, which needs a
    /// third of the bytes. Without the feature `jpeg` it is always a PNG, and without `png` a BMP, which needs no
    /// compressor.
    ///
    /// # Errors
    /// The encoder failed. This does not happen for pictures of this crate.
    pub fn encode(&self) -> Result<(&'static str, Vec<u8>), Error> {
        #[cfg(feature = "png")]
        return crate::compressed::encode(self);
        #[cfg(not(feature = "png"))]
        return self.encode_plain();
    }

    #[cfg(not(feature = "png"))]
    fn encode_plain(&self) -> Result<(&'static str, Vec<u8>), Error> {
        let mut file = Vec::new();
        image::codecs::bmp::BmpEncoder::new(&mut file)
            .encode(self.rgba(), self.width(), self.height(), image::ExtendedColorType::Rgba8)
            .map_err(|error| Error::decoder(&error))?;
        Ok(("image/bmp", file))
    }
}
