//! A ZIP byte by byte, so that any field can be wrong.

use flate2::Crc;

/// One file: the fields of its local header and of its central record, and its payload.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields have the names of the format's description")]
pub struct Member {
    pub name: Vec<u8>,
    pub flags: u16,
    pub method: u16,
    pub crc: u32,
    pub stored_size: u32,
    pub size: u32,
    /// The extra field of the central record. The local header has none.
    pub extra: Vec<u8>,
    pub comment: Vec<u8>,
    pub disk: u16,
    /// The system of the writer: 0 for DOS, 3 for Unix, 10 for NTFS.
    pub host: u8,
    pub payload: Vec<u8>,
    /// A data descriptor after the payload. If set, the sizes and the CRC of the local header are zero.
    pub descriptor: Option<Vec<u8>>,
    /// The offset in the central record, if it differs from the offset of the local header.
    pub offset: Option<u32>,
}

/// The end record.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields have the names of the format's description")]
pub struct End {
    pub disk: u16,
    pub count: u16,
    pub size: u32,
    pub offset: u32,
    pub comment: Vec<u8>,
}

/// The length of these bytes as a field of four bytes.
#[must_use]
pub fn size_of(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap()
}

fn short(bytes: &[u8]) -> [u8; 2] {
    u16::try_from(bytes.len()).unwrap().to_le_bytes()
}

/// CRC-32 of these bytes.
#[must_use]
pub fn crc_of(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// A stored file with correct fields.
#[must_use]
pub fn stored(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Member {
    let content = content.as_ref();
    Member {
        name: name.as_ref().to_vec(),
        flags: 0,
        method: 0,
        crc: crc_of(content),
        stored_size: size_of(content),
        size: size_of(content),
        extra: Vec::new(),
        comment: Vec::new(),
        disk: 0,
        host: 0,
        payload: content.to_vec(),
        descriptor: None,
        offset: None,
    }
}

/// A file of method 8 whose payload is `stream`, which should inflate to `content`.
#[must_use]
pub fn deflated(name: impl AsRef<[u8]>, stream: &[u8], content: impl AsRef<[u8]>) -> Member {
    Member { method: 8, stored_size: size_of(stream), payload: stream.to_vec(), ..stored(name, content) }
}

impl Member {
    /// The same file with one field changed.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Member)) -> Member {
        change(&mut self);
        self
    }

    fn local(&self) -> Vec<u8> {
        let streamed = self.descriptor.is_some();
        let unless_streamed = |number: u32| if streamed { 0 } else { number }.to_le_bytes();
        let flags = self.flags | if streamed { 8 } else { 0 };
        let name = &self.name;
        let mut bytes = Vec::new();
        bytes.extend(*b"PK\x03\x04\x14\0");
        bytes.extend(flags.to_le_bytes());
        bytes.extend(self.method.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(unless_streamed(self.crc));
        bytes.extend(unless_streamed(self.stored_size));
        bytes.extend(unless_streamed(self.size));
        bytes.extend(short(name));
        bytes.extend([0; 2]);
        bytes.extend(name);
        bytes.extend(&self.payload);
        bytes.extend(self.descriptor.iter().flatten());
        bytes
    }

    fn central(&self, offset: u32) -> Vec<u8> {
        let flags = self.flags | if self.descriptor.is_some() { 8 } else { 0 };
        let mut bytes = Vec::new();
        bytes.extend(*b"PK\x01\x02\x14");
        bytes.extend([self.host]);
        bytes.extend(*b"\x14\0");
        bytes.extend(flags.to_le_bytes());
        bytes.extend(self.method.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(self.crc.to_le_bytes());
        bytes.extend(self.stored_size.to_le_bytes());
        bytes.extend(self.size.to_le_bytes());
        bytes.extend(short(&self.name));
        bytes.extend(short(&self.extra));
        bytes.extend(short(&self.comment));
        bytes.extend(self.disk.to_le_bytes());
        bytes.extend([0; 6]);
        bytes.extend(self.offset.unwrap_or(offset).to_le_bytes());
        bytes.extend(&self.name);
        bytes.extend(&self.extra);
        bytes.extend(&self.comment);
        bytes
    }
}

/// The local headers and payloads, one after another, and the central directory.
#[must_use]
pub fn parts(members: &[Member]) -> (Vec<u8>, Vec<u8>) {
    let (mut files, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        directory.extend(member.central(size_of(&files)));
        files.extend(member.local());
    }
    (files, directory)
}

/// The bytes of an end record.
#[must_use]
pub fn end(end: &End) -> Vec<u8> {
    let mut bytes = b"PK\x05\x06".to_vec();
    bytes.extend(end.disk.to_le_bytes());
    bytes.extend(end.disk.to_le_bytes());
    bytes.extend(end.count.to_le_bytes());
    bytes.extend(end.count.to_le_bytes());
    bytes.extend(end.size.to_le_bytes());
    bytes.extend(end.offset.to_le_bytes());
    bytes.extend(short(&end.comment));
    bytes.extend(&end.comment);
    bytes
}

/// An archive with an end record that `change` damages.
#[must_use]
pub fn zip_with_end(members: &[Member], change: impl FnOnce(&mut End)) -> Vec<u8> {
    let (files, directory) = parts(members);
    let mut last = End {
        disk: 0,
        count: u16::try_from(members.len()).unwrap(),
        size: size_of(&directory),
        offset: size_of(&files),
        comment: Vec::new(),
    };
    change(&mut last);
    [files, directory, end(&last)].concat()
}

/// An archive with a correct end record.
#[must_use]
pub fn zip(members: &[Member]) -> Vec<u8> {
    zip_with_end(members, |_| ())
}

/// The extra field of ZIP64 with these numbers.
#[must_use]
pub fn zip64_extra(numbers: &[u64]) -> Vec<u8> {
    let body: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    [&[1, 0][..], &short(&body), &body].concat()
}

/// An archive with its count, size and offset in the ZIP64 end record. `change` may damage the three.
#[must_use]
pub fn zip64(members: &[Member], change: impl FnOnce(&mut [u64; 3])) -> Vec<u8> {
    let (files, directory) = parts(members);
    let at = (files.len() + directory.len()) as u64;
    let mut numbers = [members.len() as u64, directory.len() as u64, files.len() as u64];
    change(&mut numbers);
    let mut image = [files, directory].concat();
    image.extend(*b"PK\x06\x06");
    image.extend(44_u64.to_le_bytes());
    image.extend([45, 0, 45, 0]);
    image.extend([0; 8]);
    for number in [numbers[0], numbers[0], numbers[1], numbers[2]] {
        image.extend(number.to_le_bytes());
    }
    image.extend(*b"PK\x06\x07\0\0\0\0");
    image.extend(at.to_le_bytes());
    image.extend(1_u32.to_le_bytes());
    image.extend(end(&End { disk: 0, count: 0xffff, size: u32::MAX, offset: u32::MAX, comment: Vec::new() }));
    image
}
