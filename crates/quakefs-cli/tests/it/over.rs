//! `--over`: an archive over the base directory, not unpacked.

use quakefs_cli::Exit;
use testutils::{Folder, pack, zip_deflated};

use crate::Commands as _;

/// A game, and a downloaded mod: a folder with a pak and a level in upper case, and an entry that leads out.
fn downloaded() -> Folder {
    let folder = Folder::new();
    let quake = pak_format::Layout::Quake;
    folder.write("quake/id1/pak0.pak", pack(quake, [("maps/start.bsp", "id1")]));
    let pak = pack(quake, [("maps/start.bsp", "mod")]);
    let files: [(&str, &[u8]); 3] =
        [("mod/pak0.pak", &pak), ("mod/Maps/E1M1.bsp", b"upper"), ("id1/config.cfg", b"of the mod")];
    folder.write("mod.zip", zip_deflated(files));
    let files: [(&str, &[u8]); 2] = [("mod/patch.cfg", b"patch"), ("../out.cfg", b"out")];
    folder.write("patch.pak", pack(quake, files));
    folder
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_downloaded_mod_works_without_unpacking() {
    let folder = downloaded();
    let line = |line: &str| folder.run(&format!("--basedir [DIR]/quake --over [DIR]/mod.zip {line}"));
    let out = |line_: &str| String::from_utf8(line(line_).out).unwrap();
    assert_eq!(
        out("--game mod --json which maps/start.bsp").matches("\"layer\":\"mod/pak0.pak\"").count(),
        1
    );
    assert_eq!(out("--game mod cat maps/start.bsp"), "mod");
    assert_eq!(out("cat config.cfg"), "of the mod");
    assert_eq!(
        out("--engine darkplaces --game mod ls --names"),
        "config.cfg\nmaps/E1M1.bsp\nmaps/start.bsp\n"
    );
    // options may come before and after the name of the command
    assert_eq!(line("--game mod which maps/e1m1.bsp").exit, Exit::NotFound);
    // a file in the archive has no path on this computer
    assert!(out("--game mod --json path").contains("\"layer\":\"mod/pak0.pak\",\"kind\":\"pak\",\"layout\":\"quake\",\"entries\":1,\"problems\":0,\"path\":null"));
}

#[test]
fn a_later_archive_covers_an_earlier_one_and_unsafe_paths_are_reported() {
    let folder = downloaded();
    let answer = folder
        .run("--basedir [DIR]/quake --over [DIR]/mod.zip --over [DIR]/patch.pak --game mod --json path");
    let out = String::from_utf8(answer.out).unwrap();
    assert!(out.contains("patch.pak") && out.contains("../out.cfg"), "{out}");
    let answer = folder
        .run("--basedir [DIR]/quake --over [DIR]/mod.zip --over [DIR]/patch.pak --game mod cat patch.cfg");
    assert_eq!(&*answer.out, b"patch");
}

#[test]
fn an_archive_that_cannot_be_opened_is_a_failure_that_names_it() {
    let folder = downloaded();
    folder.write("text.zip", "no archive");
    for file in ["text.zip", "missing.zip"] {
        let answer = folder.run(&format!("--basedir [DIR]/quake --over [DIR]/{file} path"));
        let err = String::from_utf8(answer.err).unwrap();
        assert_eq!(answer.exit, Exit::Failed, "{err}");
        assert!(err.contains(file), "{err}");
    }
}

#[test]
fn an_extraction_does_not_replace_the_archive_that_it_reads() {
    let folder = downloaded();
    let name = "mod/mod.zip";
    let quake = pak_format::Layout::Quake;
    folder.write("out/mod.zip", pack(quake, [(name, "would replace it")]));
    let before = std::fs::read(folder.join("out/mod.zip")).unwrap();
    let answer = folder.run(
        "--basedir [DIR]/quake --over [DIR]/out/mod.zip --game mod extract mod.zip -o [DIR]/out --overwrite",
    );
    assert_ne!(answer.exit, Exit::Done, "{}", String::from_utf8_lossy(&answer.err));
    assert_eq!(std::fs::read(folder.join("out/mod.zip")).unwrap(), before);
}

#[test]
fn a_missing_base_directory_is_the_same_error_with_over() {
    let folder = downloaded();
    let plain = folder.run("--basedir [DIR]/qake path");
    let over = folder.run("--basedir [DIR]/qake --over [DIR]/mod.zip path");
    assert_eq!(over.exit, Exit::Failed);
    assert_eq!(String::from_utf8(over.err).unwrap(), String::from_utf8(plain.err).unwrap());
}

#[test]
fn a_folder_of_the_archive_is_mounted_as_a_folder() {
    let folder = downloaded();
    let line = "--basedir [DIR]/quake --over [DIR]/mod.zip --mount [DIR]/quake/mod cat maps/e1m1.bsp";
    let answer = folder.run(&line.replace("maps/e1m1.bsp", "maps/E1M1.bsp"));
    assert_eq!(&*answer.out, b"upper", "{}", String::from_utf8_lossy(&answer.err));
}

#[test]
fn an_archive_for_another_game_is_a_warning() {
    let folder = downloaded();
    let err = |line: &str| {
        let answer = folder.run(&format!("--basedir [DIR]/quake --over [DIR]/mod.zip {line}"));
        String::from_utf8(answer.err).unwrap()
    };
    assert_eq!(err("-q --game mod path"), "");
    folder.write("mod.zip", zip_deflated([("other/pak0.pak", "x")]));
    for (line, engines) in [("path", 1), ("compare winquake darkplaces", 2)] {
        let err = err(line);
        assert_eq!(err.matches("mod.zip").count(), 1 + engines, "a note, and a warning an engine: {err}");
        assert!(err.contains("warning: ") && err.contains("--game") && err.contains("other/"), "{err}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "some outputs are symbolic links")]
fn no_output_replaces_an_archive_of_the_game_or_a_file_that_is_read() {
    let folder = downloaded();
    folder.write("quake/id1/autoexec.cfg", "bind x y");
    folder.write("quake/id1/report.html", "<!doctype html>an older page");
    folder.write("quake/id1/pak2.pak", pack(pak_format::Layout::Quake, [("left/out", "not loaded")]));
    let evil = ["pak0.pak", "pak2.pak", "mod.zip"].map(|name| (name, "evil"));
    folder.write("quake/mod/pak1.pak", pack(pak_format::Layout::Quake, evil));
    let links =
        [("report.htm", "quake/id1/pak0.pak"), ("c.jsonl", "quake/id1/pak0.pak"), ("d.csv", "mod.zip")];
    #[cfg(unix)]
    for (link, to) in links {
        std::os::unix::fs::symlink(folder.join(to), folder.join(link)).unwrap();
    }
    let before = folder.tree("");
    for line in [
        "report -o [DIR]/quake/id1/pak0.pak --overwrite",
        "report -o [DIR]/quake/id1/pak2.pak --overwrite",
        "report -o [DIR]/quake/id1/autoexec.cfg --overwrite",
        "report -o [DIR]/quake/id1/../id1/autoexec.cfg --overwrite",
        "report -o [DIR]/mod.zip --overwrite",
        "report -o [DIR]/report.htm --overwrite",
        "--game mod extract pak0.pak pak2.pak -o [DIR]/quake/id1 --overwrite",
        "--game mod extract mod.zip -o [DIR] --overwrite",
        "pak catalog [DIR]/mod.zip -o [DIR]/mod.zip --format csv --overwrite",
        "pak catalog [DIR]/patch.pak -o [DIR]/mod.zip --format csv --overwrite",
        "pak catalog [DIR]/mod.zip -o [DIR]/d.csv --overwrite",
        "pak catalog [DIR]/mod.zip -o [DIR]/d.csv --update",
        "pak catalog [DIR]/quake -o [DIR]/c.jsonl --overwrite",
    ] {
        let game = if line.starts_with("pak") { "" } else { "--basedir [DIR]/quake --over [DIR]/mod.zip " };
        let answer = folder.run(&format!("{game}{line}"));
        assert_eq!(answer.exit, Exit::Failed, "{line}");
        assert!(folder.tree("") == before, "{line}");
    }
    let answer = folder.run("--basedir [DIR]/quake report -o [DIR]/quake/id1/report.html --overwrite");
    assert_eq!(answer.exit, Exit::Done, "{}", answer.err());
}
