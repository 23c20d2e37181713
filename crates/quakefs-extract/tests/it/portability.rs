//! Names that work differently on another system, and renames.

use std::fs;

use quakefs::findings::{Advice, FindingKind};
use quakefs::rules::Host;
use quakefs::sentences::Help as _;
use quakefs::why::check;
use quakefs::{Engine, Layout};
use quakefs_extract::fix;
use testutils::search_path::Mount as _;
use testutils::{Folder, pack};

/// A game with everything in capitals that may be.
fn steam() -> Folder {
    let folder = Folder::new();
    for file in ["Id1/PAK0.PAK", "Id1/Pak1.pak", "mod/PAK0.pak"] {
        folder.write(file, pack(Layout::Quake, [("a.cfg", file)]));
    }
    for file in ["Id1/Maps/START.bsp", "Id1/ReadMe.txt", "mod/Config.cfg", "mod/aux.cfg"] {
        folder.write(file, file);
    }
    folder
}

fn lines(folder: &Folder, host: Host, engine: Engine) -> Vec<String> {
    let quake = folder.builder().engine(engine).game("mod").host(host).mount().unwrap();
    let line = |finding: quakefs::Finding| {
        let FindingKind::Portability(what) = &finding.kind else { return None };
        Some(format!("{}: {what:?}", finding.location))
    };
    check(&quake).into_iter().filter_map(line).collect()
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn names_that_load_only_on_windows_are_findings_on_both_systems() {
    let folder = steam();
    let on_windows = lines(&folder, Host::Windows, Engine::QuakeSpasm);
    insta::assert_snapshot!(on_windows.join("\n"), @r#"
    Id1/: OtherCase { expected: "id1" }
    Id1/Maps/START.bsp: Capitals
    Id1/PAK0.PAK: OtherCase { expected: "pak0.pak" }
    Id1/Pak1.pak: OtherCase { expected: "pak1.pak" }
    mod/Config.cfg: Capitals
    mod/aux.cfg: NoWindowsName
    mod/PAK0.pak: OtherCase { expected: "pak0.pak" }
    "#);
    fs::rename(folder.join("Id1"), folder.join("id1")).unwrap();
    let on_windows = lines(&folder, Host::Windows, Engine::QuakeSpasm);
    insta::assert_snapshot!(on_windows.join("\n"), @r#"
    id1/Maps/START.bsp: Capitals
    id1/PAK0.PAK: OtherCase { expected: "pak0.pak" }
    id1/Pak1.pak: OtherCase { expected: "pak1.pak" }
    mod/Config.cfg: Capitals
    mod/aux.cfg: NoWindowsName
    mod/PAK0.pak: OtherCase { expected: "pak0.pak" }
    "#);
    let on_linux = lines(&folder, Host::Linux, Engine::QuakeSpasm);
    insta::assert_snapshot!(on_linux.join("\n"), @r#"
    id1/PAK0.PAK: OtherCase { expected: "pak0.pak" }
    id1/Pak1.pak: OtherCase { expected: "pak1.pak" }
    mod/aux.cfg: NoWindowsName
    mod/PAK0.pak: OtherCase { expected: "pak0.pak" }
    "#);
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn two_files_that_are_one_elsewhere_are_a_finding_and_neither_is_renamed() {
    let folder = Folder::new();
    for file in ["id1/pak0.pak", "id1/PAK0.PAK"] {
        folder.write(file, pack(Layout::Quake, [("a.cfg", file)]));
    }
    folder.write("id1/Config.cfg", "one");
    folder.write("id1/config.cfg", "two");
    folder.write("mod/x", "");
    insta::assert_snapshot!(lines(&folder, Host::Linux, Engine::WinQuake).join("\n"), @r#"
    id1/config.cfg: OneFile { other: File { folder: "id1/", name: "Config.cfg" } }
    id1/PAK0.PAK: OneFile { other: Archive("id1/pak0.pak") }
    "#);
    let found = fix(&folder.builder().mount().unwrap()).unwrap();
    assert_eq!(found.renames, []);
    let taken: Vec<_> = found.refused.iter().map(|(rename, _)| rename.from.file_name().unwrap()).collect();
    assert_eq!(taken, ["Config.cfg", "PAK0.PAK"]);
    assert_eq!(renames(&folder.builder().host(Host::Linux).mount().unwrap()), Vec::<String>::new());
}

/// The findings whose advice is another spelling of a folder, an archive or a loose file, with the new path.
fn renames(quake: &quakefs::SearchPath) -> Vec<String> {
    let line = |finding: quakefs::Finding| {
        if !matches!(finding.kind, FindingKind::Portability(_) | FindingKind::UnlikelyName(_)) {
            return None;
        }
        let [Advice::Rename(names)] = &finding.advice()[..] else { return None };
        let [(of, name)] = &names[..] else { return None };
        let path = of.to_string();
        let old = match of.name() {
            Some(file) if of.entry().is_none() => file.to_string(),
            Some(_) => return None,
            None => path.trim_end_matches('/').rsplit('/').next()?.to_owned(),
        };
        let folder = of.name().and_then(|file| path.strip_suffix(&file.to_string())).unwrap_or_default();
        old.eq_ignore_ascii_case(name).then(|| format!("{path} -> {folder}{name}"))
    };
    check(quake).into_iter().filter_map(line).collect()
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn the_findings_name_the_renames_that_fix_does() {
    let folder = steam();
    // without pak0.pak, neither system loads it
    folder.write("other/PAK1.PAK", pack(Layout::Quake, [("a.cfg", "x")]));
    folder.write("other/sound/Hit.wav", "x");
    folder.write("other/Hit.txt", "x");
    let mount = |game, host| folder.builder().game(game).host(host).mount().unwrap();
    insta::assert_snapshot!(renames(&mount("mod", Host::Windows)).join("\n"), @r"
    Id1/ -> id1
    Id1/Maps/START.bsp -> Id1/maps/start.bsp
    Id1/PAK0.PAK -> pak0.pak
    Id1/Pak1.pak -> pak1.pak
    mod/Config.cfg -> mod/config.cfg
    mod/PAK0.pak -> pak0.pak
    ");
    fs::rename(folder.join("Id1"), folder.join("id1")).unwrap();
    for host in [Host::Windows, Host::Linux] {
        let quake = mount("other", host);
        let other: Vec<_> = renames(&quake).into_iter().filter(|line| line.starts_with("other/")).collect();
        assert_eq!(other, ["other/sound/Hit.wav -> other/sound/hit.wav"], "{host:?}");
        let found = fix(&quake).unwrap().renames;
        let other = found.iter().filter(|rename| rename.from.starts_with(folder.path().join("other")));
        assert_eq!(other.map(|rename| rename.to.file_name().unwrap()).collect::<Vec<_>>(), ["hit.wav"]);
    }
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn the_renames_make_the_game_the_same_on_each_system() {
    let folder = steam();
    let quake = folder.builder().game("mod").host(Host::Windows).mount().unwrap();
    let found = fix(&quake).unwrap();
    assert_eq!(found.refused, []);
    let journals = found.write(&mut |_, renamed| renamed.unwrap()).unwrap();
    std::fs::remove_file(journals[0].path()).unwrap();
    insta::assert_snapshot!(folder.tree(""), @r"
    id1/ReadMe.txt: Id1/ReadMe.txt
    id1/maps/start.bsp: Id1/Maps/START.bsp
    id1/pak0.pak: PACK\x18\x00\x00\x00@\x00\x00\x00Id1/PAK0.PAKa.cfg\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0c\x00\x00\x00\x0c\x00\x00\x00
    id1/pak1.pak: PACK\x18\x00\x00\x00@\x00\x00\x00Id1/Pak1.paka.cfg\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0c\x00\x00\x00\x0c\x00\x00\x00
    mod/aux.cfg: mod/aux.cfg
    mod/config.cfg: mod/Config.cfg
    mod/pak0.pak: PACK\x18\x00\x00\x00@\x00\x00\x00mod/PAK0.paka.cfg\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0c\x00\x00\x00\x0c\x00\x00\x00
    ");
    let layers = |host| {
        let quake = folder.builder().game("mod").host(host).mount().unwrap();
        quake.layers().map(|layer| layer.name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(layers(Host::Linux), layers(Host::Windows));
    assert_eq!(
        fix(&quake.remount_with(|builder| builder.host(Host::Linux)).unwrap()).unwrap(),
        quakefs_extract::Fix::default()
    );
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn a_folder_that_a_player_names_in_capitals_keeps_its_name() {
    let folder = steam();
    let quake = folder.builder().game("MOD").host(Host::Windows).mount().unwrap();
    let from = |rename: &quakefs_extract::Rename| folder.redact(rename.from.as_str());
    assert!(fix(&quake).unwrap().renames.iter().all(|rename| from(rename) != "[DIR]/mod"));
}

#[test]
fn an_engine_that_finds_any_case_has_no_loose_files_to_rename() {
    let folder = Folder::with([("valve/Maps/START.bsp", "level"), ("valve/ReadMe.cfg", "")]);
    let quake = folder.builder().engine(Engine::GoldSrc).mount().unwrap();
    assert_eq!(fix(&quake).unwrap().renames, []);
}

/// On a disk that ignores case, a name can be changed to another spelling of itself.
#[cfg(target_os = "linux")]
#[testneeds::path("/dev/fuse")]
#[test]
fn the_renames_are_done_on_a_disk_that_ignores_case() {
    let disk = testutils::IgnoringCase::new().unwrap();
    let base = disk.path();
    fs::create_dir(base.join("Id1")).unwrap();
    fs::write(base.join("Id1/PAK0.PAK"), pack(Layout::Quake, [("a.cfg", "x")])).unwrap();
    let quake = quakefs::SearchPath::builder(base).mount().unwrap();
    let journals = fix(&quake).unwrap().write(&mut |_, renamed| renamed.unwrap()).unwrap();
    assert!(disk.below().join("id1/pak0.pak").is_file());
    assert!(journals[0].undo(&mut |_, _| ()).unwrap());
    assert!(disk.below().join("Id1/PAK0.PAK").is_file());
}
