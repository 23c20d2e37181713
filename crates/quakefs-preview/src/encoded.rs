//! Pictures as files.

use crate::{Error, Image};

impl Image {
    /// Encodes the picture, and returns its media type (`image/png`, `image/jpeg` or `image/bmp`) and the
    /// bytes of the file.
    ///
    /// A picture with at most 256 colours or transparent parts becomes a PNG. Any other becomes a JPEG, which
    /// needs a third of the bytes. Without the feature `jpeg` it is always a PNG, and without `png` a BMP,
    /// which needs no compressor.
    ///
    /// # Errors
    /// The encoder failed. This does not happen for pictures of this crate.
    pub fn encode(&self) -> Result<(&'static str, Vec<u8>), Error> {
        #[cfg(feature = "png")]
        return crate::compressed::encode(self);
        #[cfg(not(feature = "png"))]
        return Ok(self.encode_plain());
    }

    #[cfg(not(feature = "png"))]
    fn encode_plain(&self) -> (&'static str, Vec<u8>) {
        /// The file's header and the picture's header, a `BITMAPV4HEADER`.
        const HEAD: u32 = 14 + 108;
        let size = u32::try_from(self.rgba.len()).unwrap_or(u32::MAX);
        // a negative height: the rows begin at the top
        let rows = self.height.wrapping_neg();
        let masks = [0xff, 0xff00, 0xff_0000, 0xff00_0000];
        let fields =
            [HEAD.saturating_add(size), 0, HEAD, 108, self.width, rows, 1 | 32 << 16, 3, size, 0, 0, 0, 0];
        let mut file = b"BM".to_vec();
        for field in fields.into_iter().chain(masks).chain([u32::from_be_bytes(*b"sRGB")]) {
            file.extend(field.to_le_bytes());
        }
        file.resize(HEAD as usize, 0);
        file.extend_from_slice(&self.rgba);
        ("image/bmp", file)
    }
}
