//! What is in the mounted folder, and how the mount ends.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use camino::Utf8Path;
use insta::assert_snapshot;
use libtest_mimic::Trial;
use pak_format::Layout;
use rustix::process::{Signal, kill_process};
use testutils::{Folder, game, hostile, pack, zip_deflated};

use crate::running::{Mounted, quakefs, trial, unmount};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("the_folder_equals_the_output_of_extract", the_folder_equals_the_output_of_extract),
        trial("an_engine_that_ignores_case_has_a_name_in_any_case", any_case),
        trial("folders_that_differ_in_case_are_one_and_each_file_in_it_is_read", folders_in_two_cases),
        trial("loose_files_that_change_show_at_once", loose_files_that_change_show_at_once),
        trial("archives_that_change_show_within_seconds", archives_that_change),
        trial("a_file_that_is_replaced_while_it_is_open_is_another_file", replaced_while_open),
        trial("a_mount_whose_process_was_killed_is_said", killed),
        trial("a_large_folder_of_loose_files_is_listed_where_case_does_not_count", large_folder),
        trial("a_name_that_is_missing_costs_little_in_a_large_folder", missing_names),
        trial("sizes_and_times_are_those_of_the_files", sizes_and_times),
        trial("a_compressed_entry_is_read_at_any_offset", any_offset),
        trial("a_damaged_entry_is_an_error_and_costs_no_other", damaged),
        trial("many_programs_read_at_once", many_readers),
        trial("hostile_names_are_left_out_and_said", hostile_names),
        trial("every_door_treats_hostile_names_alike", alike),
        trial("each_layer_has_a_folder", layers),
        trial("nothing_is_written", nothing_is_written),
        trial("an_interrupt_and_a_termination_unmount", signals),
        trial("a_file_that_is_open_does_not_keep_the_folder_mounted", in_use),
        trial("somebody_else_may_unmount_the_folder", unmounted_elsewhere),
        trial("a_link_into_the_mount_leads_nowhere", link_into_the_mount),
        trial("two_mounts_that_link_to_each_other_both_end", links_to_each_other),
        trial("programs_read_what_is_mounted_as_json", json),
    ]
}

fn read(path: impl AsRef<Utf8Path>) -> String {
    fs::read_to_string(path.as_ref()).unwrap()
}

fn names(folder: impl AsRef<Utf8Path>) -> Vec<String> {
    let mut names: Vec<_> =
        folder.as_ref().read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
    names.sort();
    names
}

fn the_folder_equals_the_output_of_extract() {
    let folder = game(
        "id1/pak0.pak: maps/start.bsp default.cfg maps/E1M1.bsp sound/a/b.wav;
         id1/pak1.pak: default.cfg; id1/: maps/mine.bsp config.cfg progs/x.mdl;
         mymod/pak0.pak: maps/start.bsp; mymod/b.pk3: maps/start.bsp Textures/wall.tga; mymod/: a.cfg Textures/b.tga",
    );
    for options in ["", "--game mymod", "--engine darkplaces --game mymod", "--engine qss --game mymod"] {
        let mounted = Mounted::new(&folder, options);
        let out = tempfile::tempdir().unwrap();
        let extract =
            quakefs(folder.path(), options).args(["extract", "-o"]).arg(out.path()).output().unwrap();
        assert!(extract.status.success(), "{extract:?}");
        let diff = Command::new("diff").arg("-r").arg(out.path()).arg(&mounted.path).output().unwrap();
        assert!(diff.status.success(), "{options}: {}", String::from_utf8_lossy(&diff.stdout));
        assert!(names(&mounted.path).len() > 3);
    }
}

fn any_case() {
    let folder = game("id1/pak0.pak: maps/start.bsp");
    assert!(File::open(Mounted::new(&folder, "").path.join("MAPS/Start.BSP")).is_err());
    let mounted = Mounted::new(&folder, "--engine darkplaces");
    assert_eq!(read(mounted.path.join("MAPS/Start.BSP")), "id1/pak0.pak:0");
    assert_eq!(names(mounted.path.join("MAPS")), ["start.bsp"]);
}

fn folders_in_two_cases() {
    let folder = game(
        "baseq2/pak0.pak: textures/a.wal MODELS/m.md2; baseq2/: Textures/b.wal models/n.md2;
         id1/pak0.pak: textures/a.wal MODELS/m.md2; id1/: Textures/b.wal models/n.md2",
    );
    for engine in ["quake2", "yquake2", "q2pro", "darkplaces", "fte"] {
        let mounted = Mounted::new(&folder, &format!("--engine {engine}"));
        for files in ["textures/a.wal textures/b.wal", "models/m.md2 models/n.md2"] {
            let files: Vec<_> = files.split(' ').collect();
            let within = files[0].split('/').next().unwrap();
            let listed: Vec<_> =
                names(mounted.path.join(within)).iter().map(|name| format!("{within}/{name}")).collect();
            assert_eq!(listed, files, "{engine}");
            for file in files {
                assert!(!read(mounted.path.join(file)).is_empty(), "{engine}: {file}");
            }
        }
    }
}

fn loose_files_that_change_show_at_once() {
    let folder = game("id1/pak0.pak: a.cfg; id1/: b.cfg=one; mymod/: c.cfg");
    let mounted = Mounted::new(&folder, "--engine darkplaces --game mymod");
    let at = |name: &str| mounted.path.join(name);
    assert_eq!(read(at("b.cfg")), "one");
    // the same size and name, so that only the time tells
    fs::write(folder.join("id1/b.cfg"), "two").unwrap();
    assert_eq!(read(at("b.cfg")), "two");
    fs::write(folder.join("id1/b.cfg"), "three and more").unwrap();
    assert_eq!(read(at("b.cfg")), "three and more");
    folder.write("mymod/b.cfg", "of the mod");
    assert_eq!(read(at("b.cfg")), "of the mod");
    fs::remove_file(folder.join("mymod/b.cfg")).unwrap();
    assert_eq!(read(at("b.cfg")), "three and more");
    // loose files rank above archives here
    assert_eq!(read(at("a.cfg")), "id1/pak0.pak:0");
    folder.write("id1/a.cfg", "loose");
    assert_eq!(read(at("a.cfg")), "loose");
    folder.write("mymod/new/folder/d.cfg", "new");
    assert_eq!(names(at("")), ["a.cfg", "b.cfg", "c.cfg", "new"]);
    assert_eq!(read(at("new/folder/d.cfg")), "new");
    fs::remove_dir_all(folder.join("mymod/new")).unwrap();
    assert_eq!(fs::read(at("new/folder/d.cfg")).unwrap_err().kind(), io::ErrorKind::NotFound);
    soon(|| fs::metadata(at("new")).is_err());
    assert_eq!(names(at("")), ["a.cfg", "b.cfg", "c.cfg"]);
}

/// Waits for something that the command does within a second.
fn soon(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "it did not come");
        thread::sleep(Duration::from_millis(20));
    }
}

fn archives_that_change() {
    let folder = game("id1/pak0.pak: a.cfg=old b.cfg; id1/: c.cfg");
    let mounted = Mounted::new(&folder, "");
    assert_eq!(read(mounted.path.join("a.cfg")), "old");
    // like a packer: a new file replaces the old one
    folder.write("new", pack(Layout::Quake, [("a.cfg", "newer"), ("d.cfg", "d")]));
    fs::rename(folder.join("new"), folder.join("id1/pak0.pak")).unwrap();
    soon(|| read(mounted.path.join("a.cfg")) == "newer");
    assert_eq!(names(&mounted.path), ["a.cfg", "c.cfg", "d.cfg"]);
    folder.write("id1/pak1.pak", pack(Layout::Quake, [("a.cfg", "highest")]));
    soon(|| fs::read_to_string(mounted.path.join("a.cfg")).is_ok_and(|text| text == "highest"));
    fs::remove_file(folder.join("id1/pak1.pak")).unwrap();
    soon(|| read(mounted.path.join("a.cfg")) == "newer");
    let ended = mounted.interrupt();
    assert_eq!((ended.status.code(), &*ended.err), (Some(0), ""));
    assert!(ended.out.starts_with("refreshed 3 files"), "{}", ended.out);
}

/// A program that still reads the old file gets no bytes of the new one.
fn replaced_while_open() {
    let (old, new) = (vec![b'o'; 1 << 20], vec![b'n'; 1 << 20]);
    let folder = game("id1/: x");
    let archive = |content: &[u8]| pack(Layout::Quake, [("a.wav", content)]);
    folder.write("id1/pak0.pak", archive(&old));
    folder.write("id1/b.wav", &old);
    let mounted = Mounted::new(&folder, "");
    let open = |name: &str| File::open(mounted.path.join(name)).unwrap();
    let before = ["a.wav", "b.wav"].map(open);
    folder.write("new.pak", archive(&new));
    folder.write("new.wav", &new);
    // the same time, so that the number of the file tells
    let time = fs::metadata(folder.join("id1/b.wav")).unwrap().modified().unwrap();
    File::options().write(true).open(folder.join("new.wav")).unwrap().set_modified(time).unwrap();
    fs::rename(folder.join("new.pak"), folder.join("id1/pak0.pak")).unwrap();
    fs::rename(folder.join("new.wav"), folder.join("id1/b.wav")).unwrap();
    soon(|| fs::metadata(mounted.path.join("a.wav")).unwrap().ino() != before[0].metadata().unwrap().ino());
    for (name, before) in ["a.wav", "b.wav"].into_iter().zip(before) {
        let after = open(name);
        assert_ne!(before.metadata().unwrap().ino(), after.metadata().unwrap().ino(), "{name}");
        let mut page = [0; 4096];
        for at in (0..1 << 20).step_by(page.len()) {
            before.read_exact_at(&mut page, at).unwrap();
            assert!(page.iter().all(|byte| *byte == b'o'), "{name} at {at}");
        }
        for file in [after, open(name)] {
            for at in (0..1 << 20).step_by(page.len()) {
                file.read_exact_at(&mut page, at).unwrap();
                assert!(page.iter().all(|byte| *byte == b'n'), "{name} at {at}");
            }
        }
    }
}

/// Looks at everything below a folder, through links.
fn walk(folder: &Utf8Path) -> String {
    let find = Command::new("timeout").args(["-s", "KILL", "10", "find", "-L"]).arg(folder).output().unwrap();
    String::from_utf8(find.stdout).unwrap().replace(folder.as_str(), "")
}

fn link_into_the_mount() {
    let folder = game("id1/pak0.pak: a.cfg; id1/: maps/b.bsp");
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(folder.join(to), folder.join(name)).unwrap();
    fs::create_dir(folder.join("elsewhere")).unwrap();
    folder.write("elsewhere/c.cfg", "c");
    link("mounted", "id1/loop");
    link("elsewhere", "id1/other");
    for options in ["", "--engine darkplaces", "--no-userdir --layers"] {
        let mounted = Mounted::new(&folder, options);
        let top =
            if options.ends_with("--layers") { mounted.path.join("02-id1") } else { mounted.path.clone() };
        assert_eq!(read(top.join("maps/b.bsp")), "id1/maps/b.bsp");
        assert_eq!(read(top.join("other/c.cfg")), "c");
        assert!(fs::metadata(top.join("loop/loop/loop/loop/loop/loop/a.cfg")).is_err());
        // links that are created while it is mounted, also to a parent and with the name of an archive
        link("mounted/maps", "id1/maps/deep");
        link("mounted/maps/b.bsp", "id1/file.cfg");
        link("mounted/maps/b.bsp", "id1/pak1.pak");
        thread::sleep(Duration::from_millis(1500));
        let found = walk(&mounted.path);
        assert!(found.contains("maps/b.bsp") && !found.contains("deep/b.bsp"), "{found}");
        for name in ["maps/deep/deep/deep/deep/deep/b.bsp", "file.cfg", "pak1.pak"] {
            assert!(fs::read(top.join(name)).is_err(), "{name}");
        }
        assert_eq!(mounted.interrupt().status.code(), Some(0));
        for name in ["id1/maps/deep", "id1/file.cfg", "id1/pak1.pak"] {
            fs::remove_file(folder.join(name)).unwrap();
        }
    }
}

fn links_to_each_other() {
    let (one, two) = (game("id1/: a.cfg"), game("id1/: b.cfg"));
    std::os::unix::fs::symlink(two.join("mounted"), one.join("id1/two")).unwrap();
    std::os::unix::fs::symlink(one.join("mounted"), two.join("id1/one")).unwrap();
    let (first, second) = (Mounted::new(&one, ""), Mounted::new(&two, ""));
    assert!(fs::metadata(first.path.join("two/one/two/one/two/one/two/one/two/one/a.cfg")).is_err());
    assert!(walk(&first.path).contains("/a.cfg") && walk(&second.path).contains("/b.cfg"));
    for mounted in [first, second] {
        assert_eq!(mounted.interrupt().status.code(), Some(0));
    }
}

fn killed() {
    let folder = game("id1/pak0.pak: a.cfg");
    let ended = Mounted::new(&folder, "").end_by(|pid, _| kill_process(pid, Signal::KILL).unwrap());
    assert_eq!(ended.status.code(), None);
    let again = Mounted::start(&folder, "", "mounted").map(Mounted::interrupt).err().unwrap();
    assert!(unmount(&folder.join("mounted")));
    assert_snapshot!(folder.redact(&again), @"
    error: [DIR]/mounted: not mounted: it cannot be mounted on: Transport endpoint is not connected (os error 107)
      help: an earlier mount ended without unmounting: run `fusermount3 -u [DIR]/mounted`, or as root `umount [DIR]/mounted`
    ");
}

fn large_folder() {
    let count = testutils::scaled(1_000, 3_000);
    let folder = game("id1/pak0.pak: a.cfg");
    for number in 0..count {
        folder.write(&format!("id1/textures/{number}.tga"), "");
    }
    let mounted = Mounted::new(&folder, "--engine darkplaces");
    let textures = mounted.path.join("textures");
    let files = names(&textures);
    assert_eq!(files.len(), count);
    let mut listings = 0;
    for name in files {
        listings += usize::from(fs::metadata(textures.join(name)).unwrap().len() == 0);
    }
    assert_eq!(listings, count);
}

/// If each lookup listed the folder, the lookups would take minutes.
fn missing_names() {
    let folder = game("baseq2/pak0.pak: a.cfg; baseq2/: x.cfg; id1/pak0.pak: a.cfg; id1/: x.cfg");
    for number in 0..testutils::scaled(5_000, 20_000) {
        folder.write(&format!("id1/Textures/{number}.TGA"), "");
    }
    fs::rename(folder.join("id1/Textures"), folder.join("baseq2/Textures")).unwrap();
    std::os::unix::fs::symlink("../baseq2/Textures", folder.join("id1/Textures")).unwrap();
    thread::sleep(Duration::from_millis(2500));
    for engine in ["darkplaces", "fte", "yquake2", "q2pro"] {
        let mounted = Mounted::new(&folder, &format!("--engine {engine}"));
        let has = |name: &str| fs::metadata(mounted.path.join(name)).is_ok();
        for number in 0..1_000 {
            assert!(!has(&format!("textures/missing{number}.tga")), "{engine}");
        }
        // new files are seen at once, again and again
        for name in ["new.tga", "NEWER.tga"] {
            fs::write(folder.join("baseq2/Textures").join(name), "").unwrap();
            assert!(has(&format!("Textures/{name}")), "{engine}");
            assert!(has(&format!("textures/{name}")), "{engine}");
            fs::remove_file(folder.join("baseq2/Textures").join(name)).unwrap();
            assert!(!has(&format!("Textures/{name}")), "{engine}");
        }
        thread::sleep(Duration::from_millis(2500));
    }
}

fn sizes_and_times() {
    let folder = game("id1/pak0.pak: a.cfg=four; id1/: maps/b.bsp=loose");
    folder.write("id1/c.pk3", zip_deflated([("c.cfg", "c".repeat(10_000))]));
    let time = |days: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400);
    let set = |name: &str, days| {
        File::options().write(true).open(folder.join(name)).unwrap().set_modified(time(days)).unwrap();
    };
    set("id1/pak0.pak", 9000);
    set("id1/c.pk3", 9100);
    set("id1/maps/b.bsp", 9200);
    File::open(folder.join("id1/maps")).unwrap().set_modified(time(9300)).unwrap();
    let mounted = Mounted::new(&folder, "--engine darkplaces");
    let of = |name: &str| {
        let found = fs::metadata(mounted.path.join(name)).unwrap();
        (found.len(), found.modified().unwrap(), found.mode() & 0o7777)
    };
    assert_eq!(of("a.cfg"), (4, time(9000), 0o444));
    assert_eq!(of("c.cfg"), (10_000, time(9100), 0o444));
    assert_eq!(of("maps/b.bsp"), (5, time(9200), 0o444));
    assert_eq!(of("maps"), (0, time(9300), 0o555));
}

/// Bytes that do not repeat and compress to a half.
fn noise(count: usize) -> Vec<u8> {
    let mut state: u32 = 1;
    let step = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 28) as u8
    };
    (0..count).map(step).collect()
}

fn any_offset() {
    let content = noise(3_000_000);
    let folder = game("id1/: a.cfg=loose");
    folder.write("id1/a.pk3", zip_deflated([("big.wav", &content)]));
    folder.write("id1/b.pak", pack(Layout::Quake, [("stored.wav", &content)]));
    folder.write("id1/loose.wav", &content);
    let mounted = Mounted::new(&folder, "--engine darkplaces");
    for name in ["big.wav", "stored.wav", "loose.wav"] {
        let file = File::open(mounted.path.join(name)).unwrap();
        for offset in [2_999_990, 0, 1_500_001, 4095, 131_071, 2_000_000, 3_000_000, 9_000_000] {
            let mut buffer = [0; 5000];
            let count = file.read_at(&mut buffer, offset as u64).unwrap();
            let expected = content.get(offset..).unwrap_or_default();
            let expected = &expected[..expected.len().min(5000)];
            assert_eq!(&buffer[..count], expected, "{name} at {offset}");
        }
        assert!(fs::read(mounted.path.join(name)).unwrap() == content, "{name}");
    }
}

fn damaged() {
    let folder = game("id1/: a.cfg=loose");
    let mut image = zip_deflated([("bad.cfg", noise(1000)), ("good.cfg", b"good".to_vec())]);
    image[60..80].fill(0xff);
    folder.write("id1/a.pk3", image);
    let mounted = Mounted::new(&folder, "--engine darkplaces");
    assert_eq!(fs::metadata(mounted.path.join("bad.cfg")).unwrap().len(), 1000);
    let error = fs::read(mounted.path.join("bad.cfg")).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(rustix::io::Errno::IO.raw_os_error()), "{error}");
    assert_eq!(read(mounted.path.join("good.cfg")), "good");
}

fn many_readers() {
    let folder = game("id1/: a.cfg=loose");
    let files: Vec<_> =
        (0..40).map(|number| (format!("maps/{number}.bsp"), noise(100_000 + number))).collect();
    folder.write("id1/a.pk3", zip_deflated(files.iter().map(|(name, content)| (name, content))));
    let mounted = Mounted::new(&folder, "--engine darkplaces");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for (name, content) in &files {
                    assert!(fs::read(mounted.path.join(name)).unwrap() == *content, "{name}");
                }
            });
        }
        scope.spawn(|| {
            for number in 0..200 {
                folder.write("id1/maps/loose.bsp", number.to_string());
                assert_eq!(read(mounted.path.join("maps/loose.bsp")), number.to_string());
            }
        });
    });
}

fn hostile_names() {
    let folder = Folder::new();
    let mut rows: Vec<(&[u8], &str)> = vec![
        (b"good.cfg", "good"),
        (b"../up.cfg", "up"),
        (b"/root.cfg", "root"),
        (b"a/../../b.cfg", "b"),
        (b"a\\b.cfg", "backslash"),
        (b"folder", "file"),
        (b"folder/file.cfg", "file in a folder"),
        (b"twice//a.cfg", "two slashes"),
        (b"./dot.cfg", "dot"),
        (b"steer\x1b[2J.cfg", "escape"),
        (b"latin-\xe9.cfg", "latin"),
        (b"con", "device"),
    ];
    rows.push((b"", "empty"));
    folder.write("id1/pak0.pak", pack(Layout::Quake, rows.iter().copied()));
    folder.write("id1/a.pk3", zip_deflated([(&b"nul\0byte.cfg"[..], "nul"), (b"../../zip.cfg", "zip")]));
    let mounted = Mounted::new(&folder, "--engine darkplaces");
    let mut text = String::new();
    for entry in fs::read_dir(&mounted.path).unwrap() {
        let entry = entry.unwrap();
        let content = fs::read(entry.path())
            .map_or_else(|_| "a folder".to_owned(), |content| content.escape_ascii().to_string());
        let name = entry.file_name();
        writeln!(text, "{}: {content}", name.as_encoded_bytes().escape_ascii()).unwrap();
    }
    let ended = mounted.interrupt();
    assert_snapshot!(text + &ended.err, @r#"
    folder: a folder
    good.cfg: good
    latin-\xe9.cfg: latin
    zip.cfg: zip
    warning: id1/pak0.pak: entry 1 (../up.cfg): no request finds it: the name has a ".." component
      help: rename it to up.cfg
    warning: id1/pak0.pak: entry 2 (/root.cfg): no request finds it: the name begins with "/", which this engine refuses
      help: rename it to root.cfg
    warning: id1/pak0.pak: entry 3 (a/../../b.cfg): no request finds it: the name has a ".." component
      help: rename it to a/b.cfg
    warning: id1/pak0.pak: entry 4 (a\b.cfg): no request finds it: the name contains a backslash, which this engine refuses
    warning: id1/pak0.pak: entry 7 (twice//a.cfg): no request finds it: the name has an empty component, which this engine refuses
      help: rename it to twice/a.cfg
    warning: id1/pak0.pak: entry 8 (./dot.cfg): no request finds it: the name has a "." component, which this engine refuses
      help: rename it to dot.cfg
    warning: id1/pak0.pak: entry 12 (): no request finds it: the name is empty
      help: rename it to _
    warning: id1/a.pk3: entry 0 (nul\x00byte.cfg): no request finds it: the name contains a NUL byte
      help: rename it to nul_byte.cfg
    warning: id1/pak0.pak: entry 5 (folder): not shown: another file makes the path both a file and a folder
    warning: id1/pak0.pak: entry 11 (con): not shown: the name is reserved for a Windows device
    warning: id1/pak0.pak: entry 9 (steer\x1B[2J.cfg): not shown: the name contains a control byte
    "#);
}

/// `testdata/hostile.json`, as in the suites of all doors. A file whose size is wrong is shown, and cannot be
/// read.
fn alike() {
    let (rows, archive) = hostile();
    let folder = Folder::with([("id1/pak0.pak", archive)]);
    let mounted = Mounted::new(&folder, "--engine darkplaces");
    for row in &rows {
        let read = fs::read(mounted.path.join(&row.entry));
        let content = row.text.as_ref().filter(|_| row.written);
        assert_eq!(read.ok().as_deref(), content.map(String::as_bytes), "{:?}", row.entry);
    }
    let fine = ["after", "before"];
    assert_eq!(names(mounted.path.join("fine")), fine);
    let shown = rows.iter().filter(|row| row.asked && (row.written || row.text.is_none())).count();
    assert_eq!(names(&mounted.path).len(), shown - fine.len() + 1);
}

fn layers() {
    let folder = game("id1/pak0.pak: a.cfg b.cfg; id1/: a.cfg; mymod/pak0.pak: a.cfg");
    let mounted = Mounted::new(&folder, "--game mymod --no-userdir --layers");
    let mut text = String::new();
    for name in names(&mounted.path) {
        writeln!(text, "{name}: {}", names(mounted.path.join(&name)).join(" ")).unwrap();
    }
    assert_snapshot!(text, @"
    01-mymod-pak0.pak: a.cfg
    02-mymod: pak0.pak
    03-id1-pak0.pak: a.cfg b.cfg
    04-id1: a.cfg pak0.pak
    ");
    assert_eq!(read(mounted.path.join("04-id1/a.cfg")), "id1/a.cfg");
    assert_eq!(read(mounted.path.join("03-id1-pak0.pak/a.cfg")), "id1/pak0.pak:0");
    assert_snapshot!(folder.redact(&mounted.said), @"mounted 6 files (313 bytes) at [DIR]/mounted; Ctrl-C unmounts");
}

fn nothing_is_written() {
    let folder = game("id1/pak0.pak: a.cfg; id1/: b.cfg");
    let mounted = Mounted::new(&folder, "");
    for name in ["a.cfg", "b.cfg", "new.cfg"] {
        let error = fs::write(mounted.path.join(name), "x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ReadOnlyFilesystem, "{name}");
    }
    assert!(fs::remove_file(mounted.path.join("b.cfg")).is_err());
    assert!(fs::create_dir(mounted.path.join("folder")).is_err());
    assert_eq!(read(folder.join("id1/b.cfg")), "id1/b.cfg");
}

/// Whether the tests run under a program that ignores hang-ups, as `nohup` does. The command then ignores
/// them too.
fn hangups_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}

fn signals() {
    let hangup = (!hangups_are_ignored()).then_some(Signal::HUP);
    for signal in [Signal::INT, Signal::TERM].into_iter().chain(hangup) {
        let folder = game("id1/pak0.pak: a.cfg");
        let mounted = Mounted::new(&folder, "");
        assert_eq!(names(&mounted.path), ["a.cfg"]);
        let ended = mounted.end_by(|pid, _| kill_process(pid, signal).unwrap());
        assert_eq!((ended.status.code(), &*ended.err), (Some(0), ""), "{signal:?}");
        assert_eq!(folder.redact(&ended.out), "unmounted [DIR]/mounted\n");
        assert!(!folder.join("mounted").exists(), "the folder was made for the mount");
    }
    let folder = game("id1/pak0.pak: a.cfg");
    fs::create_dir(folder.join("mounted")).unwrap();
    Mounted::new(&folder, "").interrupt();
    assert!(folder.join("mounted").exists(), "the folder was there before");
}

fn in_use() {
    let folder = game("id1/pak0.pak: a.cfg");
    let mounted = Mounted::new(&folder, "");
    let open = File::open(mounted.path.join("a.cfg")).unwrap();
    let ended = mounted.interrupt();
    drop(open);
    assert_eq!(ended.status.code(), Some(0));
    assert_snapshot!(folder.redact(&(ended.out + &ended.err)), @"
    unmounted [DIR]/mounted
    warning: [DIR]/mounted: programs still had files open there
    ");
    assert!(!folder.join("mounted").exists());
}

fn unmounted_elsewhere() {
    let folder = game("id1/pak0.pak: a.cfg");
    let ended = Mounted::new(&folder, "").end_by(|_, path| assert!(unmount(path)));
    assert_eq!((ended.status.code(), &*ended.err), (Some(0), ""));
}

fn json() {
    let folder = game("id1/pak0.pak: a.cfg maps/b.bsp; id1/: maps/../x");
    folder.write("id1/pak1.pak", pack(Layout::Quake, [("../up.cfg", ""), ("c.cfg", "")]));
    let mounted = Mounted::start(&folder, "--json", "mounted").unwrap();
    let said = mounted.said.clone();
    let ended = mounted.interrupt();
    assert_snapshot!(folder.redact(&(said + &ended.out + &ended.err)), @r#"
    {"type":"mounted","path":"[DIR]/mounted","files":4,"bytes":41,"layers":false}
    {"type":"unmounted","path":"[DIR]/mounted","in_use":false}
    "#);
}
