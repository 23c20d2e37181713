//! Attacks on the rows of a catalog: what an update trusts, and what a spreadsheet runs.

use std::fs;

use pak_format::Layout;
use quakefs::archive::OpenOptions;
use quakefs_archives::{Catalog, CatalogFormat, Collection, ExistingCatalog};
use testutils::{Folder, pack, zip};

/// Changes a catalog of one archive with one entry, and updates it: the new catalog, and whether it kept the
/// rows.
fn updated(format: CatalogFormat, change: impl Fn(&str) -> String) -> (String, String, bool) {
    let folder = Folder::new();
    folder.write("pak0.pak", pack(Layout::Quake, [("progs.dat", "x")]));
    let collection = Collection::search([folder.path()]);
    let catalog = Catalog { format, ..Catalog::default() };
    let path = folder.join("mods.rows");
    catalog.write_file(&collection, &path, ExistingCatalog::Refuse).unwrap();
    let good = fs::read_to_string(&path).unwrap();
    fs::write(&path, change(&good)).unwrap();
    let written = catalog.write_file(&collection, &path, ExistingCatalog::Update).unwrap();
    (good, fs::read_to_string(&path).unwrap(), written.kept > 0)
}

#[test]
fn rows_that_this_program_does_not_write_are_not_copied() {
    let lines: [(&str, &str); 6] = [
        (r#""name":"progs.dat""#, r#""name":"progs.dat","virus":"yes""#),
        (r#""name":"progs.dat""#, r#" "name" : "progs.dat""#),
        (r#""name":"progs.dat""#, "\"name\":\"progs\u{202e}tad\""),
        (r#""name":"progs.dat""#, r#""name":"progs\u001b[2J""#),
        (r#""type":"row""#, r#""type":"summary""#),
        (r#""layout":"quake""#, "\"layout\":\"quake\u{9b}\""),
    ];
    for (from, to) in lines {
        let (good, new, kept) = updated(CatalogFormat::JsonLines, |rows| {
            assert!(rows.contains(from), "{rows}");
            rows.replace(from, to)
        });
        assert_eq!((new, kept), (good, false), "{to}");
    }
    for to in ["\"progs.dat\"", "progs\u{202e}tad", "=progs.dat", "@progs.dat"] {
        let (good, new, kept) = updated(CatalogFormat::Csv, |rows| rows.replace("progs.dat", to));
        assert_eq!((new, kept), (good, false), "{to}");
    }
    for format in [CatalogFormat::JsonLines, CatalogFormat::Csv] {
        assert!(updated(format, str::to_owned).2);
    }
}

/// The disk could not read it, or memory was short: the next run may read it.
#[test]
fn a_fault_of_the_system_is_not_kept() {
    let (good, new, kept) = updated(CatalogFormat::JsonLines, |rows| {
        let fault = r#""fault":"read failed: out of memory","fault_kind":"io""#;
        rows.replace(r#""fault":"","fault_kind":"""#, fault)
    });
    assert_eq!((new, kept), (good, false));
    // a fault of the archive is
    let (_, new, kept) = updated(CatalogFormat::JsonLines, |rows| {
        rows.replace(r#""fault":"","fault_kind":"""#, r#""fault":"x","fault_kind":"checksum""#)
    });
    assert!(kept && new.contains("checksum"), "{new}");
}

#[test]
fn no_cell_of_a_row_begins_like_a_formula() {
    let folder = Folder::new();
    let inner = pack(Layout::Quake, [("=name", "x")]);
    folder
        .write("mods.zip", zip([("=cmd|' /C calc'!A0.pak", &inner), ("@x.pak", &inner), ("-1.pak", &inner)]));
    let collection = Collection::search([folder.path()]).nested(&OpenOptions::new(), None);
    let catalog = Catalog { format: CatalogFormat::Csv, prefix: "+".to_owned(), ..Catalog::default() };
    let path = folder.join("mods.csv");
    catalog.write_file(&collection, &path, ExistingCatalog::Refuse).unwrap();
    let rows = fs::read_to_string(&path).unwrap();
    let cells = rows.lines().skip(1).flat_map(|line| line.split(',')).map(|cell| cell.trim_matches('"'));
    for cell in cells {
        assert!(!cell.starts_with(['=', '+', '-', '@']) || cell.parse::<i64>().is_ok(), "{cell}");
    }
    // and an update knows the archive again
    let written = catalog.write_file(&collection, &path, ExistingCatalog::Update).unwrap();
    assert_eq!((written.kept, written.archives), (4, 4));
}
