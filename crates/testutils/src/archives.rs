//! Archives with any names, including names that the libraries refuse to write.

use std::io::Write as _;

use flate2::write::{DeflateEncoder, ZlibEncoder};
use pak_format::Layout;
use pak_format::record::{Header, Row};
use rawzip::{CompressionMethod, ZipArchiveWriter};

/// A PACK archive, row by row.
#[derive(Clone, Debug)]
pub struct Pack {
    layout: Layout,
    /// The header, then the payloads.
    image: Vec<u8>,
    rows: Vec<u8>,
}

impl Pack {
    /// An archive without rows.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Pack { layout, image: vec![0; Header::SIZE], rows: Vec::new() }
    }

    /// Appends a payload without a row, and returns its offset.
    pub fn payload(&mut self, content: &[u8]) -> u32 {
        let offset = number(self.image.len());
        self.image.extend_from_slice(content);
        offset
    }

    /// Appends a row for a payload or any other bytes.
    pub fn row(&mut self, name: &[u8], offset: u32, size: u32) {
        let row = Row { name, offset, size, compressed_size: size, compression: 0 };
        row.encode(self.layout, &mut self.rows);
    }

    /// Appends a row for a payload that is compressed with Daikatana's codec.
    pub fn compressed_row(&mut self, name: &[u8], offset: u32, compressed_size: usize, size: usize) {
        let (size, compressed_size) = (number(size), number(compressed_size));
        Row { name, offset, size, compressed_size, compression: 1 }.encode(self.layout, &mut self.rows);
    }

    /// The archive: header, payloads, rows.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let Pack { layout, mut image, rows } = self;
        let header = Header {
            magic: layout.magic(),
            directory_offset: number(image.len()),
            directory_size: number(rows.len()),
        };
        image[..Header::SIZE].copy_from_slice(&header.encode());
        image.extend(rows);
        image
    }
}

fn number(size: usize) -> u32 {
    u32::try_from(size).unwrap()
}

/// A PACK archive of these files, in this order.
pub fn pack<N: AsRef<[u8]>, C: AsRef<[u8]>>(
    layout: Layout,
    files: impl IntoIterator<Item = (N, C)>,
) -> Vec<u8> {
    let mut pack = Pack::new(layout);
    for (name, content) in files {
        let content = content.as_ref();
        let offset = pack.payload(content);
        pack.row(name.as_ref(), offset, number(content.len()));
    }
    pack.finish()
}

/// An archive of Anachronox of these files, each with whether it is compressed.
#[must_use]
pub fn anachronox(files: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let (mut image, mut rows) = (vec![0; 16], Vec::new());
    for (name, content, is_compressed) in files {
        let offset = number(image.len());
        let compressed = is_compressed.then(|| {
            let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        });
        image.extend_from_slice(compressed.as_deref().unwrap_or(content));
        let mut row = name.as_bytes().to_vec();
        row.resize(128, 0);
        let compressed_size = compressed.map_or(0, |payload| number(payload.len()));
        row.extend([offset, number(content.len()), compressed_size, 0xabcd].map(u32::to_le_bytes).concat());
        rows.extend(row);
    }
    let header =
        [*b"ADAT", number(image.len()).to_le_bytes(), number(rows.len()).to_le_bytes(), [9, 0, 0, 0]];
    image[..16].copy_from_slice(&header.concat());
    image.extend(rows);
    image
}

/// A ZIP of stored files. A name that ends in `/` is a folder.
pub fn zip<N: AsRef<[u8]>, C: AsRef<[u8]>>(files: impl IntoIterator<Item = (N, C)>) -> Vec<u8> {
    zip_mixed(files.into_iter().map(|(name, content)| (name, content, false)))
}

/// A ZIP of deflated files. A name that ends in `/` is a folder.
pub fn zip_deflated<N: AsRef<[u8]>, C: AsRef<[u8]>>(files: impl IntoIterator<Item = (N, C)>) -> Vec<u8> {
    zip_mixed(files.into_iter().map(|(name, content)| (name, content, true)))
}

/// A ZIP of files, each with whether it is deflated. A name that ends in `/` is a folder.
pub fn zip_mixed<N: AsRef<[u8]>, C: AsRef<[u8]>>(files: impl IntoIterator<Item = (N, C, bool)>) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, content, deflated) in files {
        let (name, content) = (std::str::from_utf8(name.as_ref()).unwrap(), content.as_ref());
        if name.ends_with('/') {
            archive.new_dir(name).create().unwrap();
            continue;
        }
        let method = if deflated { CompressionMethod::DEFLATE } else { CompressionMethod::STORE };
        let (mut entry, config) = archive.new_file(name).compression_method(method).start().unwrap();
        let descriptor = if deflated {
            let encoder = DeflateEncoder::new(&mut entry, flate2::Compression::default());
            let mut writer = config.wrap(encoder);
            writer.write_all(content).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}
