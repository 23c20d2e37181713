//! Commands on a mounted image.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use libtest_mimic::Trial;
use tempfile::TempDir;
use testutils::{Folder, game};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a_game_is_found_as_the_disk_spells_it", a_game),
        trial("an_extraction_writes_each_file_and_replaces_none", an_extraction),
        trial("names_that_are_one_file_are_reported", twins),
        trial("an_archive_is_made_changed_and_repacked", an_archive),
    ]
}

/// A test. If no exFAT image can be mounted, it is ignored, with the reason.
fn trial(name: &str, run: fn()) -> Trial {
    static UNAVAILABLE: LazyLock<Option<String>> = LazyLock::new(|| Disk::mount().err());
    let test = move || {
        run();
        Ok(())
    };
    match &*UNAVAILABLE {
        Some(reason) => Trial::test(format!("{name}: {reason}"), test).with_ignored_flag(true),
        None => Trial::test(name, test),
    }
}

/// An image of exFAT that is mounted, until it is dropped.
struct Disk {
    root: Utf8PathBuf,
    device: String,
    _folder: TempDir,
}

impl Disk {
    fn mount() -> Result<Disk, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (image, root) = (folder.path().join("image"), folder.path().join("disk"));
        fs::create_dir(&root).map_err(|error| error.to_string())?;
        let made = File::create(&image).and_then(|file| file.set_len(16 << 20));
        made.map_err(|error| error.to_string())?;
        done("mkfs.exfat", &[image.as_os_str()])?;
        let device = done("losetup", &["-f".as_ref(), "--show".as_ref(), image.as_os_str()])?;
        let device = device.trim().to_owned();
        let root = Utf8PathBuf::from_path_buf(root).map_err(|_| "the path is not UTF-8".to_owned())?;
        let disk = Disk { root, device, _folder: folder };
        done("mount.exfat-fuse", &[disk.device.as_ref(), disk.root.as_os_str()])?;
        Ok(disk)
    }

    /// A copy of a game on the disk.
    fn with(text: &str) -> Disk {
        let disk = Disk::mount().unwrap();
        copy(game(text).path(), &disk.root);
        disk
    }

    fn run(&self, line: &str) -> (i32, String) {
        let words = line.split_whitespace().map(|word| word.replace("[DISK]", self.root.as_str()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_quakefs"));
        let Output { status, stdout, stderr } =
            command.args(words).env_clear().env("HOME", "/nonexistent").output().unwrap();
        let text = [stdout, stderr].concat();
        (status.code().unwrap(), String::from_utf8(text).unwrap().replace(self.root.as_str(), "[DISK]"))
    }

    fn done(&self, line: &str) -> String {
        let (code, text) = self.run(line);
        assert_eq!(code, 0, "{line}: {text}");
        text
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = self.root.join(folder).read_dir_utf8().unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().to_owned()).collect();
        names.sort();
        names
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = done("umount", &[self.root.as_os_str()]);
        let _ = done("losetup", &["-d".as_ref(), self.device.as_ref()]);
    }
}

/// What a program prints; its error is the reason.
fn done(program: &str, args: &[&std::ffi::OsStr]) -> Result<String, String> {
    // where users other than root do not look for programs
    let sbin = |folder: &str| PathBuf::from(folder).join(program);
    let found = [sbin("/usr/sbin"), sbin("/sbin"), program.into()];
    let program_at = found.iter().find(|path| path.exists()).unwrap_or(&found[2]);
    let output =
        Command::new(program_at).args(args).output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let reason = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("it fails").to_owned();
    Err(format!("{program}: {reason}"))
}

fn copy(from: &Utf8Path, to: &Utf8Path) {
    for entry in from.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&target).unwrap();
            copy(entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// As Steam installs it.
const STOCK: &str = "Id1/PAK0.PAK: maps/start.bsp default.cfg; Id1/PAK1.PAK: default.cfg; Id1/: Config.CFG";

fn a_game() {
    let disk = Disk::with(STOCK);
    let path = disk.done("--basedir [DISK] path");
    let layers: Vec<_> =
        path.lines().filter_map(|line| line.split_whitespace().next()).skip(2).take(3).collect();
    assert_eq!(
        layers.iter().map(|layer| layer.to_lowercase()).collect::<Vec<_>>(),
        ["id1/pak1.pak", "id1/pak0.pak", "id1/"]
    );
    let list = disk.done("--basedir [DISK] ls");
    assert_eq!(list.lines().count(), 3, "{list}");
    for name in ["default.cfg", "maps/start.bsp", "config.cfg", "CONFIG.cfg"] {
        assert!(disk.done(&format!("--basedir [DISK] which {name}")).starts_with(name));
    }
}

fn an_extraction() {
    let disk = Disk::with(STOCK);
    disk.done("pak extract [DISK]/id1/pak0.pak -o [DISK]/out");
    assert_eq!(disk.names("out"), ["default.cfg", "maps"]);
    assert_eq!(disk.read("out/maps/start.bsp"), "Id1/PAK0.PAK:0");
    fs::write(disk.root.join("out/default.cfg"), "mine").unwrap();
    let (code, text) = disk.run("pak extract [DISK]/id1/pak0.pak -o [DISK]/out");
    assert_eq!((code, text.matches("exists already").count()), (2, 2), "{text}");
    disk.done("pak extract [DISK]/id1/pak0.pak -o [DISK]/out --skip-existing");
    assert_eq!(disk.read("out/default.cfg"), "mine");
    disk.done("pak extract [DISK]/id1/pak0.pak -o [DISK]/out --overwrite");
    assert_eq!(disk.read("out/default.cfg"), "Id1/PAK0.PAK:1");
    assert_eq!(disk.names("out"), ["default.cfg", "maps"]);
}

fn twins() {
    // like a new stick, on which no file shows how it compares names
    let disk = Disk::mount().unwrap();
    let folder = Folder::new();
    let pak =
        testutils::pack(pak_format::Layout::Quake, [("a.cfg", "small"), ("A.CFG", "large"), ("b.cfg", "b")]);
    folder.write("pak0.pak", pak);
    for options in ["", " --overwrite"] {
        let line = format!("pak extract {} -o [DISK]/new{options}", folder.join("pak0.pak"));
        let (code, text) = disk.run(&line);
        assert_eq!((code, text.matches("ignores case").count()), (2, 1), "{text}");
        assert_eq!(
            (disk.names("new"), disk.read("new/A.cfg")),
            (vec!["a.cfg".into(), "b.cfg".into()], "small".into())
        );
        fs::remove_dir_all(disk.root.join("new")).unwrap();
    }
}

fn an_archive() {
    let disk = Disk::with("files/: a.cfg=first b.cfg; other/: a.cfg=second");
    disk.done("pak create [DISK]/new.pak -C [DISK]/files .");
    let (code, _) = disk.run("pak create [DISK]/NEW.pak -C [DISK]/other .");
    assert_eq!(code, 2, "a file that is there is never replaced");
    disk.done("pak add [DISK]/new.pak -C [DISK]/other a.cfg --overwrite");
    assert_eq!(disk.done("pak cat [DISK]/new.pak a.cfg"), "second");
    let before = fs::metadata(disk.root.join("new.pak")).unwrap().len();
    disk.done("pak repack [DISK]/new.pak");
    assert!(fs::metadata(disk.root.join("new.pak")).unwrap().len() < before);
    assert_eq!(disk.done("pak cat [DISK]/new.pak a.cfg"), "second");
    disk.done("pak catalog [DISK] -o [DISK]/c.csv");
    disk.done("pak catalog [DISK] -o [DISK]/c.csv --update");
    assert_eq!(disk.names(""), ["c.csv", "files", "new.pak", "other"]);
}
