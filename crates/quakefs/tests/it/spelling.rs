//! Disks that ignore case, and systems that read names in their own way.

use std::sync::Arc;

use camino::Utf8Path;
use pak_format::Layout;
use quakefs::disk::{Disk, MemoryDisk, Overlay, on_host};
use quakefs::findings::{FindingKind, Unreachable};
use quakefs::rules::Host;
use quakefs::{Builder, Engine, LooseFiles, SearchPath, contract};
use testutils::pack;

/// A game as a store installs it on Windows. The content of each file is its path.
const STEAM: &[&str] =
    &["Id1/PAK0.PAK", "Id1/Pak1.pak", "Id1/Maps/START.bsp", "Hipnotic/Pak0.PAK", "MyMod/AutoExec.cfg"];

fn steam(base: &str) -> Arc<MemoryDisk> {
    let disk = MemoryDisk::new();
    for path in STEAM {
        let is_pak = path.to_ascii_lowercase().ends_with(".pak");
        let content =
            if is_pak { pack(Layout::Quake, [("progs.dat", *path)]) } else { path.as_bytes().to_vec() };
        disk.insert(format!("{base}/{path}"), content).unwrap();
    }
    Arc::new(disk)
}

fn windows(disk: &Arc<MemoryDisk>) -> Builder {
    SearchPath::builder("/quake").disk(Arc::clone(disk)).host(Host::Windows).mission("hipnotic").game("mymod")
}

fn layers(quake: &SearchPath) -> Vec<&str> {
    quake.layers().map(quakefs::Layer::name).collect()
}

#[test]
fn a_stock_folder_of_windows_is_found_in_the_disks_spelling() {
    let disk = steam("/quake");
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let quake = windows(&disk).loose_files(loose).mount().unwrap();
        let expected = ["MyMod/", "Hipnotic/Pak0.PAK", "Hipnotic/", "Id1/Pak1.pak", "Id1/PAK0.PAK", "Id1/"];
        assert_eq!(layers(&quake), expected);
        assert_eq!(quake.findings().count(), 0);
        for request in ["maps/start.bsp", "MAPS/Start.BSP", r"maps\start.bsp", "maps./start.bsp. ."] {
            let file = quake.find(request).unwrap();
            assert_eq!(file.stored(), "Maps/START.bsp", "{request}");
            assert_eq!(file.clone().into_owned().location(), file.location());
            assert_eq!(file.location().to_string(), "Id1/Maps/START.bsp");
            assert_eq!(file.read().unwrap(), "Id1/Maps/START.bsp");
        }
        // in archives, names compare by the engine's rules
        assert!(quake.find("PROGS.DAT").is_none());
        assert_eq!(quake.copies("progs.dat").len(), 3);
        assert!(quake.find("maps/nul.bsp").is_none());
        assert_eq!(quake.write_dir().unwrap(), "/quake/MyMod");
    }
}

#[test]
fn the_same_folder_on_linux_has_no_game() {
    let disk = steam("/quake");
    assert!(SearchPath::builder("/quake").disk(Arc::clone(&disk)).mount().is_err());
    let quake = windows(&disk).mount().unwrap();
    assert!(quake.remount_with(|builder| builder.host(Host::Linux)).is_err());
    assert_eq!(layers(&quake.remount_with(|builder| builder.host(Host::MacOs)).unwrap()), layers(&quake));
    assert_eq!(layers(&quake.remount().unwrap()), layers(&quake));
}

#[test]
fn of_two_names_that_are_one_the_first_by_bytes_stands() {
    let disk = MemoryDisk::new();
    for name in ["id1/pak0.pak", "id1/PAK0.PAK"] {
        disk.insert(format!("/quake/{name}"), pack(Layout::Quake, [("a.cfg", name)])).unwrap();
    }
    disk.insert("/quake/id1/x.cfg", "small").unwrap();
    disk.insert("/quake/id1/X.cfg", "large").unwrap();
    let quake = SearchPath::builder("/quake").disk(disk).host(Host::Windows).mount().unwrap();
    assert_eq!(layers(&quake), ["id1/PAK0.PAK", "id1/"]);
    assert_eq!(quake.find("x.cfg").unwrap().stored(), "X.cfg");
    let names: Vec<_> = quake.files().map(|file| file.stored().to_string()).collect();
    assert_eq!(names.iter().filter(|name| name.eq_ignore_ascii_case("x.cfg")).count(), 1, "{names:?}");
}

#[test]
fn letters_beyond_ascii_and_normal_forms_compare_like_on_the_disk() {
    let disk = Arc::new(MemoryDisk::new());
    // é as a letter and an accent, as a Mac writes it
    disk.insert("/quake/id1/cafe\u{301}.cfg", "form").unwrap();
    disk.insert("/quake/id1/ÜBER.cfg", "case").unwrap();
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let on = |host| {
            let disk = Arc::clone(&disk);
            SearchPath::builder("/quake").disk(disk).host(host).loose_files(loose).mount().unwrap()
        };
        let finds = |host, name: &str| on(host).find(name).map(|file| file.stored().to_string());
        assert_eq!(finds(Host::MacOs, "Caf\u{e9}.cfg").as_deref(), Some("cafe\u{301}.cfg"));
        assert_eq!(finds(Host::Windows, "Caf\u{e9}.cfg"), None);
        assert_eq!(finds(Host::Windows, "über.CFG").as_deref(), Some("ÜBER.cfg"));
        assert_eq!(finds(Host::Linux, "über.cfg"), None);
    }
}

#[test]
fn a_loose_file_hides_an_entry_that_the_disk_spells_in_another_case() {
    let disk = steam("/quake");
    let pak = pack(Layout::Quake, [("maps/start.bsp", "in the pak")]);
    disk.insert("/quake/Id1/pak2.pak", pak).unwrap();
    let engine = Engine::DarkPlaces;
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let quake = windows(&disk).engine(engine).loose_files(loose).mount().unwrap();
        let copies = quake.copies("maps/start.bsp");
        let places: Vec<_> = copies.iter().map(|file| file.location().to_string()).collect();
        assert_eq!(places, ["Id1/Maps/START.bsp", "Id1/pak2.pak: entry 0 (maps/start.bsp)"]);
        assert_eq!(quake.files().filter(|file| file.size() == 10).count(), 0, "the entry is hidden");
    }
}

#[test]
#[cfg_attr(windows, ignore = "the answer is for another system")]
fn a_name_that_no_file_of_windows_can_have_is_a_finding_there() {
    let disk = MemoryDisk::new();
    disk.insert("/quake/id1/aux.cfg", "echo").unwrap();
    let quake = SearchPath::builder("/quake").disk(disk).loose_files(LooseFiles::Listed);
    assert_eq!(quake.clone().mount().unwrap().findings().count(), 0);
    let quake = quake.host(Host::Windows).mount().unwrap();
    let found: Vec<_> = quake.findings().map(|finding| finding.kind.name()).collect();
    assert_eq!(found, [FindingKind::Unreachable(Unreachable::NoFileName).name()]);
}

#[test]
fn an_overlay_on_a_disk_that_ignores_case_replaces_files_in_any_case() {
    let game = on_host(steam("/quake"), Host::Windows, ["/quake"]);
    let over = MemoryDisk::new();
    over.insert("ID1/maps/Start.bsp", "a mod's").unwrap();
    let disk = Arc::new(Overlay::new(over, game, "/quake").unwrap());
    assert_eq!(contract::of_disk(&*disk, "/quake"), Vec::<String>::new());
    let names = disk.list("/quake/id1/maps".as_ref()).unwrap();
    assert_eq!(names.iter().map(|item| &*item.name).collect::<Vec<_>>(), [b"START.bsp"]);
    let quake = SearchPath::builder("/quake").disk(disk).mount().unwrap();
    assert_eq!(quake.read("maps/start.bsp").unwrap(), "a mod's");
}

/// A folder of a disk that really ignores case, with a game on it.
#[cfg(target_os = "linux")]
mod on_a_disk {
    use std::fs;

    use quakefs::disk::SystemDisk;
    use quakefs::rules::Spelling;
    use testutils::{Folder, IgnoringCase};

    use super::*;

    fn put(base: &Utf8Path) {
        for path in STEAM {
            let (path, content) = (base.join(path), path.as_bytes());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let is_pak = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pak"));
            let pak = || pack(Layout::Quake, [("progs.dat", content)]);
            fs::write(path, if is_pak { pak() } else { content.to_vec() }).unwrap();
        }
    }

    #[testneeds::path("/dev/fuse")]
    #[test]
    fn the_folder_itself_says_whether_case_counts() {
        let disk = IgnoringCase::new().unwrap();
        put(Utf8Path::from_path(disk.path()).unwrap());
        assert_eq!(contract::of_disk(&SystemDisk, disk.path()), Vec::<String>::new());
        let spelling = |folder: &std::path::Path, has: &str| SystemDisk.spelling(folder, has.as_bytes());
        assert_eq!(spelling(disk.path(), "Id1"), Spelling::IgnoresCase);
        assert_eq!(spelling(&disk.path().join("Id1"), ""), Spelling::IgnoresCase);
        assert_eq!(spelling(disk.below(), "Id1"), Spelling::Exact);
        // two files that differ only in case
        fs::write(disk.below().join("x"), "").unwrap();
        fs::write(disk.below().join("X"), "").unwrap();
        assert_eq!(spelling(disk.below(), "x"), Spelling::Exact);
    }

    #[testneeds::path("/dev/fuse")]
    #[test]
    fn a_game_on_it_is_found_without_a_word() {
        let disk = IgnoringCase::new().unwrap();
        put(Utf8Path::from_path(disk.path()).unwrap());
        for loose in [LooseFiles::Live, LooseFiles::Listed] {
            let quake = SearchPath::builder(disk.path()).game("mymod").loose_files(loose).mount().unwrap();
            assert_eq!(layers(&quake), ["MyMod/", "Id1/Pak1.pak", "Id1/PAK0.PAK", "Id1/"]);
            assert_eq!(quake.find("maps/start.bsp").unwrap().stored(), "Maps/START.bsp");
            // the engine runs on Linux
            assert!(quake.find(r"maps\start.bsp").is_none());
        }
    }

    #[testneeds::path("/dev/fuse")]
    #[test]
    fn a_link_on_it_leads_to_a_mod_beside_a_game_on_another_disk() {
        let disk = IgnoringCase::new().unwrap();
        fs::write(disk.path().join("AutoExec.cfg"), "mod").unwrap();
        fs::write(disk.path().join("PAK0.PAK"), pack(Layout::Quake, [("a.cfg", "mod")])).unwrap();
        let folder = Folder::with([("id1/Config.cfg", "base")]);
        std::os::unix::fs::symlink(disk.path(), folder.join("mymod")).unwrap();
        for loose in [LooseFiles::Live, LooseFiles::Listed] {
            let quake = SearchPath::builder(folder.path()).game("mymod").loose_files(loose);
            let quake = quake.mount().unwrap();
            assert_eq!(layers(&quake), ["mymod/PAK0.PAK", "mymod/", "id1/"]);
            assert_eq!(quake.find("autoexec.cfg").unwrap().stored(), "AutoExec.cfg");
            assert!(quake.find("config.cfg").is_none());
        }
    }
}
