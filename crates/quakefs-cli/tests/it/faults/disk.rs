//! Disks and folders that fail, like real ones.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use pak_format::Layout;
use testutils::{Folder, IgnoringCase, Pack, command, pack, zip_deflated};

use super::stopped::{wait_for_growth, write_large};
use super::{BINARY, COMMANDS, EXTRACT, Scene, unprivileged};

/// The old archive of `a.pak` is 700 kB: files may grow to `limit` KiB.
fn with_limit(scene: &Scene, limit: u32, line: &str) -> (Option<i32>, String) {
    let mut bash = command("bash");
    let script = format!("ulimit -f {limit}; exec \"$0\" {line}");
    bash.args(["-f", "-c", &script]).arg(BINARY);
    let answer = scene.here(bash).output().unwrap();
    (answer.status.code(), String::from_utf8(answer.stderr).unwrap())
}

/// Entries of 600 MB, several at once, in less memory than one of them.
#[test]
fn entries_are_verified_and_hashed_in_pieces() {
    let folder = Folder::new();
    let size = 600_000_000;
    let encoded: Vec<u8> =
        std::iter::repeat_n(127, size / 65).chain([62 + u8::try_from(size % 65).unwrap(), 255]).collect();
    let payload = Pack::new(Layout::Daikatana).payload(&encoded);
    for name in ["a.pak", "b.pak"] {
        let mut pack = Pack::new(Layout::Daikatana);
        pack.payload(&encoded);
        pack.compressed_row(b"zeros.tga", payload, encoded.len(), size);
        folder.write(name, pack.finish());
    }
    folder.write("c.pk3", zip_deflated([("zeros.tga", vec![0; size])]));
    for line in ["verify", "catalog"] {
        let script = format!("ulimit -v 500000; exec \"$0\" pak {line} --max-output 4G a.pak b.pak c.pk3");
        let bash =
            command("bash").args(["-c", &script]).arg(BINARY).current_dir(folder.path()).output().unwrap();
        assert!(bash.status.success(), "{line}: {}", String::from_utf8_lossy(&bash.stderr));
    }
}

/// Sparse files, which need no room on the disk.
#[test]
fn of_archives_larger_than_the_memory_parts_are_read() {
    let folder = Folder::new();
    write_large(folder.path().join("large.pak").as_ref());
    let wad = [b"WAD2\x01\0\0\0\x0c\0\0\0".as_slice(), &[0; 16], b"brick"].concat();
    let level = [29_u32.to_le_bytes().as_slice(), &[0; 120]].concat();
    for (name, header) in [("large.wad", wad), ("large.bsp", level)] {
        folder.write(name, header);
        File::options().write(true).open(folder.path().join(name)).unwrap().set_len(1 << 32).unwrap();
    }
    for (line, shown) in [
        ("verify large.pak", "note     large.pak: "),
        ("verify --deep large.pak", "note     large.pak: "),
        ("list large.wad", "brick"),
        ("list large.bsp", ""),
    ] {
        let script = format!("ulimit -v 500000; exec \"$0\" pak {line}");
        let bash =
            command("bash").args(["-c", &script]).arg(BINARY).current_dir(folder.path()).output().unwrap();
        let out = String::from_utf8_lossy(&bash.stdout);
        assert!(bash.status.success() && out.contains(shown), "{line}: {bash:?}");
    }
}

/// A device that fails below, which would end a process that has the file mapped.
#[testneeds::path("/dev/fuse")]
#[test]
fn a_disk_error_affects_only_its_entry_or_archive() {
    const LEVEL: usize = 400_000;
    let disk = IgnoringCase::new().unwrap();
    let entries = ["maps/a.bsp", "maps/b.bsp", "maps/c.bsp"].map(|name| (name, vec![b'.'; LEVEL]));
    fs::create_dir(disk.path().join("id1")).unwrap();
    for name in ["id1/pak0.pak", "id1/pak1.pak"] {
        let entries = entries.iter().map(|(name, level)| (*name, &level[..]));
        fs::write(disk.path().join(name), pack(Layout::Quake, entries)).unwrap();
    }
    // a part of the second level, and the directory
    disk.lose("id1/pak0.pak", 500_000..600_000);
    disk.lose("id1/pak1.pak", 1_190_000..2_000_000);
    let answer = |line: &str| {
        let mut quakefs = command(BINARY);
        let answer = quakefs.args(line.split(' ')).current_dir(disk.path()).output().unwrap();
        assert!(answer.status.code().is_some(), "{line}: {}", answer.status);
        let (out, err) = (String::from_utf8_lossy(&answer.stdout), String::from_utf8_lossy(&answer.stderr));
        (answer.status.code(), out.into_owned(), err.into_owned())
    };
    for line in [
        "pak list id1/pak1.pak",
        "pak info id1/pak1.pak",
        "pak verify id1/pak1.pak",
        "pak cat id1/pak1.pak --entry 0",
        "pak extract id1/pak1.pak -o out1",
        "pak find *.bsp id1/pak1.pak",
        "pak catalog id1/pak1.pak",
        "pak duplicates id1/pak1.pak",
        "pak repack id1/pak1.pak",
        "pak merge -o new.pak id1/pak1.pak",
        "pak convert id1/pak1.pak -o new.pk3",
    ] {
        let (code, _, err) = answer(line);
        assert_eq!(code, Some(2), "{line}: {err}");
        assert!(err.contains("pak1.pak") && err.contains("Input/output error"), "{line}: {err}");
    }
    for line in
        ["which maps/a.bsp", "path", "ls", "check", "shadows", "report -o page.html", "extract -o out2"]
    {
        let (_, out, err) = answer(&format!("--basedir . {line}"));
        assert!(format!("{out}{err}").contains("pak1.pak"), "{line}: {out}{err}");
    }
    for line in
        ["pak cat id1/pak0.pak maps/b.bsp", "pak extract id1/pak0.pak -o out3", "--basedir . cat maps/b.bsp"]
    {
        let (code, _, err) = answer(line);
        assert_eq!(code, Some(2), "{line}: {err}");
        assert!(err.contains("pak0.pak") && err.contains("Input/output error"), "{line}: {err}");
    }
    let written = ["a", "b", "c"].map(|name| disk.below().join(format!("out3/maps/{name}.bsp")).is_file());
    assert_eq!(written, [true, false, true]);
}

#[test]
fn a_limit_on_files_leaves_the_old_archive() {
    for (number, line) in COMMANDS.into_iter().enumerate() {
        let scene = Scene::new();
        // removing and renaming write a few rows, after the end
        let limit = u32::try_from(scene.old.len() / 1024).unwrap();
        let limit = if number == 0 || number == 4 { 100 } else { limit };
        let (code, err) = with_limit(&scene, limit, line);
        assert_eq!(code, Some(2), "{line}: {err}");
        assert!(err.contains("File too large"), "{line}: {err}");
        assert!(err.starts_with("error: a.pak: "), "{line}: {err}");
        scene.assert_unchanged(line);
        scene.assert_no_temporaries(line);
    }
    let scene = Scene::new();
    let (code, err) = with_limit(&scene, 100, EXTRACT);
    assert_eq!(code, Some(2), "{err}");
    assert_eq!(err, "error: out/maps/start.bsp: not written: File too large (os error 27)\n");
    assert_eq!(scene.extracted(EXTRACT), 3);
    scene.assert_no_temporaries(EXTRACT);
}

#[test]
fn a_read_only_folder_leaves_the_old_archive() {
    let scene = Scene::new();
    let mode = |mode| fs::set_permissions(&scene.folder, fs::Permissions::from_mode(mode)).unwrap();
    for line in [COMMANDS[0], COMMANDS[4], EXTRACT] {
        mode(0o755);
        let mut command = unprivileged(scene.folder.path());
        command.args(line.split_whitespace());
        mode(0o555);
        let answer = scene.here(command).output().unwrap();
        let err = String::from_utf8(answer.stderr).unwrap();
        assert_eq!(answer.status.code(), Some(2), "{line}: {err}");
        assert!(err.to_lowercase().contains("permission denied"), "{line}: {err}");
        scene.assert_unchanged(line);
    }
    mode(0o755);
    scene.assert_no_temporaries("read-only");
}

/// Changes the last source when its turn has not come: a large one is packed before it.
#[track_caller]
fn source_that_changes(reported: &str, change: fn(&Path)) {
    for line in &COMMANDS[..2] {
        let scene = Scene::new();
        fs::write(scene.path("new/z"), [1; 1000]).unwrap();
        File::create(scene.path("new/a_large_one")).unwrap().set_len(200 << 20).unwrap();
        let child = scene.quakefs(line).spawn().unwrap();
        wait_for_growth(scene.folder.path(), scene.old.len());
        change(&scene.path("new/z"));
        let answer = child.wait_with_output().unwrap();
        let err = String::from_utf8(answer.stderr).unwrap();
        assert_eq!(answer.status.code(), Some(2), "{line}: {err}");
        assert!(err.contains(reported) && err.contains("(z)"), "{line}: {err}");
        scene.assert_unchanged(line);
        scene.assert_no_temporaries(line);
    }
}

#[test]
fn a_source_that_vanishes_leaves_the_old_archive() {
    source_that_changes("No such file", |path| fs::remove_file(path).unwrap());
}

#[test]
fn a_source_that_shrinks_leaves_the_old_archive() {
    source_that_changes("1000", |path| File::options().write(true).open(path).unwrap().set_len(10).unwrap());
}
