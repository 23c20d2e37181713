//! Journals: what an undo takes back, and what it never touches.

use std::fs;

use insta::assert_snapshot;
use quakefs::ErrorKind;
use quakefs_extract::journal::{Journal, Step, Undone};
use testutils::Folder;

/// A game in which a mod will be installed: three files, one of which exists already.
fn before() -> Folder {
    Folder::with([("id1/pak0.pak", "game"), ("mod/here.cfg", "new")])
}

fn placed(folder: &Folder) -> Journal {
    let files = ["mod/here.cfg", "mod/a.cfg", "pd/maps/b.bsp", "pd/c.txt"];
    let files = files.map(|path| (path.to_owned(), 3, crc("new")));
    Journal::place(folder.path(), "mod.zip", files).unwrap().unwrap()
}

fn crc(text: &str) -> u32 {
    crc32fast::hash(text.as_bytes())
}

/// Undoes a journal and returns a line for each step, and whether the journal is gone.
fn undo(journal: &Journal) -> String {
    let mut lines = Vec::new();
    let complete = journal.undo(&mut |step, undone| {
        let outcome = match undone {
            Undone::Left(error) => error.reason(),
            other => format!("{other:?}"),
        };
        lines.push(format!("{}: {outcome}", step.path()));
    });
    assert_eq!(complete.unwrap(), !journal.path().exists());
    lines.join("\n")
}

#[test]
fn a_journal_takes_no_name_that_its_files_need() {
    let folder = Folder::new();
    let path = "QUAKEFS-place-1.jsonl/a.cfg";
    let journal =
        Journal::place(folder.path(), "mod.zip", [(path.to_owned(), 3, crc("new"))]).unwrap().unwrap();
    assert_eq!(journal.path().file_name(), Some("quakefs-place-2.jsonl"));
    folder.write(path, "new");
    undo(&journal);
    assert_eq!(folder.names(""), [""; 0]);
}

#[test]
fn an_undo_removes_what_was_written_and_the_folders_for_it() {
    let folder = before();
    let start = folder.tree("");
    let journal = placed(&folder);
    assert_eq!(journal.path(), folder.join("quakefs-place-1.jsonl"));
    assert_snapshot!(fs::read_to_string(journal.path()).unwrap(), @r#"
    {"journal":"place","version":1,"of":"mod.zip"}
    {"step":"made-folder","path":"pd"}
    {"step":"made-folder","path":"pd/maps"}
    {"step":"wrote","path":"mod/a.cfg","size":3,"crc":1810056261}
    {"step":"wrote","path":"pd/maps/b.bsp","size":3,"crc":1810056261}
    {"step":"wrote","path":"pd/c.txt","size":3,"crc":1810056261}
    "#);
    for path in ["mod/a.cfg", "pd/maps/b.bsp", "pd/c.txt"] {
        folder.write(path, "new");
    }
    assert_snapshot!(undo(&Journal::open(journal.path()).unwrap()), @"
    pd/c.txt: Done
    pd/maps/b.bsp: Done
    mod/a.cfg: Done
    pd/maps: Done
    pd: Done
    ");
    assert_eq!(folder.tree(""), start);
}

#[test]
fn a_file_that_was_changed_stays_with_its_folder_and_the_journal() {
    let folder = before();
    let journal = placed(&folder);
    folder.write("pd/c.txt", "my");
    folder.write("pd/maps/b.bsp", "old");
    folder.write("mod/a.cfg", "new");
    assert_snapshot!(undo(&journal), @"
    pd/c.txt: it was changed since it was written
    pd/maps/b.bsp: it was changed since it was written
    mod/a.cfg: Done
    pd/maps: Shared
    pd: Shared
    ");
    // a second undo finishes
    fs::remove_dir_all(folder.join("pd")).unwrap();
    assert_snapshot!(undo(&journal), @"
    pd/c.txt: Nothing
    pd/maps/b.bsp: Nothing
    mod/a.cfg: Nothing
    pd/maps: Nothing
    pd: Nothing
    ");
}

/// A killed process leaves the journal, some of the files, and perhaps a temporary file.
#[test]
#[cfg_attr(windows, ignore = "a folder with a temporary file stays on Windows")]
fn steps_that_never_happened_have_nothing_to_undo() {
    let folder = before();
    let start = folder.tree("");
    let journal = placed(&folder);
    folder.write("pd/c.txt", "new");
    folder.write("pd/maps/.quakefs-1.tmp", "ne");
    assert_snapshot!(undo(&journal), @"
    pd/c.txt: Done
    pd/maps/b.bsp: Nothing
    mod/a.cfg: Nothing
    pd/maps: Done
    pd: Done
    ");
    assert_eq!(folder.tree(""), start);
}

#[test]
fn there_is_no_journal_if_all_files_exist() {
    let folder = before();
    assert!(
        Journal::place(folder.path(), "mod.zip", [("mod/here.cfg".to_owned(), 3, crc("new"))])
            .unwrap()
            .is_none()
    );
    let outside =
        Journal::place(folder.path(), "mod.zip", [("../there.cfg".to_owned(), 3, crc("new"))]).unwrap_err();
    assert!(matches!(outside.kind(), ErrorKind::Journal { line: None, .. }), "{outside}");
    assert_eq!(folder.names(""), ["id1", "mod"]);
}

#[test]
fn journals_have_numbers_and_never_replace_a_file() {
    let folder = before();
    folder.write("quakefs-place-1.jsonl", "mine");
    assert_eq!(placed(&folder).path().file_name(), Some("quakefs-place-2.jsonl"));
    assert_eq!(placed(&folder).path().file_name(), Some("quakefs-place-3.jsonl"));
}

const FIX: &str = r#"{"journal":"fix","version":1}"#;
const PLACE: &str = r#"{"journal":"place","version":1}"#;

/// What a mod may ship and somebody may edit.
#[test]
fn a_step_that_leads_out_of_the_folder_is_refused() {
    let folder = Folder::new();
    let refused = |header: &str, step: &str| {
        folder.write("j.jsonl", format!("{header}\n{step}\n"));
        let error = Journal::open(folder.join("j.jsonl")).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Journal { .. }), "{step}: {error}");
        error.kind().to_string() + "\n"
    };
    let renamed = |path: &str, name: &str| {
        refused(FIX, &format!(r#"{{"step":"renamed","path":"{path}","name":"{name}"}}"#))
    };
    let wrote =
        |path: &str| refused(PLACE, &format!(r#"{{"step":"wrote","path":"{path}","size":3,"crc":1}}"#));
    let mut text = String::new();
    for path in ["/etc/passwd", "../a", "a/../../b", "a//b", "./a", "a/", ""] {
        text += &wrote(path);
    }
    for (path, name) in [("a/B", "c"), ("a/B", "../b"), ("a/B", "B"), ("a/..", ".."), ("/a/B", "b")] {
        text += &renamed(path, name);
    }
    text += &refused(FIX, r#"{"step":"wrote","path":"a","size":3,"crc":1}"#);
    text += &refused(PLACE, r#"{"step":"renamed","path":"A","name":"a"}"#);
    text += &refused(PLACE, r#"{"step":"removed","path":"a"}"#);
    text += &refused(
        PLACE,
        "{\"step\":\"made-folder\",\"path\":\"a\"}\n{\"step\":\"made-folder\",\"path\":\"a\"}",
    );
    text += &refused(r#"{"journal":"place","version":2}"#, "");
    text += &refused(r#"{"journal":"rm","version":1}"#, "");
    text += &refused(r#"{"from":"/a/B","to":"/a/b"}"#, "");
    assert_snapshot!(text, @r#"
    line 2: /etc/passwd: the path is not below the base directory
    line 2: ../a: the path is not below the base directory
    line 2: a/../../b: the path is not below the base directory
    line 2: a//b: the path is not below the base directory
    line 2: ./a: the path is not below the base directory
    line 2: a/: the path is not below the base directory
    line 2: : the path is not below the base directory
    line 2: a/B: the old and the new name differ in more than case
    line 2: a/B: the old and the new name differ in more than case
    line 2: a/B: the old and the new name differ in more than case
    line 2: a/..: the path is not below the base directory
    line 2: /a/B: the path is not below the base directory
    line 2: a: this command does no such step
    line 2: A: this command does no such step
    line 2: unknown variant `removed`, expected one of `renamed`, `wrote`, `found`, `made-folder`
    line 3: a: the path is in the journal twice
    line 1: version 2: expected 1
    line 1: "rm": expected a journal of fix or of place
    line 1: this file is not a journal of quakefs
    "#);
}

#[cfg(windows)]
#[test]
fn a_drive_and_a_device_are_not_below_the_folder() {
    let folder = Folder::new();
    for path in ["C:a", "a\\\\..\\\\..\\\\b", "a:stream", "nul"] {
        folder.write("j.jsonl", format!("{PLACE}\n{{\"step\":\"made-folder\",\"path\":\"{path}\"}}\n"));
        assert!(Journal::open(folder.join("j.jsonl")).is_err(), "{path}");
    }
}

/// The steps are allowed, but links below the folder lead elsewhere.
#[cfg(unix)]
#[test]
fn an_undo_follows_no_link() {
    use std::os::unix::fs::symlink;

    let folder = Folder::with([("home/id_rsa", "new"), ("home/Mail", "new"), ("quake/real", "new")]);
    symlink("../home", folder.join("quake/out")).unwrap();
    symlink("../home/id_rsa", folder.join("quake/key")).unwrap();
    fs::create_dir(folder.join("home/empty")).unwrap();
    symlink("../home/empty", folder.join("quake/empty")).unwrap();
    let before = folder.tree("home");
    let wrote = |path: &str| {
        format!("{{\"step\":\"wrote\",\"path\":\"{path}\",\"size\":3,\"crc\":{}}}\n", crc("new"))
    };
    let made = |path: &str| format!("{{\"step\":\"made-folder\",\"path\":\"{path}\"}}\n");
    let steps =
        [made("out"), made("empty"), made("out/empty"), wrote("out/id_rsa"), wrote("key"), wrote("real")];
    folder.write("quake/j.jsonl", format!("{PLACE}\n{}", steps.concat()));
    assert_snapshot!(undo(&Journal::open(folder.join("quake/j.jsonl")).unwrap()), @"
    real: Done
    key: it is a symbolic link, which is not followed
    out/id_rsa: a folder on the way is a symbolic link, which is not followed
    out/empty: a folder on the way is a symbolic link, which is not followed
    empty: it is not a folder
    out: it is not a folder
    ");
    let renamed = r#"{"step":"renamed","path":"out/mail","name":"Mail"}"#;
    folder.write("quake/j.jsonl", format!("{FIX}\n{renamed}\n"));
    assert_snapshot!(undo(&Journal::open(folder.join("quake/j.jsonl")).unwrap()), @"out/mail: a folder on the way is a symbolic link, which is not followed");
    assert_eq!(folder.tree("home"), before);
}

#[cfg(unix)]
#[test]
fn a_journal_is_a_regular_file_of_bounded_size() {
    let folder = Folder::with([("real", PLACE)]);
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());
    fs::File::create(folder.join("large")).unwrap().set_len(1 << 40).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero")).unwrap();
    std::os::unix::fs::symlink("real", folder.join("link")).unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    let names = ["pipe", "large", "zero", "link", "folder", "missing"];
    let open = |path: camino::Utf8PathBuf| Journal::open(path).unwrap_err().reason() + "\n";
    let texts = names.map(|name| open(folder.join(name)));
    assert_snapshot!(texts.concat() + &open("/dev/zero".into()), @"
    it is not a regular file
    the journal is larger than 64 MiB
    it is a symbolic link, which is not followed
    it is a symbolic link, which is not followed
    it is a folder
    No such file or directory (os error 2)
    it is not a regular file
    ");
}

/// A rename on a disk that ignores case may take two steps.
#[test]
fn an_undo_finds_a_file_between_two_steps_of_a_rename() {
    let folder = Folder::with([("pak0.pak.renamed", "game")]);
    folder
        .write("j.jsonl", format!("{FIX}\n{}", r#"{"step":"renamed","path":"PAK0.PAK","name":"pak0.pak"}"#));
    let journal = Journal::open(folder.join("j.jsonl")).unwrap();
    let expected = Step::Renamed { path: "PAK0.PAK".to_owned(), name: "pak0.pak".to_owned() };
    assert_eq!(journal.steps(), [expected]);
    undo(&journal);
    assert_eq!(folder.names(""), ["PAK0.PAK"]);
}

#[cfg(unix)]
#[test]
fn a_folder_replaced_by_a_link_during_an_undo_does_not_lead_out() {
    const FILES: usize = 100;
    let path = |number| format!("a/b/{number:03}");
    for _ in 0..30 {
        let folder = Folder::new();
        fs::create_dir_all(folder.join("quake/a/b")).unwrap();
        let files = (0..FILES).map(|number| (path(number), 3, crc("new")));
        let journal = Journal::place(folder.join("quake"), "mod.zip", files).unwrap().unwrap();
        for number in 0..FILES {
            folder.write(&format!("quake/{}", path(number)), "new");
            folder.write(&format!("home/{}", path(number)), "new");
        }
        let (quake, home) = (folder.join("quake"), folder.join("home/a"));
        crate::extract::while_swapped(quake.as_std_path(), home.as_std_path(), || undo(&journal));
        assert_eq!(folder.names("home/a/b").len(), FILES);
    }
}
