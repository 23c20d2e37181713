//! The files that a game writes.

use std::fs;

use quakefs::disk::{ArchiveDisk, MemoryDisk, Overlay, SystemDisk};
use quakefs::errors::NotWritable;
use quakefs::rules::Host;
use quakefs::{Archive, Builder, Engine, ErrorKind, SearchPath};
use testutils::{game, zip};

use crate::Mount as _;

fn refusal(result: Result<impl std::fmt::Debug, quakefs::Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_file_is_written_into_the_highest_game_directory_and_found_by_the_next_lookup() {
    let game = game("id1/: a.cfg=base; mod/: b.cfg");
    let quake = game.builder().game("mod").mount().unwrap();
    assert_eq!(quake.write_dir(), Some(&*game.join("mod")));
    let path = quake.write("saves/one/a.sav", b"saved").unwrap();
    assert_eq!(path, game.join("mod/saves/one/a.sav"));
    assert_eq!(*quake.read("saves/one/a.sav").unwrap(), *b"saved");
    quake.write("a.cfg", b"mine").unwrap();
    assert_eq!(*quake.read("a.cfg").unwrap(), *b"mine");
    quake.write("a.cfg", b"mine again").unwrap();
    assert_eq!(*quake.read("a.cfg").unwrap(), *b"mine again");
    quake.remove("a.cfg").unwrap();
    assert_eq!(*quake.read("a.cfg").unwrap(), *b"base");
    assert!(matches!(quake.remove("a.cfg").unwrap_err().kind(), ErrorKind::NotFound { .. }));
    let files = fs::read_dir(game.join("mod")).unwrap().filter_map(Result::ok);
    let temporaries: Vec<_> =
        files.filter(|entry| entry.file_name().to_string_lossy().contains("tmp")).collect();
    assert!(temporaries.is_empty(), "{temporaries:?}");
}

#[test]
fn a_user_directory_is_written_to_instead_of_the_base_directory() {
    let game = game("base/id1/: a; base/mod/: b; home/: ");
    let quake = SearchPath::builder(game.join("base"))
        .user_directory(game.join("home"))
        .engine(Engine::QuakeSpasm)
        .game("mod")
        .mount()
        .unwrap();
    assert!(quake.find("config.cfg").is_none());
    assert_eq!(quake.write("config.cfg", b"x").unwrap(), game.join("home/mod/config.cfg"));
    assert_eq!(quake.find("config.cfg").unwrap().layer().system_path(), Some(game.join("home/mod")));
    quake.write("b", b"mine").unwrap();
    assert_eq!(*quake.read("b").unwrap(), *b"mine");
    assert!(!game.join("base/mod/config.cfg").exists());
}

#[test]
fn no_write_leaves_the_game_directory() {
    let game = game("id1/: a; mod/: b; elsewhere/: c");
    let quake = game.builder().game("mod").mount().unwrap();
    for name in ["../x", "/x/../../y", "C:x", "a\\..\\..\\x", "nul", "a\nb", "", "saves/"] {
        refusal(quake.write(name, b"x"));
        refusal(quake.remove(name));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(game.join("elsewhere"), game.join("mod/out")).unwrap();
        refusal(quake.write("out/x", b"x"));
        refusal(quake.write("out/deeper/x", b"x"));
        refusal(quake.remove("out/c"));
        std::os::unix::fs::symlink(game.join("elsewhere/c"), game.join("mod/link")).unwrap();
        quake.write("link", b"x").unwrap();
        assert!(!game.join("mod/link").is_symlink(), "the link is replaced, not written through");
    }
    let names: Vec<_> =
        fs::read_dir(game.join("elsewhere")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["c"]);
    assert_eq!(fs::read_to_string(game.join("elsewhere/c")).unwrap(), "elsewhere/c");
}

#[test]
fn a_write_without_a_game_directory_is_an_error() {
    let game = game("any/: a");
    let layers = Builder::new().folder(game.join("any")).mount().unwrap();
    assert_eq!(layers.write_dir(), None);
    insta::assert_snapshot!(refusal(layers.write("a", b"")), @"a: not written: there is no game directory to write to");
}

#[test]
fn writing_to_a_disk_in_memory_leaves_the_system_unchanged() {
    let game = game("id1/: precious.cfg=real");
    let disk = MemoryDisk::new();
    disk.insert(game.join("id1/autoexec.cfg"), "echo").unwrap();
    let quake = SearchPath::builder(game.path()).disk(disk).mount().unwrap();
    quake.write("saves/one.sav", "saved").unwrap();
    quake.write("autoexec.cfg", "again").unwrap();
    assert_eq!(quake.read("saves/one.sav").unwrap(), "saved");
    assert_eq!(quake.read("autoexec.cfg").unwrap(), "again");
    quake.remove("autoexec.cfg").unwrap();
    assert!(quake.find("autoexec.cfg").is_none());
    for name in ["autoexec.cfg", "precious.cfg", "saves", "saves/one.sav/below"] {
        assert!(matches!(quake.remove(name).unwrap_err().kind(), ErrorKind::NotFound { .. }), "{name}");
    }
    assert_eq!(fs::read_dir(game.join("id1")).unwrap().count(), 1);
}

#[test]
fn an_archive_as_a_disk_is_read_only() {
    let archive = Archive::from_data(zip([("id1/autoexec.cfg", "echo")]).into()).unwrap();
    let disk = ArchiveDisk::new(archive, "mod.zip");
    let quake = SearchPath::builder("").disk(disk).mount().unwrap();
    for result in [quake.write("new.cfg", "x").map(drop), quake.remove("autoexec.cfg")] {
        assert!(matches!(
            result.unwrap_err().kind(),
            ErrorKind::NotWritable { why: NotWritable::Disk { .. }, .. }
        ));
    }
}

#[test]
fn a_file_of_the_upper_disk_is_not_written_to_the_lower_one() {
    let game = game("id1/: config.cfg=mine other.cfg=mine");
    let upper = MemoryDisk::new();
    upper.insert("id1/config.cfg", "of the download").unwrap();
    upper.insert("id1/saves", "a file").unwrap();
    let disk = Overlay::new(upper, SystemDisk, game.path()).unwrap();
    let quake = SearchPath::builder(game.path()).disk(disk).mount().unwrap();
    for name in ["config.cfg", "saves/one.sav"] {
        assert!(quake.write(name, "x").is_err() && quake.remove(name).is_err(), "{name}");
    }
    assert_eq!(fs::read(game.join("id1/config.cfg")).unwrap(), b"mine");
    assert!(quake.write("config.cfg", "x").unwrap_err().reason().contains("above"));
    quake.write("other.cfg", "saved").unwrap();
    quake.write("demos/one.dem", "demo").unwrap();
    assert_eq!(quake.read("other.cfg").unwrap(), "saved");
    assert_eq!(fs::read(game.join("id1/demos/one.dem")).unwrap(), b"demo");
}

#[test]
fn with_names_as_on_windows_a_file_is_written_to_the_existing_folder() {
    let game = game("Id1/: A.cfg=old");
    let quake = game.builder().host(Host::Windows).mount().unwrap();
    quake.write("a.cfg", "new").unwrap();
    quake.write("Saves/one.sav", "saved").unwrap();
    assert_eq!(fs::read(game.join("Id1/A.cfg")).unwrap(), b"new");
    assert_eq!(fs::read(game.join("Id1/Saves/one.sav")).unwrap(), b"saved");
    quake.remove("A.CFG").unwrap();
    assert_eq!(fs::read_dir(game.path()).unwrap().count(), 1);
    assert!(!game.join("Id1/A.cfg").exists());
}
