//! `pak verify --against`, and the sums of a catalog.

use std::fs;
use std::process::Command;

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Commands as _, archive, zip};

fn mods() -> Folder {
    let folder = Folder::new();
    folder.write("mods/a.pak", archive(&[(b"maps/a.bsp", b"level"), (b"progs.dat", b"code")]));
    folder.write("mods/deep/b.pk3", zip(&[(b"maps/b.bsp", b"other level")]));
    folder
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs a program of Linux")]
fn lists_of_the_usual_programs_are_lists_of_whole_archives() {
    let folder = mods();
    for (program, options) in [
        ("sha256sum", &[][..]),
        ("sha256sum", &["--tag", "-b"]),
        ("md5sum", &[]),
        ("b2sum", &["--length=128"]),
    ] {
        let list = Command::new(program)
            .args(options)
            .args(["mods/a.pak", "mods/deep/b.pk3"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        folder.write("SUMS", list.stdout);
        let answer = folder.run("pak verify --against [DIR]/SUMS [DIR]/mods");
        // a BLAKE2 hash has as many digits as an MD5, and matches nothing here
        let expected = if program == "b2sum" { Exit::NotFound } else { Exit::Done };
        assert_eq!(answer.exit, expected, "{program} {options:?}: {}{}", answer.out(), answer.err());
    }
}

#[test]
fn entries_and_archives_that_differ_or_are_missing_are_said() {
    let folder = mods();
    let sfv = "; made by hand\r\nmaps\\a.bsp 9aeacc13\r\nmaps/b.bsp 00000000\r\na.pak 00000000\r\nnone.dat \
        00000000\r\n";
    folder.write("mods/list.sfv", sfv);
    assert_snapshot!(folder.check("pak verify --against [DIR]/mods/list.sfv [DIR]/mods"), @"
    exit: 1
    error    [DIR]/mods/deep/b.pk3: entry 0 (maps/b.bsp): its crc32 is 082a84a9, and the list has 00000000
    error    [DIR]/mods/a.pak: its crc32 is b022c943, and the list has 00000000
    error    none.dat: no archive and no entry has this name
    [DIR]/mods/list.sfv: 1 ok, 2 different, 1 not there
    ");
    assert_snapshot!(folder.check("--json pak verify --against [DIR]/mods/list.sfv [DIR]/mods"), @r#"
    exit: 1
    {"type":"sum","name":"maps\\a.bsp","location":"[DIR]/mods/a.pak: entry 0 (maps/a.bsp)","verdict":"ok","hash":"crc32","expected":"9aeacc13","found":"9aeacc13","reason":null}
    {"type":"sum","name":"maps/b.bsp","location":"[DIR]/mods/deep/b.pk3: entry 0 (maps/b.bsp)","verdict":"differs","hash":"crc32","expected":"00000000","found":"082a84a9","reason":null}
    {"type":"sum","name":"a.pak","location":"[DIR]/mods/a.pak","verdict":"differs","hash":"crc32","expected":"00000000","found":"b022c943","reason":null}
    {"type":"sum","name":"none.dat","location":null,"verdict":"missing","hash":null,"expected":"00000000","found":null,"reason":null}
    "#);
    // an archive by its path from the folder of the list
    let crc = crc(&folder, "mods/deep/b.pk3");
    folder.write("mods/list.sfv", format!("deep/b.pk3 {crc}\nb.pk3 {crc}\n"));
    assert_snapshot!(folder.check("pak verify --long --against [DIR]/mods/list.sfv [DIR]/mods"), @"
    ok       [DIR]/mods/deep/b.pk3
    ok       [DIR]/mods/deep/b.pk3
    [DIR]/mods/list.sfv: 2 ok
    1 archive is not in the list
    ");
}

#[test]
fn a_list_from_another_folder_names_archives_by_the_ends_of_their_paths() {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.write(&format!("backup/{name}/pak0.pak"), archive(&[(name.as_bytes(), b"1")]));
    }
    let [a, b] = ["a", "b"].map(|name| crc(&folder, &format!("backup/{name}/pak0.pak")));
    for prefix in ["", "mods/", "old/mods/"] {
        folder.write("list", format!("{prefix}a/pak0.pak {a}\n{prefix}b/pak0.pak {b}\n"));
        let answer = folder.check("pak verify --against [DIR]/list [DIR]/backup");
        assert_eq!(answer, "[DIR]/list: 2 ok\n1 archive is not in the list\n");
    }
    let lines = folder.run("--json pak verify --against [DIR]/list [DIR]/backup").json();
    assert_eq!((&lines[2]["type"], &lines[2]["archives"]), (&"not-listed".into(), &1.into()));
    // the same end, and one archive
    folder.write("list", format!("x/a/pak0.pak {a}\ny/a/pak0.pak {a}\n"));
    let answer = folder.run("pak verify --against [DIR]/list [DIR]/backup");
    assert!(answer.out().contains("2 not there"), "{}", answer.out());
}

/// The sum that the catalog has of a whole archive.
fn crc(folder: &Folder, path: &str) -> String {
    let answer = folder.run(&format!("--json pak catalog --hash crc32 [DIR]/{path}"));
    answer.json()[0]["archive_crc32"].as_str().unwrap().to_owned()
}

#[test]
fn a_name_with_backslashes_is_the_one_with_slashes() {
    let folder = Folder::new();
    folder.write("a.pak", archive(&[(br"maps\a.bsp", b"level"), (b"maps/b.bsp", b"level")]));
    folder.write("list", "maps/a.bsp 9aeacc13\nmaps\\b.bsp 9aeacc13\n");
    let answer = folder.run("pak verify --against [DIR]/list [DIR]/a.pak");
    assert_eq!(answer.exit, Exit::Done, "{}", answer.out());
}

#[test]
fn a_missing_or_broken_list_is_a_failure() {
    let folder = mods();
    folder.write("text", "hello\n");
    folder.write("empty", "; nothing\n");
    for list in ["text", "empty", "none", "mods"] {
        let answer = folder.run(&format!("pak verify --against [DIR]/{list} [DIR]/mods"));
        assert_eq!(answer.exit, Exit::Failed, "{list}");
        assert_eq!(answer.out(), "");
        assert!(answer.err().contains(list), "{}", answer.err());
    }
    let answer = folder.run("pak verify --deep --against [DIR]/text [DIR]/mods");
    assert_eq!(answer.exit, Exit::Failed);
}

#[test]
fn an_unreadable_entry_does_not_equal_another() {
    let folder = Folder::new();
    let pak = archive(&[(b"a", b"content")]);
    folder.write("a.pak", &pak);
    let mut cut = pak;
    // the row claims more than there is
    let at = cut.len() - 4;
    cut[at..].copy_from_slice(&9000_u32.to_le_bytes());
    folder.write("cut.pak", cut);
    folder.write("list", "a 00000000\n");
    let answer = folder.run("pak verify --against [DIR]/list [DIR]/cut.pak");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.out().contains("1 not read"), "{}", answer.out());
}

#[test]
fn a_catalog_has_the_requested_sums() {
    let folder = mods();
    let table = folder.run("pak catalog [DIR]/mods/a.pak --hash sha256,md5,crc32 --format csv");
    let sums = table.out().lines().map(|line| line.split(',').skip(14).collect::<Vec<_>>().join(" "));
    assert_snapshot!(sums.collect::<Vec<_>>().join("\n"), @"
    hash fault fault_kind sha256 archive_sha256 md5 archive_md5 crc32 archive_crc32
    6673a28b89178c72d6d37e526553e20c   0081779c287d567d9ca622f4c0cc2ede819b0cc7f286a5f01d8c3c0178191ad6 fec446a814468388a99a48d807ebb3bad064a314092b890d07ba4926537726d4 c9e9a848920877e76685b2e4e76de38d e04ef4630ba4bfecaf889e9a71d5e69a 9aeacc13 b022c943
    4145168ab183af894858943a23cfca1e   5694d08a2e53ffcae0c3103e5ad6f6076abd960eb1f8a56577040bc1028f702b fec446a814468388a99a48d807ebb3bad064a314092b890d07ba4926537726d4 c13367945d5d4c91047b3b50234aa7ab e04ef4630ba4bfecaf889e9a71d5e69a 77153098 b022c943
    ");
    let rows = folder.run("pak catalog [DIR]/mods --hash md5").json();
    let keys = |row: &serde_json::Value| {
        row.as_object().unwrap().keys().filter(|key| key.contains("md5") || key.contains("sha")).count()
    };
    assert!(rows.iter().all(|row| keys(row) == 2), "{rows:?}");
    assert_eq!(folder.run("pak catalog [DIR]/mods --hash sha1").exit, Exit::Failed);
    let found =
        folder.run(&format!("pak find ** --hash md5:{} [DIR]/mods", rows[0]["md5"].as_str().unwrap()));
    assert!(found.out().contains("maps/a.bsp"), "{}", found.err());
    assert!(folder.run("pak catalog [DIR]/mods").json().iter().all(|row| keys(row) == 0));
}

#[test]
fn an_update_keeps_the_rows_that_have_the_same_sums() {
    let folder = mods();
    let catalog = |options: &str| {
        let answer = folder.run(&format!("--json pak catalog [DIR]/mods -o [DIR]/{options}"));
        assert_eq!(answer.exit, Exit::Done, "{}", answer.err());
        answer.json()[0]["kept"].as_u64().unwrap()
    };
    assert_eq!(catalog("a.jsonl --hash md5"), 0);
    assert_eq!(catalog("a.jsonl --hash md5 --update"), 2);
    assert_eq!(catalog("a.jsonl --hash md5,crc32 --update"), 0);
    assert_eq!(catalog("a.jsonl --hash crc32,md5 --update"), 2);
    assert_eq!(catalog("a.jsonl --update"), 0);
    let plain = fs::read(folder.join("a.jsonl")).unwrap();
    assert_eq!(catalog("b.jsonl"), 0);
    assert_eq!(plain, fs::read(folder.join("b.jsonl")).unwrap());
    // a table has other columns with other sums
    assert_eq!(catalog("a.csv --hash md5"), 0);
    assert_eq!(catalog("a.csv --hash md5 --update"), 2);
    let answer = folder.run("pak catalog [DIR]/mods -o [DIR]/a.csv --update");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.err().contains("columns"), "{}", answer.err());
}
