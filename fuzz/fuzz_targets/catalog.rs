//! Any bytes as an earlier catalog of any format: an update ends with an error and leaves the file as it was,
//! or the new catalog has the same archives as one that was made afresh, and can be updated again.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use quakefs_archives::{Catalog, CatalogFormat, Collection, ExistingCatalog};
use testutils::{Folder, pack};

#[derive(Arbitrary, Debug)]
struct Input {
    format: u8,
    earlier: Earlier,
}

#[derive(Arbitrary, Debug)]
enum Earlier {
    Any(Vec<u8>),
    /// A catalog with other bytes at some places.
    Damaged(Vec<(u16, u8)>),
    /// A catalog that is cut off.
    Cut(u16),
}

const FORMATS: [(CatalogFormat, &str); 3] =
    [(CatalogFormat::JsonLines, "jsonl"), (CatalogFormat::Csv, "csv"), (CatalogFormat::Parquet, "parquet")];

fuzz_target!(
    // the reader of Parquet panics at some files, which the library catches
    init: std::panic::set_hook(Box::new(|panic| eprintln!("{panic}"))),
    |input: Input| check(&input)
);

fn check(input: &Input) {
    let folder = Folder::with([(
        "a.pak",
        pack(pak_format::Layout::Quake, [("maps/start.bsp", "level"), ("b.cfg", "")]),
    )]);
    let (format, extension) = *quakefs_fuzz::pick(&FORMATS, input.format);
    let catalog = Catalog { format, ..Catalog::default() };
    let path = folder.join(format!("mods.{extension}").as_str());
    let collection = || Collection::search([folder.join("a.pak")]);
    let write = |existing| catalog.write_file(&collection(), &path, existing);
    let fresh = write(ExistingCatalog::Refuse).expect("a new catalog");
    let mut bytes = std::fs::read(&path).expect("it was written");
    match &input.earlier {
        Earlier::Any(any) => bytes.clone_from(any),
        Earlier::Damaged(places) => {
            for (place, byte) in places {
                let place = usize::from(*place) % bytes.len();
                bytes[place] = *byte;
            }
        }
        Earlier::Cut(length) => bytes.truncate((*length).into()),
    }
    std::fs::write(&path, &bytes).expect("it was written");
    match write(ExistingCatalog::Update) {
        Err(error) => {
            assert!(
                !error.to_string().contains(|letter: char| letter.is_control() && letter != '\n'),
                "{error}"
            );
            assert_eq!(std::fs::read(&path).expect("it is there"), bytes);
        }
        Ok(updated) => {
            assert_eq!(updated.archives, fresh.archives);
            let again = write(ExistingCatalog::Update).expect("what was written can be updated");
            assert_eq!(again.kept, again.archives);
        }
    }
}
