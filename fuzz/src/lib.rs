//! Inputs of several targets.

use arbitrary::{Arbitrary, Result, Unstructured};
use pak_format::Layout;
use testutils::{pack, raw_zip};

/// Parts of names: plain ones, the same in another case, and forbidden ones.
const PARTS: [&[u8]; 24] = [
    b"a",
    b"A",
    b"b.cfg",
    b"B.CFG",
    b"d",
    b"D",
    b"e",
    b"pak0.pak",
    b"x.pk3",
    b"caf\xe9",
    b"caf\xc3\xa9",
    b"config.cfg",
    b".x",
    b"",
    b".",
    b"..",
    b"...",
    b"C:",
    b"C:a",
    b"nul",
    b"a ",
    b"\\x41",
    b"\0",
    b"\x1b",
];

/// A stored name or a request: parts that often cause trouble, so that names collide, or any bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(pub Vec<u8>);

impl<'a> Arbitrary<'a> for Name {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        if u.ratio(1, 8)? {
            return Vec::arbitrary(u).map(Name);
        }
        let mut name = u.choose(&PARTS)?.to_vec();
        for _ in 0..u.int_in_range(0..=3)? {
            name.push(*u.choose(b"///\\")?);
            name.extend_from_slice(u.choose(&PARTS)?);
        }
        Ok(Name(name))
    }
}

impl AsRef<[u8]> for Name {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The name of a file or a folder on disk, below a folder.
#[derive(Clone, Debug)]
pub struct DiskName(pub String);

impl<'a> Arbitrary<'a> for DiskName {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let plain: Vec<_> = PARTS[..8].iter().filter_map(|part| str::from_utf8(part).ok()).collect();
        let mut name = (*u.choose(&plain)?).to_owned();
        for _ in 0..u.int_in_range(0..=2)? {
            name.push('/');
            name.push_str(u.choose(&plain)?);
        }
        Ok(DiskName(name))
    }
}

/// An archive of any names.
#[derive(Arbitrary, Clone, Debug)]
pub struct Image {
    kind: Kind,
    /// The names and contents of its entries.
    pub files: Vec<(Name, Vec<u8>)>,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Kind {
    Quake,
    Sin,
    Zip,
    DeflatedZip,
}

impl Image {
    /// The archive.
    pub fn to_bytes(&self) -> Vec<u8> {
        let files = || self.files.iter().map(|(name, content)| (name, content));
        match self.kind {
            Kind::Quake => pack(Layout::Quake, files()),
            Kind::Sin => pack(Layout::Sin, files()),
            Kind::Zip => raw_zip::zip(
                &files().map(|(name, content)| raw_zip::stored(name, content)).collect::<Vec<_>>(),
            ),
            Kind::DeflatedZip => {
                let members =
                    files().map(|(name, content)| raw_zip::deflated(name, &deflate(content), content));
                raw_zip::zip(&members.collect::<Vec<_>>())
            }
        }
    }

    /// The usual extension of the archive.
    pub fn extension(&self) -> &'static str {
        match self.kind {
            Kind::Quake | Kind::Sin => "pak",
            Kind::Zip | Kind::DeflatedZip => "pk3",
        }
    }
}

/// A deflate stream of stored blocks.
fn deflate(content: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    for block in content.chunks(usize::from(u16::MAX)) {
        let length = u16::try_from(block.len()).expect("a chunk has at most 65,535 bytes");
        stream.push(0);
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    stream.extend([1, 0, 0, 0xff, 0xff]);
    stream
}

/// An element of a list, by a number of the input.
pub fn pick<T>(all: &[T], number: u8) -> &T {
    &all[usize::from(number) % all.len()]
}
