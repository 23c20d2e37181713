//! Attacks on catalogs that are folders of files: nobody loses a folder or a file to one.

use std::fs;

use pak_format::Layout;
use quakefs_archives::{Catalog, CatalogError, CatalogFormat, Catalogued, Collection, ExistingCatalog};
use testutils::{Folder, pack};

const BOTH: [ExistingCatalog; 2] = [ExistingCatalog::Update, ExistingCatalog::Replace];

/// Three archives.
fn archives() -> Folder {
    let folder = Folder::new();
    for number in 0..3_u8 {
        folder.write(&format!("{number}.pak"), pack(Layout::Quake, [("progs.dat", vec![number; 50])]));
    }
    folder
}

fn write(
    archives: &Folder,
    out: &Folder,
    name: &str,
    existing: ExistingCatalog,
) -> Result<Catalogued, CatalogError> {
    let collection = Collection::search([archives.path()]);
    Catalog::default().write_folder(&collection, out.join(name), 2.try_into().unwrap(), existing)
}

/// `mods.new`, `mods.old` and `mods.partial` are catalogs of the user, like `mods`.
#[test]
fn folders_with_names_like_that_of_a_catalog_stay() {
    let (folder, out) = (archives(), Folder::new());
    let others = ["mods.new", "mods.old", "mods.partial"];
    for other in others {
        write(&folder, &out, other, ExistingCatalog::Refuse).unwrap();
    }
    write(&folder, &out, "mods", ExistingCatalog::Refuse).unwrap();
    for existing in BOTH {
        write(&folder, &out, "mods", existing).unwrap();
    }
    assert_eq!(out.names(""), ["mods", "mods.new", "mods.old", "mods.partial"]);
    for other in others {
        assert_eq!(out.names(other), ["00000.jsonl", "00001.jsonl"], "{other}");
    }
}

/// A file or a folder that a run would use is somebody else's, so the run refuses to start.
#[test]
fn a_folder_of_another_program_beside_a_catalog_stays() {
    for file in ["notes", "new/00000.jsonl", "lock"] {
        let (folder, out) = (archives(), Folder::new());
        out.write(&format!(".quakefs-mods.catalog/{file}"), "mine");
        for existing in BOTH {
            let error = write(&folder, &out, "mods", existing).unwrap_err();
            assert!(error.to_string().contains(".quakefs-mods.catalog"), "{error}");
        }
        assert_eq!(fs::read(out.join(".quakefs-mods.catalog").join(file)).unwrap(), b"mine");
    }
}

/// The lock of an earlier version had this name.
#[test]
fn a_file_with_the_name_of_a_lock_stays() {
    let (folder, out) = (archives(), Folder::new());
    out.write(".quakefs-mods.lock", "mine");
    write(&folder, &out, "mods", ExistingCatalog::Update).unwrap();
    assert_eq!(fs::read(out.join(".quakefs-mods.lock")).unwrap(), b"mine");
}

#[cfg(unix)]
#[test]
fn a_lock_that_is_a_link_or_a_pipe_is_refused_and_not_waited_for() {
    let (folder, out) = (archives(), Folder::new());
    let mine = Folder::with([("mine", "mine")]);
    let work = out.join(".quakefs-mods.catalog");
    std::os::unix::fs::symlink(mine.path(), &work).unwrap();
    write(&folder, &out, "mods", ExistingCatalog::Update).unwrap_err();
    fs::remove_file(&work).unwrap();
    fs::create_dir(&work).unwrap();
    std::os::unix::fs::symlink(mine.path().join("new"), work.join("lock")).unwrap();
    write(&folder, &out, "mods", ExistingCatalog::Update).unwrap_err();
    fs::remove_file(work.join("lock")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(work.join("lock")).status().unwrap();
    assert!(made.success());
    write(&folder, &out, "mods", ExistingCatalog::Update).unwrap_err();
    assert_eq!(mine.names(""), ["mine"]);
}

#[cfg(unix)]
#[test]
fn a_catalog_behind_a_link_is_replaced_there() {
    let (folder, out, real) = (archives(), Folder::new(), Folder::new());
    write(&folder, &real, "mods", ExistingCatalog::Refuse).unwrap();
    std::os::unix::fs::symlink(real.join("mods"), out.join("link")).unwrap();
    for existing in BOTH {
        write(&folder, &out, "link", existing).unwrap();
        assert_eq!(real.names("mods"), ["00000.jsonl", "00001.jsonl"]);
        assert!(out.join("link").is_symlink());
    }
    assert_eq!((out.names(""), real.names("")), (vec!["link".to_owned()], vec!["mods".to_owned()]));
}

/// Names such as `20251126.jsonl` are those of a diary too.
#[test]
fn numbered_files_without_rows_of_a_catalog_are_not_replaced() {
    for format in CatalogFormat::ALL {
        let (folder, out) = (archives(), Folder::new());
        let file = format!("diary/20251126.{}", format.name());
        out.write(&file, "{\"day\":1}\n");
        let collection = Collection::search([folder.path()]);
        let catalog = Catalog { format: *format, ..Catalog::default() };
        for existing in BOTH {
            catalog
                .write_folder(&collection, out.join("diary"), 2.try_into().unwrap(), existing)
                .unwrap_err();
        }
        assert_eq!(fs::read(out.join(&file)).unwrap(), b"{\"day\":1}\n");
        // but a catalog is
        catalog
            .write_folder(&collection, out.join("mods"), 2.try_into().unwrap(), ExistingCatalog::Refuse)
            .unwrap();
        for existing in BOTH {
            catalog.write_folder(&collection, out.join("mods"), 2.try_into().unwrap(), existing).unwrap();
        }
    }
}

/// A run that was killed between its two renames.
#[test]
fn a_catalog_that_a_killed_run_moved_away_comes_back() {
    let (folder, out) = (archives(), Folder::new());
    write(&folder, &out, "mods", ExistingCatalog::Refuse).unwrap();
    out.write(
        ".quakefs-mods.catalog/lock",
        "quakefs pak catalog works here. If no such command is running, remove this folder.\n",
    );
    fs::rename(out.join("mods"), out.join(".quakefs-mods.catalog/old")).unwrap();
    assert_eq!(write(&folder, &out, "mods", ExistingCatalog::Update).unwrap().kept, 3);
    assert_eq!(out.names(""), ["mods"]);
}
