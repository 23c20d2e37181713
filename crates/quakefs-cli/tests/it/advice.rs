//! Advice is tried: each is carried out in a copy of the game, and then nothing is wrong that was not wrong
//! before, and no name has another winner but those that the advice is about.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::{Archive, Engine, Layout};
use quakefs_game::{AdviceRow, CheckOptions, FindingRow, Game, Options, Problem, Surroundings};
use testutils::{Folder, content, game, pack, zip, zip_deflated};

/// A game with something wrong.
struct Case {
    /// The kinds of findings that it is made for, separated by spaces.
    kinds: &'static str,
    /// The engines; all others are skipped, because they do other things with such a game.
    engines: Vec<Engine>,
    /// Options of the command line.
    options: &'static str,
    game: Folder,
    /// What a person would get: whole copies of what is damaged or missing.
    good: Folder,
}

fn case(
    kinds: &'static str,
    engines: &[Engine],
    options: &'static str,
    text: &str,
    change: impl FnOnce(&Folder),
) -> Case {
    with_good(kinds, engines, options, text, "", change)
}

fn with_good(
    kinds: &'static str,
    engines: &[Engine],
    options: &'static str,
    text: &str,
    good: &str,
    change: impl FnOnce(&Folder),
) -> Case {
    let (folder, good) = (Folder::new(), game(good));
    if engines[0].rules().directories.base.iter().any(|base| base == "id1") {
        start(&folder);
    }
    copy_over(game(text).path(), folder.path());
    change(&folder);
    Case { kinds, engines: engines.to_vec(), options, game: folder, good }
}

impl Case {
    /// With another whole copy that a person can get.
    fn with(self, path: &str, content: Vec<u8>) -> Self {
        self.good.write(path, content);
        self
    }
}

/// Writes what engines of Quake need to start.
fn start(folder: &Folder) {
    let files = testutils::sample::files();
    let (_, base) = files.iter().find(|(name, _)| *name == "id1/pak0.pak").unwrap();
    folder.write("base.pak", base);
    for (name, content) in entries(&folder.join("base.pak")) {
        folder.write(&format!("id1/{}", String::from_utf8(name).unwrap()), content);
    }
    fs::remove_file(folder.join("base.pak")).unwrap();
    folder.write("id1/gfx.wad", content::wad(b"WAD2", &[("conchars", 0x44, vec![0; 128 * 128])]));
    folder.write("id1/gfx/colormap.lmp", vec![0; 256 * 64]);
    let program = testutils::program::small();
    let mut of_quakeworld = program.clone();
    // the checksum of its variables
    of_quakeworld[4..8].copy_from_slice(&54_730_u32.to_le_bytes());
    folder.write("id1/qwprogs.dat", of_quakeworld);
    folder.write("id1/progs.dat", program);
    folder.write("id1/gfx/pop.lmp", fs::read(testutils::data("conformance/pop.lmp")).unwrap());
}

/// The options of a case.
fn options(text: &str, engine: Engine, base: &Utf8Path) -> Options {
    let mut options = Options { bases: vec![base.to_owned()], engine: Some(engine), ..Options::default() };
    for (option, value) in text.split_whitespace().filter_map(|word| word.split_once('=')) {
        match option {
            "--game" => options.games.push(value.to_owned()),
            "--basedir" => options.bases.push(base.join(value)),
            _ => choose(&mut options, option, Some(value)),
        }
    }
    options
}

/// Carries out the choice of an option's value, or leaves the option out.
fn choose(options: &mut Options, option: &str, value: Option<&str>) {
    let set = |list: &mut Vec<String>| {
        list.clear();
        list.extend(value.map(str::to_owned));
    };
    match option {
        "--game" => set(&mut options.games),
        "--mission" => set(&mut options.missions),
        "--engine" => options.engine = value.map(|value| value.parse().unwrap()),
        "--on" => options.on = value.map(|value| value.parse().unwrap()),
        "--basedir" => options.bases = value.map(Utf8PathBuf::from).into_iter().collect(),
        // a flag or a game by itself is left out
        left => {
            let name = left.trim_start_matches('-').trim_end_matches('/');
            options.games.retain(|game| game != name);
            options.missions.retain(|mission| mission != name);
            options.bases.retain(|base| base != name);
        }
    }
}

fn open(options: &Options) -> Result<Game, quakefs_game::Error> {
    Game::open(options, &Surroundings::default())
}

fn findings(game: &Game) -> Vec<FindingRow> {
    game.check(&CheckOptions::default()).rows(None)
}

/// The layer and the content of each name.
type Winners = BTreeMap<Vec<u8>, (String, Vec<u8>)>;

fn winners(game: &Game) -> Winners {
    let listed = game.search_path.listed();
    let read = |file: quakefs::File<'_>| {
        let content = file.read().map_or_else(|_| b"unreadable".to_vec(), |data| data.to_vec());
        (file.name().as_bytes().to_vec(), (file.layer().name().to_owned(), content))
    };
    listed.files().map(read).collect()
}

fn entries(archive: &Utf8Path) -> Vec<(Vec<u8>, Vec<u8>)> {
    let Ok(opened) = Archive::open(archive) else { return Vec::new() };
    let read = |entry: quakefs::archive::ArchiveEntry<'_>| {
        Some((entry.name().as_bytes().to_vec(), entry.read().ok()?.to_vec()))
    };
    opened.entries().filter_map(read).collect()
}

/// Packs an archive again, with other entries.
fn repack(archive: &Utf8Path, entries: Vec<(Vec<u8>, Vec<u8>)>) {
    let own = Archive::open(archive).ok().and_then(|archive| archive.layout());
    let is_zip = fs::read(archive).unwrap().starts_with(b"PK")
        || archive.extension().is_some_and(|e| e.starts_with("pk3"));
    let image = match own {
        Some(layout) => pack(layout, entries),
        None if is_zip => zip_deflated(entries),
        None => pack(Layout::Quake, entries),
    };
    fs::write(archive, image).unwrap();
}

/// The archive of a path and the entry in it, or the path itself.
fn split(base: &Utf8Path, path: &str) -> (Utf8PathBuf, Option<String>) {
    let whole = base.join(path);
    let is_file = |path: &&Utf8Path| path.is_file();
    match whole.ancestors().find(is_file) {
        Some(archive) if archive != whole => {
            let below = whole.as_str()[archive.as_str().len() + 1..].to_owned();
            (archive.to_owned(), Some(below))
        }
        _ => (whole, None),
    }
}

fn write_below(folder: &Utf8Path, files: Vec<(Vec<u8>, Vec<u8>)>) {
    for (name, content) in files {
        let path = folder.join(String::from_utf8(name).unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

fn move_to(from: &Utf8Path, to: &Utf8Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    if from.is_dir() && to.is_dir() {
        for entry in from.read_dir_utf8().unwrap().map(Result::unwrap) {
            move_to(entry.path(), &to.join(entry.file_name()));
        }
        fs::remove_dir(from).unwrap();
    } else {
        assert!(!to.exists(), "{to} is there");
        fs::rename(from, to).unwrap();
    }
}

/// A file of this name that engines can load.
fn made(name: &str) -> Vec<u8> {
    match name.rsplit('.').next() {
        Some("mdl") => content::moving_mdl(),
        Some("wav") => content::wav(11_025, 100),
        Some("spr") => content::sprite(1, 8, 8),
        _ => content::lump(8, 8),
    }
}

fn make_pipe(path: &Utf8Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn copy_over(from: &Utf8Path, to: &Utf8Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in from.read_dir_utf8().unwrap().map(Result::unwrap) {
            copy_over(entry.path(), &to.join(entry.file_name()));
        }
    } else if from.is_symlink() {
        let _ = std::os::unix::fs::symlink(from.read_link().unwrap(), to);
    } else if from.metadata().is_ok_and(|data| std::os::unix::fs::FileTypeExt::is_fifo(&data.file_type())) {
        make_pipe(to);
    } else if from.is_file() {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    }
}

fn files_below(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let below = |entry: camino::Utf8DirEntry| {
        let path = entry.path().to_owned();
        if path.is_dir() && !path.is_symlink() { files_below(&path) } else { vec![path] }
    };
    entries.flat_map(below).collect()
}

/// Carries out a step. Returns the names that it is about.
#[expect(clippy::too_many_lines, reason = "an arm for each step")]
fn carry_out(step: &AdviceRow, base: &Utf8Path, good: &Utf8Path, options: &mut Options) -> BTreeSet<Vec<u8>> {
    let mut about = BTreeSet::new();
    // a name, and all that is in an archive or below a folder
    let mut add = |path: &Utf8Path, name: &str| {
        let parts: Vec<&str> = name.split('/').collect();
        about.extend((0..parts.len()).map(|from| parts[from..].join("/").into_bytes()));
        about.extend(entries(path).into_iter().map(|(name, _)| name));
        for file in files_below(path) {
            about.insert(file.strip_prefix(path).unwrap().as_str().as_bytes().to_vec());
            about.extend(entries(&file).into_iter().map(|(name, _)| name));
        }
    };
    let to = step.to.clone().unwrap_or_default();
    for of in &step.of {
        add(&good.join(&to).join(of), &format!("{to}{of}"));
    }
    for file in step.of.first().map(|of| files_below(&base.join(of))).unwrap_or_default() {
        let below = file.strip_prefix(base.join(&step.of[0])).unwrap();
        for folder in [&step.of[0], &to] {
            add(Utf8Path::new("nowhere"), &format!("{}/{below}", folder.trim_end_matches('/')));
        }
    }
    for of in step.of.iter().chain(&step.to) {
        add(&base.join(of), of);
        add(&good.join(of), of);
    }
    let of = step.of.first().cloned().unwrap_or_default();
    match step.step {
        "rename" => match split(base, &of) {
            (archive, Some(entry)) => {
                let new = to.as_bytes()[archive.strip_prefix(base).unwrap().as_str().len() + 1..].to_vec();
                let renamed = |(name, content): (Vec<u8>, Vec<u8>)| {
                    let is_it = quakefs::EntryName::from_bytes(&name).as_bytes() == entry.as_bytes();
                    (if is_it { new.clone() } else { name }, content)
                };
                let entries = entries(&archive).into_iter().map(renamed).collect();
                repack(&archive, entries);
            }
            (path, None) => {
                assert!(!base.join(&to).exists(), "{step}: {to} is there");
                move_to(&path, &base.join(to));
            }
        },
        "move" => match split(base, &of) {
            (archive, Some(entry)) => {
                let (moved, left) =
                    entries(&archive).into_iter().partition(|(name, _)| *name == entry.as_bytes());
                write_below(&base.join(&to), moved);
                repack(&archive, left);
            }
            (path, None) if path.is_file() && !entries(&path).is_empty() => {
                write_below(&base.join(&to), entries(&path));
                fs::remove_file(path).unwrap();
            }
            (path, None) if path.is_file() => move_to(&path, &base.join(to).join(path.file_name().unwrap())),
            (path, None) => move_to(&path, &base.join(to)),
        },
        "pack" if step.of.len() == 1 => {
            let archive = base.join(&of);
            let layout = (!to.is_empty()).then(|| format!("--layout={to}"));
            let mut command = testutils::command(env!("CARGO_BIN_EXE_quakefs"));
            let done = command.args(["pak", "repack", archive.as_str()]).args(layout).output().unwrap();
            assert!(done.status.success(), "{step}: {done:?}");
        }
        "pack" => {
            let archive = base.join(&of);
            let from = format!("{}/", step.of[1]);
            let packed = entries(&archive).into_iter().map(|(name, content)| {
                (name.strip_prefix(from.as_bytes()).unwrap_or(&name).to_vec(), content)
            });
            repack(&archive, packed.collect());
        }
        "add" => {
            let target = base.join(&to);
            if to.ends_with('/') {
                let new = good.join(&to).join(&of);
                let content = step
                    .content
                    .clone()
                    .map_or_else(|| fs::read(new).unwrap_or_else(|_| made(&of)), String::into_bytes);
                let path = target.join(&of);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content).unwrap();
            } else if of.is_empty() {
                let mut all = entries(&target);
                all.push((b"new.cfg".to_vec(), b"new".to_vec()));
                repack(&target, all);
                about.insert(b"new.cfg".to_vec());
            } else {
                let text = fs::read_to_string(&target).unwrap_or_default();
                fs::write(target, format!("{text}\n{of}\n")).unwrap();
            }
        }
        "remove" => match split(base, &of) {
            (archive, Some(entry)) => {
                let mut all = entries(&archive);
                let number = step.entry.unwrap();
                assert_eq!(all.remove(number).0, entry.as_bytes());
                repack(&archive, all);
            }
            (path, None) if path.is_dir() && !path.is_symlink() => fs::remove_dir_all(path).unwrap(),
            (path, None) => fs::remove_file(path).unwrap(),
        },
        "get" => {
            // another copy of an entry is another copy of its archive
            let (path, _) = split(base, &of);
            let below = path.strip_prefix(base).unwrap();
            copy_over(&good.join(below), &path);
        }
        "choose" => choose(options, &of, step.to.as_deref()),
        "ask" => {}
        "run" => {
            let words: Vec<&str> = step.of.iter().flat_map(|word| word.split(' ')).collect();
            let done = testutils::command(env!("CARGO_BIN_EXE_quakefs"))
                .current_dir(base)
                .args(words)
                .output()
                .unwrap();
            assert!(done.status.code() < Some(2), "{step}: {done:?}");
        }
        other => panic!("no such step: {other}"),
    }
    about
}

const QUAKE: &[Engine] = &[Engine::WinQuake, Engine::QuakeSpasm, Engine::Ironwail];
const SPASM: &[Engine] = &[Engine::QuakeSpasm];
const WIN: &[Engine] = &[Engine::WinQuake];

#[expect(clippy::too_many_lines, reason = "a table")]
fn cases() -> Vec<Case> {
    let plain = |_: &Folder| {};
    let all = |base: &str| -> Vec<Engine> {
        let plays = |engine: &&Engine| engine.rules().directories.base.iter().any(|name| name == base);
        Engine::ALL.iter().filter(plays).copied().collect()
    };
    let (quake, quake2, quake3) = (all("id1"), all("baseq2"), all("baseq3"));
    let damaged = |path: &'static str, end: usize| {
        move |game: &Folder| {
            let image = fs::read(game.join(path)).unwrap();
            game.write(path, &image[..image.len() - end]);
        }
    };
    let offset = |path: &'static str, at: usize, value: u32| {
        move |game: &Folder| {
            let mut image = fs::read(game.join(path)).unwrap();
            image[at..at + 4].copy_from_slice(&value.to_le_bytes());
            game.write(path, image);
        }
    };
    let level = content::room(&[29, 0, 0, 0], "{ \"classname\" \"worldspawn\" }", &[]);
    let cut = level[..100].to_vec();
    let with_level = |_: &str| pack(Layout::Quake, [(&b"maps/a.bsp"[..], &level[..])]);
    vec![
        case("missing-directory", WIN, "--game=mdo", "id1/: x; mod/: x", plain),
        case("missing-directory", SPASM, "--game=nothing", "id1/: x", plain),
        with_good("missing-directory", QUAKE, "--mission=hipnotic", "id1/: x", "hipnotic/pak0.pak: y", plain),
        case("missing-directory", SPASM, "--mission=hipnotic", "id1/: x; Hipnotic/: y", plain),
        case("unknown-flag", WIN, "--mission=nehahra", "id1/: x", plain),
        case("gap", QUAKE, "", "id1/pak0.pak: a; id1/pak2.pak: b", plain),
        case("gap", QUAKE, "", "id1/pak0.pak: a; id1/pak2.pak: b; id1/pak5.pak: c; id1/pak9.pak: d", plain),
        case("gap portability", QUAKE, "", "id1/pak0.pak: a; id1/PAK1.PAK: b; id1/pak2.pak: c", plain),
        case("empty-archive", SPASM, "", "id1/pak0.pak: a; id1/pak1.pak: ; id1/pak2.pak: b", plain),
        case("archive-skipped", QUAKE, "", "id1/pak0.pak: a; id1/maps.pak: b; id1/extra.pk3: c", plain),
        case("archive-skipped", &[Engine::EricwTools], "", "id1/pak0.pak: a", plain),
        case("number-too-high", &[Engine::Quake2], "", "baseq2/pak0.pak: a; baseq2/pak10.pak: b", plain),
        with_good("wrong-archive", QUAKE, "", "id1/pak0.pak: a", "id1/pak1.pak: b", |game| {
            game.write("id1/pak1.pak", "To do");
        }),
        with_good("outside", QUAKE, "", "id1/pak0.pak: a", "id1/pak0.pak: a b", |game| {
            let mut image = pack(Layout::Quake, [("a", "x"), ("b", "y")]);
            let end = image.len();
            image[end - 4..].copy_from_slice(&1000_u32.to_le_bytes());
            game.write("id1/pak0.pak", image);
        }),
        case("other-layout", QUAKE, "", "id1/: x", |game| {
            game.write(
                "id1/pak0.pak",
                pack(Layout::Daikatana, [("maps/a", "1"), ("maps/b", "2"), ("c", "3")]),
            );
        }),
        with_good("partial-row", QUAKE, "", "id1/: x", "id1/pak0.pak: a.cfg=x b.cfg=y", |game| {
            let mut image = pack(Layout::Quake, [("a.cfg", "x"), ("b.cfg", "y")]);
            image.extend([0; 7]);
            let size = u32::from_le_bytes(image[8..12].try_into().unwrap()) + 7;
            image[8..12].copy_from_slice(&size.to_le_bytes());
            game.write("id1/pak0.pak", image);
        }),
        case("unreachable", QUAKE, "", "id1/: x", |game| {
            game.write(
                "id1/pak0.pak",
                pack(Layout::Quake, [("../a.cfg", "1"), ("maps/..", "2"), ("a//b", "3")]),
            );
        }),
        case("unlikely-name", QUAKE, "", "id1/pak0.pak: maps\\b.cfg ./c.cfg D.cfg", plain),
        case("long-name", QUAKE, "", "id1/: x", |game| {
            game.write(&format!("id1/{}.cfg", "long".repeat(20)), "x");
        }),
        case("case", QUAKE, "", "id1/pak0.pak: sound/A.wav sound/a.wav", plain),
        case("portability", QUAKE, "--on=windows", "Id1/pak0.pak: a; Id1/: sound/B.cfg", plain),
        case("portability", QUAKE, "", "id1/pak0.pak: a; id1/: aux.cfg b.cfg B.cfg", plain),
        case("same-bytes", QUAKE, "--game=mod", "id1/pak0.pak: a=1; mod/pak0.pak: a=1 b", plain),
        case("overridden-loose", QUAKE, "", "id1/pak0.pak: a.cfg; id1/: a.cfg", plain),
        case("overridden-entry", &[Engine::DarkPlaces], "", "id1/pak0.pak: a.cfg; id1/: a.cfg", plain),
        case("equal-names", QUAKE, "", "id1/pak0.pak: a=1 a=2 b", plain),
        case("folder-too-many", QUAKE, "--game=mod", "id1/: x; mod/mod/: maps/a.cfg progs.dat", plain),
        case("folder-too-many", QUAKE, "--game=mod", "id1/: x; mod/: b.cfg; mod/mod/: maps/a.cfg", plain),
        case(
            "folder-too-many",
            &[Engine::DarkPlaces],
            "--game=mod",
            "id1/: x; mod/a.pk3: mod/maps/a.cfg mod/b.cfg",
            plain,
        ),
        case("too-deep", QUAKE, "--game=mod", "id1/: x; mod/mod/pak0.pak: a; mod/: b", plain),
        with_good("wrong-content", QUAKE, "", "id1/pak0.pak: a", "", |game| {
            game.write("id1/pak1.pak", pack(Layout::Quake, [(&b"maps/a.bsp"[..], &cut[..])]));
        })
        .with("id1/pak1.pak", with_level("")),
        with_good("shareware", &[Engine::DarkPlaces], "--game=mod", "id1/pak0.pak: a; mod/: b", "", |game| {
            fs::remove_file(game.join("id1/gfx/pop.lmp")).unwrap();
        })
        .with("id1/gfx/pop.lmp", content::lump(16, 16)),
        case("game-ignored", &quake2, "--game=a --game=b", "baseq2/: x; a/: y; b/: z", plain),
        case("game-ignored engine-stops", &quake, "--game=../a", "id1/: x; a/: y", plain),
        case("base-directory-ignored", &quake, "--basedir=other", "id1/: x; other/id1/: y", plain),
        with_good(
            "after-wrong-archive",
            &quake,
            "",
            "id1/pak0.pak: a; id1/pak2.pak: b",
            "id1/pak1.pak: c",
            |game| {
                game.write("id1/pak1.pak", "To do");
            },
        ),
        case("archive-skipped", &quake2, "", "baseq2/pak0.pak: a; baseq2/.b.pak: b; baseq2/c.pkz: c", plain),
        case("archive-skipped", &quake, "", "id1/pak0.pak: a; id1/soft1.pak: b; id1/.c.pk3: c", plain),
        case(
            "archive-skipped",
            &[Engine::EzQuake],
            "",
            "id1/pak0.pak: a; id1/b.pak: b; id1/: pak.lst=\n",
            plain,
        ),
        case("archive-case", &quake2, "", "baseq2/pak0.pak: a; baseq2/B.PAK: b", plain),
        case("disk-order", &quake3, "", "baseq3/pak0.pk3: a; baseq3/B.PK3: b; baseq3/b.pk3: c", plain),
        case("archive-case", &quake, "", "id1/pak0.pak: a; id1/B.PAK: b; id1/C.PK3: d", plain),
        with_good(
            "wrong-archive",
            QUAKE,
            "",
            "id1/pak0.pak: a",
            "id1/pak0.pak: a",
            offset("id1/pak0.pak", 4, u32::MAX),
        ),
        with_good(
            "engine-stops",
            &quake,
            "",
            "id1/pak0.pak: a b c",
            "id1/pak0.pak: a b c",
            damaged("id1/pak0.pak", 70),
        ),
        with_good(
            "engine-stops",
            &quake2,
            "",
            "baseq2/pak0.pak: a b",
            "baseq2/pak0.pak: a b",
            damaged("baseq2/pak0.pak", 70),
        ),
        with_good("engine-stops", QUAKE, "", "id1/pak0.pak: a", "", |game| {
            fs::remove_file(game.join("id1/gfx.wad")).unwrap();
        })
        .with("id1/gfx.wad", content::wad(b"WAD2", &[])),
        case(
            "engine-stops not-a-file",
            &quake,
            "",
            "id1/pak0.pak: a b; id1/pak1.pak/: x; id1/a.pk3/: y",
            plain,
        ),
        case("engine-stops", &[Engine::EtLegacy], "", "etmain/pak0.pk3: a", |game| {
            game.write("etmain/z\u{e9}.pk3", zip([("b", "c")]));
        }),
        case("engine-stops", &[Engine::GoldSrc], "--game=mod", "valve/: liblist.gam=x; mod/: x", plain),
        case("engine-stops", &quake, "", "id1/pak0.pak: a; id1/autoexec.cfg/: x", plain),
        case("leftover", &quake, "", "id1/pak0.pak: a; id1/: pak1.pak.part Thumbs.db ._pak0.pak", plain),
        case("link-loop", &quake, "", "id1/: x", |game| {
            std::os::unix::fs::symlink("..", game.join("id1/loop")).unwrap();
        }),
        case("engine-stops", &quake3, "", "baseq3/: x", |game| {
            make_pipe(&game.join("baseq3/a.cfg"));
        }),
        case("not-utf8", &quake3, "", "baseq3/: x", |game| {
            use std::os::unix::ffi::OsStrExt as _;
            let name = std::ffi::OsStr::from_bytes(b"caf\xe9.pk3");
            fs::write(game.join("baseq3").as_std_path().join(name), "x").unwrap();
        }),
        with_good("damaged", &quake3, "", "baseq3/pak0.pk3: a", "baseq3/a.pk3: x", |game| {
            let mut image = zip([("a.wav", content::wav(11_025, 100))]);
            image[90] ^= 0xff;
            game.write("baseq3/a.pk3", image);
        }),
        with_good(
            "wrong-archive",
            &quake3,
            "",
            "baseq3/a.pk3: a b c",
            "baseq3/a.pk3: a b c",
            damaged("baseq3/a.pk3", 60),
        ),
        with_good("content-limit", QUAKE, "", "id1/: x", "id1/: y", |game| {
            game.write("id1/maps/big.bsp", content::room(b"BSP2", "{ \"classname\" \"worldspawn\" }", &[]));
        }),
        case("companion-skipped", &quake, "--game=mod", "id1/: maps/a.lit", |game| {
            game.write("id1/maps/a.ent", "{ }");
            game.write("mod/maps/a.bsp", &level);
        }),
        case("portability", QUAKE, "", "id1/: music/B.ogg music/b.ogg", plain),
        with_good("missing-file", QUAKE, "--game=mod", "mod/: x", "mod/: sound/lost.wav", |game| {
            let entities =
                "{ \"classname\" \"worldspawn\" }\n{ \"classname\" \"misc_lost\" \"noise\" \"lost.wav\" }";
            game.write("mod/maps/a.bsp", content::room(&[29, 0, 0, 0], entities, &[]));
        }),
        // what the advice would name is there already
        case(
            "*",
            SPASM,
            "--game=mod",
            "mod/pak0.pak: a.cfg; mod/: x.txt; mod/mod/pak0.pak: b; mod/mod/: x.txt",
            plain,
        ),
        case("*", QUAKE, "--game=mod", "mod/pak0.pak: a; mod/zz.pk3: maps/a.txt; mod/: maps/a.txt", plain),
        case("*", QUAKE, "--game=mod", "mod/pak0.pak: a; mod/: Maps/A.cfg maps/a.cfg maps/a_.cfg", plain),
        case(
            "*",
            QUAKE,
            "--game=mod",
            "mod/pak0.pak: ./x.cfg x.cfg B.cfg b.cfg dir/../y.cfg dir/y.cfg",
            plain,
        ),
        case("*", QUAKE, "--game=mod", "mod/pak0.pak: a; mod/x.pak: b; mod/y.pak: c; mod/: pak0.txt", plain),
        case("*", &quake2, "--game=mod", "mod/pak10.pak: a; mod/pak11.pak: b; mod/x.pak: c", plain),
        case("leftover", QUAKE, "--game=mod", "mod/pak0.pak: a; mod/: maps/b_-_Copy.cfg a.cfg.bak", plain),
        case("leftover", QUAKE, "--game=mod", "mod/pak0.pak: a; mod/__MACOSX/: ._zz.pk3", plain),
        case("link-loop", QUAKE, "--game=mod", "mod/pak0.pak: a", |game| {
            std::os::unix::fs::symlink(".", game.join("mod/loop")).unwrap();
        }),
        case("misplaced", QUAKE, "", "id1/pak0.pak: a", |game| game.write("maps/a.bsp", &level)),
        case("not-unpacked", QUAKE, "", "id1/pak0.pak: a", |game| {
            game.write("download.zip", zip([("mod/progs.dat", "x"), ("mod/maps/a.cfg", "y")]));
        }),
    ]
}

/// The sample and the games of made store folders, with any finding.
fn of_stores() -> Vec<Case> {
    let (stores, sample) = (testutils::stores(), Folder::new());
    copy_over(&testutils::testdata("game"), sample.path());
    let plays = |engine: &&Engine, folder: &Utf8Path| {
        engine.rules().directories.first_name().is_some_and(|base| folder.join(base).is_dir())
    };
    let folders = walk(stores.path()).into_iter().chain([sample.path().to_owned()]);
    let mut cases = Vec::new();
    for folder in folders {
        let engines: Vec<_> = Engine::ALL.iter().filter(|engine| plays(engine, &folder)).copied().collect();
        let mods = folder.read_dir_utf8().unwrap().flatten().filter(|entry| entry.path().is_dir());
        for mods in mods.map(|entry| entry.file_name().to_owned()).filter(|_| !engines.is_empty()) {
            let game = Folder::new();
            copy_over(&folder, game.path());
            let options = Box::leak(format!("--game={mods}").into_boxed_str());
            cases.push(Case { kinds: "*", engines: engines.clone(), options, game, good: Folder::new() });
        }
    }
    assert!(cases.len() > 3);
    cases
}

/// Every folder below one.
fn walk(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let below = folder.read_dir_utf8().unwrap().flatten().map(|entry| entry.path().to_owned());
    let below = below.filter(|path| path.is_dir() && !path.is_symlink()).flat_map(|path| walk(&path));
    std::iter::once(folder.to_owned()).chain(below).collect()
}

/// What came of the advice on one kind of findings.
#[derive(Debug, Default)]
struct Tally {
    tried: usize,
    untriable: BTreeSet<String>,
}

#[testneeds::data("conformance/pop.lmp")]
#[test]
fn each_advice_mends_its_finding_and_nothing_else_changes() {
    let mut tallies: BTreeMap<(String, &'static str), Tally> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in cases().into_iter().chain(of_stores()) {
        let mut kinds: BTreeSet<&str> = case.kinds.split(' ').collect();
        kinds.remove("*");
        let mut all = BTreeSet::new();
        for &engine in &case.engines {
            // what an engine refuses has an error, and no finding
            let Ok(before) = open(&options(case.options, engine, case.game.path())) else { continue };
            let had = findings(&before);
            all.extend(had.iter().map(FindingRow::to_string));
            let names = winners(&before);
            let is_of_case =
                |finding: &&FindingRow| case.kinds.split(' ').any(|kind| kind == finding.kind || kind == "*");
            let of_case = had.iter().filter(is_of_case);
            for finding in of_case {
                kinds.remove(finding.kind);
                let step = finding.advice.first().map_or("tell", |step| step.step);
                let tally = tallies.entry((finding.kind.to_owned(), step)).or_default();
                if finding.advice.is_empty() {
                    tally.untriable.insert(finding.help.clone().unwrap_or_default());
                    continue;
                }
                // of some games there is no copy that may be here
                let get = finding.advice.iter().find(|step| step.step == "get");
                let is_no_game = finding.severity == "error"
                    && get.is_some_and(|step| step.of[0].ends_with('/'))
                    && !QUAKE.contains(&engine);
                let has_good = |step: &AdviceRow| {
                    let (path, _) = split(case.game.path(), &step.of[0]);
                    case.good.path().join(path.strip_prefix(case.game.path()).unwrap()).exists()
                };
                if is_no_game || get.is_some_and(|step| !has_good(step)) {
                    continue;
                }
                tally.tried += 1;
                let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    try_out(&case, engine, finding, &had, &names)
                }));
                if let Some(why) = tried.unwrap_or_else(|_| Some("panic".to_owned())) {
                    let help = finding.help.clone().unwrap_or_default();
                    wrong.push(format!("{engine} {}: {finding}\n    {help}\n    {why}", finding.kind));
                }
            }
        }
        wrong.extend(kinds.iter().map(|kind| format!("no finding {kind}: {all:?}")));
    }
    for ((kind, step), tally) in &tallies {
        println!("{kind:<24} {step:<8} {:>3} tried  {:?}", tally.tried, tally.untriable);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let tried: BTreeSet<&String> =
        tallies.keys().filter(|(_, step)| *step != "tell").map(|(kind, _)| kind).collect();
    let all = tallies.iter().filter(|(_, tally)| tally.untriable.iter().any(|text| !text.is_empty()));
    let untriable: Vec<_> = all.map(|((kind, _), _)| kind).filter(|kind| !tried.contains(kind)).collect();
    assert!(untriable.len() <= 5, "{untriable:?}");
}

fn copied(game: &Folder) -> Folder {
    let copy = Folder::new();
    copy_over(game.path(), copy.path());
    copy
}

/// Carries out the advice in a copy. Returns what is wrong afterwards.
fn try_out(
    case: &Case,
    engine: Engine,
    finding: &FindingRow,
    had: &[FindingRow],
    names: &Winners,
) -> Option<String> {
    let copy = copied(&case.game);
    let mut options = options(case.options, engine, copy.path());
    let mut about = BTreeSet::new();
    for step in &finding.advice {
        about.extend(carry_out(step, copy.path(), case.good.path(), &mut options));
    }
    let after = match open(&options) {
        Ok(after) => after,
        Err(error) => return Some(error.to_string()),
    };
    let has = findings(&after);
    if has.iter().any(|other| (other.kind, &other.location) == (finding.kind, &finding.location)) {
        return Some("it is still there".to_owned());
    }
    let count = |rows: &[FindingRow], kind: &str| rows.iter().filter(|row| row.kind == kind).count();
    let is_new = |row: &&FindingRow| row.severity != "note" && count(&has, row.kind) > count(had, row.kind);
    if let Some(new) = has.iter().find(is_new) {
        return Some(format!("new: {} {new}", new.kind));
    }
    let is_choice = finding.advice.iter().any(|step| matches!(step.step, "choose" | "ask" | "run"));
    let now = winners(&after);
    // archives of which the same was found are mended too
    let is_gone = |row: &&FindingRow| {
        !has.iter().any(|other| (other.kind, &other.location) == (row.kind, &row.location))
    };
    let mended: BTreeSet<&str> = had.iter().filter(is_gone).map(|row| &*row.layer).collect();
    for layer in &mended {
        about.extend(layer.rsplit('/').next().map(|name| name.as_bytes().to_vec()));
        about.extend(entries(&copy.join(layer)).into_iter().map(|(name, _)| name));
    }
    let differs =
        |name: &&Vec<u8>| names.get(*name).map(|(_, file)| file) != now.get(*name).map(|(_, file)| file);
    let is_of = |name: &&Vec<u8>| {
        let layers = [names.get(*name), now.get(*name)].into_iter().flatten();
        !about.contains(*name) && !layers.into_iter().any(|(layer, _)| mended.contains(&**layer))
    };
    let other = names.keys().chain(now.keys()).filter(differs).find(is_of);
    let other = other.filter(|_| !is_choice)?;
    Some(format!("{} has another winner", String::from_utf8_lossy(other)))
}

/// Names that are not found, in games where something explains it.
const MISSES: &[(Engine, &str, &str, &str)] = &[
    (Engine::WinQuake, "", "id1/pak0.pak: maps/start.bsp", "maps/strat.bsp"),
    (Engine::WinQuake, "", "id1/pak0.pak: maps/start.bsp", "MAPS/start.bsp"),
    (Engine::WinQuake, "", "id1/pak0.pak: Maps/Start.bsp", "maps/start.bsp"),
    (Engine::WinQuake, "", "id1/: Sound/Hit.wav", "sound/hit.wav"),
    (Engine::WinQuake, "", "id1/pak0.pak: sound/hit.wav", "sound\\hit.wav"),
    (Engine::WinQuake, "", "id1/pak0.pak: sound/hit.wav", "hit.wav"),
    (Engine::WinQuake, "", "id1/pak0.pak: progs.dat", "id1/progs.dat"),
    (Engine::WinQuake, "", "id1/pak0.pak: maps/a.bsp", "maps/a"),
    (Engine::WinQuake, "", "id1/: maps/readme.tx", "maps/readme.txt"),
    (Engine::WinQuake, "", "id1/pak0.pak: a; id1/pak2.pak: maps/b.bsp", "maps/b.bsp"),
    (Engine::WinQuake, "", "id1/pak0.pak: a; mod/pak0.pak: maps/b.bsp", "maps/b.bsp"),
    (Engine::QuakeSpasm, "", "id1/pak0.pak: a; hipnotic/pak0.pak: maps/hip1m1.bsp", "maps/hip1m1.bsp"),
    (Engine::WinQuake, "--game=mod", "id1/: a; mod/mod/: maps/c.bsp", "maps/c.bsp"),
    (Engine::WinQuake, "--game=mod", "id1/: a; mod/pak0.pak: mod/maps/c.bsp mod/progs.dat", "maps/c.bsp"),
    (Engine::WinQuake, "--game=mod", "id1/: a; mod/mod/pak0.pak: maps/c.bsp", "maps/c.bsp"),
    (Engine::WinQuake, "", "id1/: a.bsp", "maps/a.bsp"),
    (Engine::WinQuake, "", "id1/pak0.pak: a.bsp b", "maps/a.bsp"),
    (Engine::WinQuake, "", "id1/pak0.pak: maps/a.bsp", "maps"),
    (Engine::WinQuake, "", "id1/pak0.pak: maps/a.bsp", "maps/*.bsp"),
    (Engine::WinQuake, "", "id1/pak0.pak: maps/a.bsp", "id1/pak0.pak"),
    (Engine::WinQuake, "", "id1/pak0.pak: maps/a.bsp", "nothing.like.it"),
    (Engine::WinQuake, "", "id1/: x; maps/: d.bsp", "maps/d.bsp"),
    (Engine::IoQuake3, "", "baseq3/pak0.pk3: Textures/a.tga; baseq3/: Textures/b.tga", "textures/b.tga"),
];

#[test]
fn each_advice_on_a_missing_name_leads_to_it() {
    let mut tallies: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for &(engine, of_case, text, asked) in MISSES {
        let folder = game(text);
        let row = open(&options(of_case, engine, folder.path())).unwrap().which(asked.as_bytes());
        let because = row.because.unwrap_or_else(|| panic!("{asked} is found: {row:?}"));
        let steps: Vec<_> = row.advice.iter().map(|step| step.step).collect();
        *tallies.entry((because, steps.join("+"))).or_default() += 1;
        let copy = copied(&folder);
        let mut options = options(of_case, engine, copy.path());
        let mut name = asked.to_owned();
        for step in &row.advice {
            carry_out(step, copy.path(), copy.path(), &mut options);
            if step.step == "ask" {
                name.clone_from(&step.of[0]);
                if let Some((option, value)) = step.to.as_ref().and_then(|to| to.split_once(' ')) {
                    choose(&mut options, option, Some(value));
                }
            }
        }
        let is_listing = steps.contains(&"run");
        if !is_listing && !open(&options).unwrap().which(name.as_bytes()).found {
            wrong.push(format!("{asked}: {because}: {:?}: {name} is not found", row.help));
        }
    }
    for ((because, steps), tried) in &tallies {
        println!("{because:<18} {steps:<14} {tried:>3} tried");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Archives with something odd.
fn odd_archives() -> Vec<(&'static str, Vec<u8>)> {
    let names = |names: &[&str]| pack(Layout::Quake, names.iter().map(|name| (name, *name)));
    let mut tail = names(&["a"]);
    tail.extend([0; 9]);
    vec![
        ("duplicate", names(&["a", "a"])),
        ("same-without-case", names(&["a", "A"])),
        ("same-on-windows", names(&["a", "a."])),
        ("file-and-folder", names(&["a", "a/b"])),
        ("unsafe-name", names(&["../a", "b"])),
        ("dotted-name", names(&["./a", "b"])),
        ("no-nul", names(&[&"n".repeat(56)])),
        ("not-ascii", names(&["caf\u{e9}"])),
        ("tail", tail),
    ]
}

#[test]
fn each_advice_on_an_odd_archive_mends_it() {
    for (kind, image) in odd_archives() {
        let folder = Folder::with([("a.pak", image)]);
        let found = |path: &Utf8Path| -> Vec<FindingRow> {
            let findings = Archive::open(path.join("a.pak")).unwrap().verify("a.pak", None);
            findings.into_iter().map(|finding| Problem::from(finding).row(None)).collect()
        };
        let had = found(folder.path());
        let finding = had.iter().find(|row| row.kind == kind).unwrap_or_else(|| panic!("{kind}: {had:?}"));
        assert!(!finding.advice.is_empty(), "{kind}");
        let copy = copied(&folder);
        for step in &finding.advice {
            carry_out(step, copy.path(), copy.path(), &mut Options::default());
        }
        let has = found(copy.path());
        assert!(
            has.len() < had.len() && has.iter().all(|row| row.kind != kind),
            "{kind}: {:?} {has:?}",
            finding.help
        );
    }
}

#[test]
fn advice_on_thousands_of_files_is_no_longer_than_on_few() {
    let gap: Vec<_> = (2..2002).map(|number| format!("id1/pak{number}.pak: a;")).collect();
    let names: Vec<_> = (0..3000).map(|number| format!("Sound/A{number}.cfg")).collect();
    let folder = game(&format!("id1/pak0.pak: a; {} id1/: {}", gap.concat(), names.join(" ")));
    let mounted = open(&options("", Engine::QuakeSpasm, folder.path())).unwrap();
    let steps: usize = findings(&mounted).iter().map(|finding| finding.advice.len()).sum();
    assert!(steps < 3100, "{steps}");
}
