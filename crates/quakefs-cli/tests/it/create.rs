//! `pak create`: names, order, layouts, and everything that is refused before a byte is written.

use std::fs;

use insta::assert_snapshot;
use pak_format::{Archive, Layout, ParseOptions};
use testutils::Folder;

use crate::{Commands as _, brief, run, run_with, words};
use quakefs_cli::Exit;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mod/progs.dat", "code");
    folder.write("mod/maps/b.bsp", "level b");
    folder.write("mod/maps/a.bsp", "level a");
    folder.write("mod/maps/a/x.lit", "light");
    folder.write("mod/Z.cfg", "");
    folder
}

/// Names and contents, in stored order.
fn entries(folder: &Folder, name: &str) -> String {
    let archive = Archive::parse(fs::read(folder.join(name)).unwrap()).unwrap();
    let read =
        |entry| archive.read(&entry).map(|content| format!("{}: {}\n", entry.name(), content.escape_ascii()));
    archive.entries().map(|entry| read(entry).unwrap()).collect()
}

#[test]
fn create_packs_a_folder() {
    let folder = folder();
    assert_snapshot!(folder.check("pak create [DIR]/a.pak -C [DIR]/mod ."), @"
    added     Z.cfg
    added     maps/a/x.lit
    added     maps/a.bsp
    added     maps/b.bsp
    added     progs.dat
    [DIR]/a.pak: 5 entries, 355 bytes
    ");
    assert_snapshot!(entries(&folder, "a.pak"), @"
    Z.cfg: 
    maps/a/x.lit: light
    maps/a.bsp: level a
    maps/b.bsp: level b
    progs.dat: code
    ");
    let again = fs::read(folder.join("a.pak")).unwrap();
    assert_eq!(folder.run("pak create [DIR]/a.pak -C [DIR]/mod . --overwrite").exit, Exit::Done);
    assert_eq!(fs::read(folder.join("a.pak")).unwrap(), again);
}

#[test]
fn create_names_entries_relative_to_its_folder() {
    let folder = folder();
    let first = entries_of(&folder, "-C [DIR]/mod ./maps/./b.bsp progs.dat maps/a");
    assert_snapshot!(first, @"
    maps/b.bsp: level b
    progs.dat: code
    maps/a/x.lit: light
    ");
    assert_eq!(entries_of(&folder, "-C [DIR]/mod [DIR]/mod/maps/b.bsp [DIR]/mod/progs.dat maps/a/"), first);
    assert_snapshot!(entries_of(&folder, "-C [DIR] mod/maps/b.bsp"), @"mod/maps/b.bsp: level b");
}

#[test]
fn a_later_c_counts_for_the_paths_after_it_from_the_folder_before() {
    let folder = folder();
    folder.write("other/sound/a.wav", "sound");
    folder.write("other/deep/b.cfg", "bind");
    assert_snapshot!(entries_of(&folder, "-C [DIR]/mod progs.dat -C ../other sound -C deep b.cfg"), @"
    progs.dat: code
    sound/a.wav: sound
    b.cfg: bind
    ");
    // paths before the first -C are relative to the current folder, and several -C in a row add up
    assert_eq!(
        entries_of(&folder, "-C [DIR] -C other -C deep b.cfg -C [DIR]/mod progs.dat"),
        "b.cfg: bind\nprogs.dat: code\n"
    );
    let answer = folder.run("pak create [DIR]/a.pak --overwrite [DIR]/mod/progs.dat -C [DIR]/mod");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.err().contains("expected a path after it"), "{}", answer.err());
    folder.write("more.cfg", "bind");
    folder.run("pak create [DIR]/a.pak --overwrite -C [DIR] more.cfg");
    folder.run("pak add [DIR]/a.pak -C [DIR]/mod progs.dat -C [DIR]/other sound");
    assert_eq!(entries(&folder, "a.pak"), "more.cfg: bind\nprogs.dat: code\nsound/a.wav: sound\n");
}

fn entries_of(folder: &Folder, paths: &str) -> String {
    let answer = folder.run(&format!("pak create [DIR]/a.pak --overwrite {paths}"));
    assert_eq!(answer.exit, Exit::Done, "{}", answer.err());
    entries(folder, "a.pak")
}

#[test]
fn create_refuses_a_path_outside_its_folder() {
    let folder = folder();
    folder.write("other.txt", "");
    assert_snapshot!(brief(folder.check("pak create [DIR]/a.pak -C [DIR]/mod [DIR]/other.txt progs.dat")), @"exit 2: error: [DIR]/other.txt: it is outside of the folder that names are relative to, so it has no name; help: name it and its folder apart: -C [DIR] other.txt");
    assert_snapshot!(brief(folder.check("pak create [DIR]/a.pak -C [DIR]/mod ../other.txt")), @"exit 2: error: [DIR]/mod/../other.txt: it is outside of the folder that names are relative to, so it has no name; help: name it and its folder apart: -C [DIR]/mod/.. other.txt");
    assert_snapshot!(brief(folder.check("pak create [DIR]/a.pak [DIR]/mod")), @"exit 2: error: [DIR]/mod: it is outside of the folder that names are relative to, so it has no name; help: name it and its folder apart: -C [DIR]/mod .");
    assert_eq!(folder.names(""), ["mod", "other.txt"]);
}

#[test]
fn create_sorts_by_the_whole_name() {
    let folder = folder();
    assert_snapshot!(entries_of(&folder, "-C [DIR]/mod progs.dat maps Z.cfg --sort"), @"
    Z.cfg: 
    maps/a.bsp: level a
    maps/a/x.lit: light
    maps/b.bsp: level b
    progs.dat: code
    ");
}

#[test]
fn create_writes_each_layout() {
    let folder = folder();
    let layout = |name: &str, options: &str| {
        let answer = folder.run(&format!("pak create [DIR]/{name} -C [DIR]/mod . {options}"));
        assert_eq!(answer.err(), "");
        let archive = Archive::parse(fs::read(folder.join(name)).unwrap()).unwrap();
        assert_eq!(entries(&folder, name), entries_of(&folder, "-C [DIR]/mod ."), "{name}");
        archive.layout()
    };
    assert_eq!(layout("1.pak", ""), Layout::Quake);
    assert_eq!(layout("2.pak", "--layout quake"), Layout::Quake);
    assert_eq!(layout("3.sin", ""), Layout::Sin);
    assert_eq!(layout("4.SIN", ""), Layout::Sin);
    assert_eq!(layout("5.pak", "--layout sin"), Layout::Sin);
    assert_eq!(layout("6.pak", "--layout hrot"), Layout::Hrot);
    assert_eq!(layout("7.pak", "--layout daikatana"), Layout::Daikatana);
    assert_eq!(layout("8.sin", "--layout quake"), Layout::Quake);
}

#[test]
fn create_compresses_daikatana_by_its_options() {
    let folder = Folder::new();
    let text: Vec<u8> = (0..20_000_u32).flat_map(|number| (number / 7 % 91).to_le_bytes()).collect();
    folder.write("in/wall.tga", [vec![0; 5000], text.clone()].concat());
    folder.write("in/wall.txt", &text);
    let size = |options: &str| {
        let line = format!("pak create [DIR]/a.pak --overwrite --layout daikatana -C [DIR]/in . {options}");
        assert_eq!(folder.run(&line).err(), "");
        let archive = Archive::parse_with(
            fs::read(folder.join("a.pak")).unwrap(),
            &ParseOptions::new().layout(Layout::Daikatana),
        )
        .unwrap();
        for entry in archive.entries() {
            let file = folder.join("in").join(entry.name().to_string());
            assert!(*archive.read(&entry).unwrap() == fs::read(file).unwrap(), "{options}");
            assert_eq!(entry.is_compressed(), entry.name().as_bytes() == b"wall.tga");
        }
        archive.get_ref().len()
    };
    let (fast, smallest) = (size(""), size("--smallest"));
    let overlapping = size("--smallest --allow-overlap");
    assert!(smallest <= fast && overlapping <= smallest, "{fast} {smallest} {overlapping}");
}

#[test]
fn create_replaces_a_file_only_with_overwrite() {
    let folder = folder();
    let mine = crate::archive(&[(b"mine.cfg", b"bind")]);
    folder.write("a.pak", &mine);
    assert_snapshot!(brief(folder.check("pak create [DIR]/a.pak -C [DIR]/mod .")), @"exit 2: error: [DIR]/a.pak: the file exists already; help: replace it with --overwrite");
    assert_eq!(fs::read(folder.join("a.pak")).unwrap(), mine);
    assert_eq!(folder.run("pak create [DIR]/a.pak -C [DIR]/mod . --overwrite").exit, Exit::Done);
    folder.write("folder.pak/a", "");
    assert_snapshot!(brief(folder.check("pak create [DIR]/folder.pak -C [DIR]/mod . --overwrite")), @"exit 2: error: [DIR]/folder.pak: it is a folder; help: name the file to write");
    assert_snapshot!(brief(folder.check("pak create [DIR]/no/a.pak -C [DIR]/mod .")), @"exit 2: error: [DIR]/no/a.pak: cannot write the archive: its folder does not exist +help");
    assert_eq!(folder.names(""), ["a.pak", "folder.pak", "mod"]);
}

#[test]
fn create_does_not_pack_the_archive_into_itself() {
    let folder = folder();
    let first = folder.run("pak create [DIR]/mod/a.pak -C [DIR]/mod .").out().to_owned();
    let second = folder.run("pak create [DIR]/mod/a.pak -C [DIR]/mod . --overwrite");
    assert_eq!(second.out().replace("; replaced a file of 355 bytes", ""), first);
    assert_eq!(entries(&folder, "mod/a.pak"), entries_of(&folder, "-C [DIR]/mod Z.cfg maps progs.dat"));
    assert_snapshot!(brief(folder.check("pak create [DIR]/mod/a.pak -C [DIR]/mod a.pak --overwrite")), @"exit 2: error: [DIR]/mod/a.pak: it is the archive itself +help");
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn create_reports_every_wrong_file_and_writes_nothing() {
    let folder = folder();
    let long = format!("{}.bsp", "long".repeat(14));
    folder.write(&format!("mod/maps/{long}"), "");
    folder.write("mod/aux.cfg", "");
    folder.write("mod/back\\slash", "");
    assert_snapshot!(folder.check("pak create [DIR]/a.pak -C [DIR]/mod . maps/b.bsp"), @r"
    exit: 2
    ! error: [DIR]/a.pak: entry 1 (aux.cfg): [name] +help
    ! error: [DIR]/a.pak: entry 2 (back\slash): [name]
    ! error: [DIR]/a.pak: entry 6 (maps/longlonglonglonglonglonglonglonglonglonglonglonglonglong.bsp): [name]
    ! error: [DIR]/a.pak: entry 8 (maps/b.bsp): [duplicate]
    ! error: nothing was written
    ");
    assert_snapshot!(folder.check("pak create [DIR]/a.pak -C [DIR]/mod no/such nor/this progs.dat"), @"
    exit: 2
    ! error: [DIR]/mod/no/such: No such file or directory (os error 2) +help
    ! error: [DIR]/mod/nor/this: No such file or directory (os error 2)
    ! error: nothing was written
    ");
    assert_eq!(folder.names(""), ["mod"]);
}

#[test]
fn create_in_a_dry_run_writes_nothing() {
    let folder = folder();
    assert_snapshot!(folder.check("pak create [DIR]/a.pak -C [DIR]/mod . --dry-run"), @"
    exit: 0
                0  Z.cfg
                5  maps/a/x.lit
                7  maps/a.bsp
                7  maps/b.bsp
                4  progs.dat
    dry run: 5 files would be written
    ");
    assert_snapshot!(folder.check("pak create --json [DIR]/a.pak -C [DIR]/mod maps --dry-run"), @r#"
    {"type":"planned","name":"maps/a/x.lit","path":"[DIR]/mod/maps/a/x.lit","size":5}
    {"type":"planned","name":"maps/a.bsp","path":"[DIR]/mod/maps/a.bsp","size":7}
    {"type":"planned","name":"maps/b.bsp","path":"[DIR]/mod/maps/b.bsp","size":7}
    "#);
    assert_eq!(folder.names(""), ["mod"]);
}

#[test]
fn create_prints_json() {
    let folder = folder();
    let answer = folder.run("pak create --json [DIR]/a.pak -C [DIR]/mod .");
    assert_eq!(answer.json()[0]["entries"], 5);
    assert_snapshot!(folder.redact(&answer.text()), @r#"{"type":"written","file":"[DIR]/a.pak","written":true,"entries":5,"before":0,"after":355,"dropped":0,"added":["Z.cfg","maps/a/x.lit","maps/a.bsp","maps/b.bsp","progs.dat"],"replaced":[],"removed":[],"renamed":[]}"#);
}

#[test]
fn create_packs_an_empty_folder_and_refuses_no_path() {
    let folder = Folder::new();
    fs::create_dir(folder.join("empty")).unwrap();
    assert_snapshot!(folder.check("pak create [DIR]/a.pak -C [DIR] empty"), @"[DIR]/a.pak: 0 entries, 12 bytes");
    assert_snapshot!(run(&["pak", "create", "a.pak"]).text(), @"
    exit: 2
    ! error: pak create needs PATH...
    !   help: quakefs pak create [OPTIONS] FILE PATH...; `quakefs pak create -h` explains it
    ");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    #[test]
    fn create_leaves_out_links_and_devices() {
        let folder = Folder::with([("mod/progs.dat", "code"), ("mod/maps/a.bsp", "level a")]);
        symlink("progs.dat", folder.join("mod/link")).unwrap();
        symlink("maps", folder.join("mod/linked")).unwrap();
        symlink("nowhere", folder.join("mod/broken")).unwrap();
        let _socket = UnixListener::bind(folder.join("mod/socket")).unwrap();
        assert!(Command::new("mkfifo").arg(folder.join("mod/pipe")).status().unwrap().success());
        assert_snapshot!(folder.check("pak create [DIR]/a.pak -C [DIR]/mod ."), @"
        added     maps/a.bsp
        added     progs.dat
        [DIR]/a.pak: 2 entries, 151 bytes
        ! warning: [DIR]/mod/broken: [link] +help
        ! warning: [DIR]/mod/link: [link]
        ! warning: [DIR]/mod/linked: [link]
        ! warning: [DIR]/mod/pipe: [not-regular] +help
        ! warning: [DIR]/mod/socket: [not-regular]
        ");
        // but a named one is packed
        assert_eq!(entries_of(&folder, "-C [DIR]/mod link linked"), "link: code\nlinked/a.bsp: level a\n");
        assert_snapshot!(folder.check("pak create [DIR]/b.pak -C [DIR]/mod pipe socket broken"), @"
        exit: 2
        ! error: [DIR]/mod/pipe: it is neither a file nor a folder +help
        ! error: [DIR]/mod/socket: it is neither a file nor a folder
        ! error: [DIR]/mod/broken: No such file or directory (os error 2) +help
        ! error: nothing was written
        ");
    }

    #[test]
    fn create_refuses_a_name_that_is_not_utf8() {
        let folder = folder();
        let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"caf\xe9");
        fs::write(folder.join("mod").as_std_path().join(name), "").unwrap();
        assert_snapshot!(brief(folder.check("pak create [DIR]/a.pak -C [DIR]/mod .")), @r"exit 2: error: [DIR]/mod/caf\xE9: [not-writable]; help: rename it");
        assert_eq!(folder.names(""), ["mod"]);
    }
}

#[test]
fn the_extension_of_the_archive_names_the_usual_layout() {
    let folder = folder();
    for (name, layout) in
        [("a.pak", "quake"), ("a.SIN", "sin"), ("a.pk3", "zip"), ("a.PKZ", "zip"), ("a.zip", "zip")]
    {
        let answer = folder.run(&format!("pak create [DIR]/{name} -C [DIR]/mod maps"));
        assert_eq!(answer.exit, quakefs_cli::Exit::Done, "{}", answer.err());
        let info = folder.run(&format!("pak info --json [DIR]/{name}"));
        assert_eq!(info.json()[0]["layout"], layout, "{name}");
    }
}

#[test]
fn unwanted_files_are_skipped_and_reported_unless_all_are_packed() {
    let folder = Folder::new();
    for name in
        ["maps/a.bsp", "maps/Thumbs.db", "maps/a.map~", "old.BAK", "s0.sav", ".git/HEAD", "save/x.sv2"]
    {
        folder.write(&format!("mod/{name}"), name);
    }
    assert_snapshot!(folder.check("pak create [DIR]/a.pak -C [DIR]/mod ."), @"
    added     maps/a.bsp
    [DIR]/a.pak: 1 entry, 86 bytes
    ! warning: [DIR]/mod/.git/HEAD: [unwanted] +help
    ! warning: [DIR]/mod/maps/Thumbs.db: [unwanted]
    ! warning: [DIR]/mod/maps/a.map~: [unwanted]
    ! warning: [DIR]/mod/old.BAK: [unwanted]
    ! warning: [DIR]/mod/s0.sav: [unwanted]
    ! warning: [DIR]/mod/save/x.sv2: [unwanted]
    ");
    let all = folder.check("pak create [DIR]/b.pak -C [DIR]/mod . --all --dry-run");
    assert!(
        all.ends_with("\ndry run: 7 files would be written\n") && all.contains("  maps/Thumbs.db\n"),
        "{all}"
    );
    // a file that is named is wanted
    assert_snapshot!(folder.check("pak create [DIR]/c.pak -C [DIR]/mod s0.sav"), @"
    added     s0.sav
    [DIR]/c.pak: 1 entry, 82 bytes
    ");
}

#[test]
fn many_unwanted_files_are_counted() {
    let folder = Folder::with((0..15).map(|number| (format!("mod/.git/{number:02}"), "")));
    folder.write("mod/a.cfg", "");
    let answer = folder.check("pak create [DIR]/a.pak -C [DIR]/mod .");
    assert!(answer.contains("[DIR]/mod/.git/09: [unwanted]") && !answer.contains(".git/10"), "{answer}");
    assert!(answer.contains("warning: and 5 more like this\n"), "{answer}");
}

#[test]
fn an_archive_with_everything_one_folder_too_deep_is_warned_of() {
    let folder = Folder::with([("mymod/maps/a.bsp", "1"), ("mymod/progs.dat", "2"), ("maps/b.bsp", "3")]);
    assert_snapshot!(folder.check("pak create [DIR]/a.pak -C [DIR] mymod"), @"
    added     mymod/maps/a.bsp
    added     mymod/progs.dat
    [DIR]/a.pak: 2 entries, 142 bytes
    ! warning: all files are inside an extra folder mymod/: an [archive-case wrong-case] not for mymod/maps/a.bsp
    !   help: name it without that folder: -C [DIR]/mymod .
    ");
    folder.write("q/mod/maps/c.bsp", "4");
    let deep = folder.run("pak create [DIR]/c.pak -C [DIR] q/mod");
    assert!(
        deep.err().contains("extra folder q/mod/: an engine looks for maps/c.bsp, not for q/mod/maps/c.bsp")
    );
    // a download has the folder of its mod
    assert_eq!(folder.run("pak create [DIR]/a.zip -C [DIR] mymod").err(), "");
    assert_snapshot!(folder.check("pak create [DIR]/b.pak -C [DIR] maps"), @"
    added     maps/b.bsp
    [DIR]/b.pak: 1 entry, 77 bytes
    ");
}

#[test]
fn a_new_archive_has_a_name_that_tells_its_kind() {
    let folder = Folder::with([("mod/a.cfg", "bind"), ("notes.txt", "mine"), ("broken.pak", "mine too")]);
    for name in ["a.7z", "a.rar", "a.txt", "a.vpk", "a", "a.PAQ"] {
        let answer = folder.run(&format!("pak create [DIR]/{name} -C [DIR]/mod ."));
        assert_eq!(answer.exit, Exit::Failed, "{name}");
        assert!(answer.err().contains("of no kind of archive"), "{}", answer.err());
        assert!(!folder.join(name).exists());
    }
    for name in ["a.pak", "a.PK3", "a.zip", "a.sin"] {
        assert_eq!(folder.run(&format!("pak create [DIR]/{name} -C [DIR]/mod .")).exit, Exit::Done, "{name}");
    }
    folder.run("pak create [DIR]/textures.dat --layout daikatana -C [DIR]/mod .");
    assert!(folder.join("textures.dat").exists());
    // what is no archive stays, with --overwrite too
    for line in [
        "pak create [DIR]/broken.pak --overwrite -C [DIR]/mod .",
        "pak create [DIR]/notes.txt --layout quake --overwrite -C [DIR]/mod .",
        "pak merge -o [DIR]/broken.pak --overwrite [DIR]/a.pak",
        "pak convert [DIR]/a.pak -o [DIR]/broken.pak --overwrite",
        "pak repack [DIR]/a.pak -o [DIR]/broken.pak --overwrite",
    ] {
        assert!(folder.run(line).err().contains("an archive does not replace it"), "{line}");
    }
    assert_eq!(fs::read(folder.join("broken.pak")).unwrap(), b"mine too");
    assert_eq!(fs::read(folder.join("notes.txt")).unwrap(), b"mine");
    folder.write("empty.pak", "");
    assert_eq!(folder.run("pak create [DIR]/empty.pak --overwrite -C [DIR]/mod .").exit, Exit::Done);
}

#[test]
fn an_archive_in_an_archive_is_said() {
    let folder = Folder::with([("mod/pak0.pak", "PACK"), ("mod/pak1.pak", "PACK"), ("mod/a.cfg", "bind")]);
    let said = folder.run("pak create [DIR]/a.pk3 -C [DIR]/mod .").err().to_owned();
    assert!(said.contains("pak0.pak and 1 archive more are put into it"), "{said}");
    // a download holds archives
    assert_eq!(folder.run("pak create [DIR]/a.zip -C [DIR]/mod .").err(), "");
}

#[test]
fn a_dash_prints_the_archive() {
    let folder = Folder::with([("mod/a.cfg", "bind"), ("id1/maps/start.bsp", "no level")]);
    folder.run("pak create [DIR]/a.pk3 -C [DIR]/mod .");
    for line in [
        "pak create - -C [DIR]/mod .",
        "pak convert [DIR]/a.pk3 -o -",
        "pak merge -o - [DIR]/a.pk3",
        "--basedir [DIR] pack start -o - --incomplete",
    ] {
        let answer = folder.run(line);
        assert!(answer.out.starts_with(b"PACK"), "{line}: {}", answer.err());
        let line = line.replace("[DIR]", folder.path().as_str());
        let refused = run_with(|console| console.columns = Some(80), &words(&line));
        assert_eq!((refused.exit, &*refused.out), (Exit::Failed, &b""[..]), "{line}");
    }
    folder.run("pak create [DIR]/a.pak -C [DIR]/mod .");
    for archive in ["a.pk3", "a.pak"] {
        let printed = folder.run(&format!("pak repack [DIR]/{archive} -o -")).out;
        folder.run(&format!("pak repack [DIR]/{archive}"));
        assert_eq!(printed, std::fs::read(folder.join(archive)).unwrap(), "{archive}");
    }
    for line in ["pak extract [DIR]/a.pak -o -", "--mount [DIR]/a.pak extract -o -"] {
        assert_eq!(folder.run(line).out(), "bind", "{line}");
    }
    assert!(!std::path::Path::new("-").exists());
    let [printed, usual] =
        ["-o -", ""].map(|output| folder.run(&format!("pak catalog [DIR]/a.pk3 {output}")));
    assert_eq!((printed.exit, printed.out()), (Exit::Done, usual.out()));
    assert_eq!(folder.run("pak catalog [DIR]/a.pk3 -o - --update").exit, Exit::Failed);
}

#[test]
fn each_command_tells_what_overwrite_replaces() {
    let folder = Folder::with([("mod/a.cfg", "bind"), ("id1/maps/start.bsp", "no level")]);
    folder.run("pak create [DIR]/a.pak -C [DIR]/mod .");
    for line in [
        "pak create [DIR]/out.pak -C [DIR]/mod .",
        "pak merge -o [DIR]/out.pak [DIR]/a.pak",
        "pak convert [DIR]/a.pak -o [DIR]/out.pak",
        "pak repack [DIR]/a.pak -o [DIR]/out.pak",
        "pak catalog [DIR]/a.pak -o [DIR]/out.jsonl",
        "--basedir [DIR] pack start -o [DIR]/out.pak --incomplete",
        "--mount [DIR]/a.pak report -o [DIR]/out.html",
        "pak extract [DIR]/a.pak -o [DIR]/out",
        "--mount [DIR]/a.pak extract -o [DIR]/out",
    ] {
        for file in ["out.pak", "out.jsonl", "out.html", "out/a.cfg"] {
            let _ = std::fs::remove_file(folder.join(file));
        }
        let first = folder.run(line);
        assert!(!first.out().contains("replaced"), "{line}: {}", first.out());
        let second = folder.run(&format!("{line} --overwrite"));
        let what = if line.contains("extract") { "replaced 1 file" } else { "replaced a file of " };
        assert!(second.out().contains(what), "{line}: {}{}", second.out(), second.err());
    }
    for line in [
        "pak create [DIR]/out.pak -C [DIR]/mod . --dry-run",
        "pak merge -o [DIR]/out.pak [DIR]/a.pak --dry-run",
        "pak repack [DIR]/a.pak -o [DIR]/out.pak --dry-run",
        "pak extract [DIR]/a.pak -o [DIR]/out --dry-run",
    ] {
        folder.run("pak create [DIR]/out.pak -C [DIR]/mod .");
        let answer = folder.run(&format!("{line} --overwrite"));
        assert!(answer.out().contains("replace"), "{line}: {}", answer.out());
    }
}

#[test]
fn pack_of_a_folder_leads_to_create() {
    let folder = Folder::with([("game/id1/maps/start.bsp", "no level"), ("mymod/a.cfg", "bind")]);
    assert_snapshot!(folder.check("--basedir [DIR]/game pack [DIR]/mymod -o [DIR]/a.pak"), @"
    exit: 2
    ! error: [DIR]/mymod: it is a folder, and `quakefs pack` packs what a level needs
    !   help: `quakefs pak create [DIR]/mymod.pak -C [DIR]/mymod .` archives the folder
    ");
}

/// Nor `..`, which no archive stores.
#[test]
fn a_path_above_the_folder_of_the_names_leads_to_its_folder() {
    let folder = folder();
    std::fs::create_dir(folder.join("here")).unwrap();
    let said = |line: &str| {
        let mut command = testutils::command(crate::BINARY);
        let answer = command.args(words(line)).current_dir(folder.join("here")).output().unwrap();
        // Windows prints its own slash
        String::from_utf8(answer.stderr).unwrap().replace('\\', "/")
    };
    assert_snapshot!(said("pak create a.pak ../mod/progs.dat ../mod"), @"
    error: ../mod/progs.dat: it is outside of the folder that names are relative to, so it has no name
      help: name it and its folder apart: -C ../mod progs.dat
    error: ../mod: it is outside of the folder that names are relative to, so it has no name
      help: name it and its folder apart: -C ../mod .
    error: nothing was written
    ");
    assert_eq!(said("pak create a.pak -C ../mod progs.dat"), "");
    assert_eq!(said("pak add a.pak ../mod/Z.cfg --as z.cfg"), "");
    assert_eq!(folder.run("pak list [DIR]/here/a.pak").out(), "progs.dat\nz.cfg\n");
}

#[test]
fn a_conversion_that_is_only_tried_writes_nothing() {
    let folder = Folder::with_archive(&[(b"a.cfg", b"bind")]);
    assert_snapshot!(folder.check("pak convert [DIR]/a.pak -o [DIR]/b.pk3 --dry-run"), @"[DIR]/b.pk3: would have 1 entry; nothing was written");
    assert!(!folder.join("b.pk3").exists());
}
