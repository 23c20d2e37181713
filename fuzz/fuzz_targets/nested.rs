//! Archives in archives: each is found once, the bytes that are decoded for one are within its budget, and a
//! catalog of all has a row for each entry that has a name, with names that print.
#![no_main]

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use quakefs::archive::OpenOptions;
use quakefs_archives::{Catalog, Collection};
use quakefs_fuzz::{Image, Name};

/// An archive with archives in it.
#[derive(Debug)]
struct Outer {
    image: Image,
}

const DEEPEST: usize = 5;

fn outer(u: &mut Unstructured<'_>, depth: usize) -> Result<Image> {
    let mut image = Image::arbitrary(u)?;
    let count = if depth < DEEPEST { u.int_in_range(0..=2)? } else { 0 };
    for _ in 0..count {
        let inner = outer(u, depth + 1)?;
        let name = if u.ratio(1, 4)? { Name::arbitrary(u)?.0 } else { b"a".to_vec() };
        let name = [name, b".".to_vec(), inner.extension().into()].concat();
        image.files.push((Name(name), inner.to_bytes()));
    }
    Ok(image)
}

impl<'a> Arbitrary<'a> for Outer {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        outer(u, 0).map(|image| Outer { image })
    }
}

fuzz_target!(|input: (Outer, u16)| {
    let folder = testutils::Folder::new();
    let name = format!("a.{}", input.0.image.extension());
    folder.write(&name, input.0.image.to_bytes());
    let collection =
        Collection::search([folder.path()]).nested(&OpenOptions::default(), Some(input.1.into()));
    let paths: BTreeSet<_> = collection.archives().iter().collect();
    assert_eq!(paths.len(), collection.archives().len(), "two archives have one path");
    let mut out = Vec::new();
    let catalogued = Catalog::default().write(&collection, &mut out).expect("a vector takes all");
    assert_eq!(catalogued.archives as usize, paths.len());
    let text = String::from_utf8(out).expect("a catalog is text");
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("a row is JSON");
        assert!(row["archive"].as_str().is_some_and(|archive| !archive.contains(char::is_control)), "{line}");
    }
});
