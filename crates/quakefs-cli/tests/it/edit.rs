//! `quakefs pak edit`.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Answer, Commands as _, image, in_folder, run_with, strs};

/// Runs a command line with an editor: a script whose first argument is the file.
fn edit(folder: &Folder, line: &str, script: &str) -> Answer {
    folder.write("editor", script);
    let set_up = |console: &mut quakefs_cli::Console<'_>| {
        console.environment.temporary = Some(folder.join("tmp").into());
        console.environment.editor = Some(format!("sh '{}'", folder.join("editor")).into());
    };
    run_with(set_up, &strs(&in_folder(folder, line)))
}

fn folder() -> Folder {
    let folder = Folder::with_archive(&[(b"quake.rc", b"exec default.cfg"), (b"cfg/a b.cfg", b"bind")]);
    folder.write("tmp/readme.txt", "");
    folder
}

/// How many things are left in the folder for temporary files.
fn left(folder: &Folder) -> usize {
    std::fs::read_dir(folder.join("tmp")).unwrap().count() - 1
}

#[test]
fn edit_replaces_the_entry_with_the_edited_file() {
    let folder = folder();
    let answer = edit(&folder, "pak edit [DIR]/a.pak quake.rc", "printf 'exec mine.cfg' > \"$1\"");
    assert_snapshot!(folder.redact(&answer.text()), @"
    replaced  quake.rc
    [DIR]/a.pak: 2 entries, 301 bytes
    ");
    assert_eq!(folder.run("pak cat [DIR]/a.pak quake.rc").out(), "exec mine.cfg");
    let line = ["pak", "edit", "[DIR]/a.pak", "cfg/a b.cfg"]
        .map(|word| word.replace("[DIR]", folder.path().as_str()));
    folder.write("editor", "case \"$1\" in */'a b.cfg') echo new > \"$1\";; esac");
    let set_up = |console: &mut quakefs_cli::Console<'_>| {
        console.environment.editor = Some(format!("sh {}", folder.join("editor")).into());
    };
    assert_eq!(run_with(set_up, &line.each_ref().map(String::as_str)).exit, Exit::Done);
    assert_eq!(left(&folder), 0);
}

#[test]
fn edit_changes_nothing_if_the_editor_fails_or_changes_nothing() {
    let folder = folder();
    let before = image(&folder);
    for (script, exit) in [("true", Exit::Done), ("exit 3", Exit::Failed), ("rm \"$1\"", Exit::Failed)] {
        let answer = edit(&folder, "pak edit [DIR]/a.pak quake.rc", script);
        assert_eq!(answer.exit, exit, "{script}: {}", answer.err());
        let text = format!("{}{}", answer.out(), answer.err());
        assert!(text.contains("nothing was written"), "{script}: {text}");
        assert_eq!((image(&folder) == before, left(&folder)), (true, 0), "{script}");
    }
    assert_eq!(edit(&folder, "pak edit [DIR]/a.pak nope.rc", "true").exit, Exit::NotFound);
    let without = folder.run("pak edit [DIR]/a.pak quake.rc");
    assert!(without.err().contains("EDITOR=nano"), "{}", without.err());
}

/// The text in the folder that the answer names.
fn kept(answer: &Answer) -> String {
    let path = answer.err().split("your text is in ").nth(1).unwrap().lines().next().unwrap().to_owned();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn edit_keeps_the_text_if_the_editor_crashes_after_it_saved() {
    let folder = folder();
    let before = image(&folder);
    for end in ["exit 3", "kill -9 $$"] {
        let answer = edit(&folder, "pak edit [DIR]/a.pak quake.rc", &format!("echo mine > \"$1\"; {end}"));
        assert_eq!((answer.exit, image(&folder) == before), (Exit::Failed, true), "{end}");
        assert_eq!(kept(&answer), "mine\n", "{end}");
    }
}

#[test]
fn edit_keeps_the_text_if_the_archive_changed_in_the_meantime() {
    let folder = folder();
    let other = crate::archive(&[(b"quake.rc", b"other")]);
    folder.write("other.pak", &other);
    let script = format!("cp {} {}; echo mine > \"$1\"", folder.join("other.pak"), folder.join("a.pak"));
    let answer = edit(&folder, "pak edit [DIR]/a.pak quake.rc", &script);
    assert_eq!((answer.exit, image(&folder)), (Exit::Failed, other));
    assert_eq!(kept(&answer), "mine\n");
}

#[test]
fn edit_refuses_pictures() {
    let folder = folder();
    folder.write("a.wad", testutils::content::wad(b"WAD2", &[("num_0", 0x42, vec![0; 8])]));
    let answer = edit(&folder, "pak edit [DIR]/a.wad num_0", "true");
    assert!(answer.err().contains("as PNG"), "{}", answer.err());
}
