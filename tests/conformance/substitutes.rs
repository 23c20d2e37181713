//! Live comparison of the substitutes that QuakeSpasm loads for a texture, the sides of a sky and a track.
//! Every file is unreadable, so the engine names the one that it tried.

use std::fs;

use libtest_mimic::{Completion, Failed, Trial};
use quakefs::rules::SubstituteKind;
use quakefs::{Engine, SearchPath};
use testutils::{Folder, data, scaled};

use crate::live::{Asked, run};
use crate::random::Random;

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::ignorable_test("live::quakespasm::loads_the_substitutes_that_are_said", || {
        match Asked::with_window() {
            Ok(asked) => compare(&asked).map(|()| Completion::Completed),
            Err(missing) => Ok(Completion::ignored_with(missing)),
        }
    })]
}

/// The name, and its use: a texture of the level, a sky by its command, a track by the world.
const NAMED: [(SubstituteKind, &str); 4] = [
    (SubstituteKind::Texture, "t_wall05"),
    (SubstituteKind::Sky, "moon_"),
    (SubstituteKind::Texture, "t_wall05"),
    (SubstituteKind::Music, "6"),
];

/// A recorded level with the texture.
const LEVEL: &str = "references/games/lq/maps/lq_e0m1.bsp";

const WORLD: &[u8] = b"{ \"classname\" \"worldspawn\" \"sounds\" \"6\" }\n\
    { \"classname\" \"info_player_start\" \"origin\" \"512 2048 304\" }\n\0";

fn compare(asked: &Asked) -> Result<(), Failed> {
    let (mut wrong, mut found) = (Vec::new(), 0);
    let layouts = scaled(24, 60);
    let base = Folder::new();
    lay_out_base(&base);
    for seed in 0..layouts {
        let (kind, name) = NAMED[usize::try_from(seed % 4)?];
        let mut random = Random::new(seed);
        // after a readable one, the engine also tries the files beside it
        let readable = kind == SubstituteKind::Texture && random.percent(50);
        let mut files = Vec::new();
        for file in names(kind, name) {
            for dir in ["id1", "mod"] {
                let is_picture = !file.contains("_glow") && !file.contains("_luma");
                if random.percent(60) && (is_picture || readable) {
                    let content = if readable && is_picture { picture(&file) } else { vec![b'x'; 256] };
                    files.push((format!("{dir}/{file}"), content));
                }
            }
        }
        for (file, content) in &files {
            base.write(file, content);
        }
        let expected = expected(&base, kind, name, readable)?;
        let taken = taken(asked, &base, kind, name)?;
        found += u64::from(expected.is_some());
        if taken != expected {
            let files: Vec<_> = files.iter().map(|(file, _)| file).collect();
            wrong.push(format!("seed {seed}: quakespasm {taken:?}, quakefs {expected:?} of {files:?}"));
        }
        for (file, _) in &files {
            fs::remove_file(base.join(file))?;
        }
    }
    if found * 2 < layouts {
        wrong.push(format!("{found} of {layouts} had a file"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn lay_out_base(base: &Folder) {
    for pak in ["pak0.pak", "pak1.pak"] {
        base.write(&format!("id1/{pak}"), fs::read(data("paks/librequake/id1").join(pak)).unwrap());
    }
    base.write("id1/gfx/pop.lmp", fs::read(data("conformance/pop.lmp")).unwrap());
    base.write("mod/progs.dat", fs::read(data("references/games/lq/progs.dat")).unwrap());
    let mut level = fs::read(data(LEVEL)).unwrap();
    let place = u32::try_from(level.len()).unwrap();
    level[4..8].copy_from_slice(&place.to_le_bytes());
    level[8..12].copy_from_slice(&u32::try_from(WORLD.len()).unwrap().to_le_bytes());
    level.extend(WORLD);
    base.write("mod/maps/lvl.bsp", level);
}

/// All names that the rules try.
fn names(kind: SubstituteKind, name: &str) -> Vec<String> {
    let row = Engine::QuakeSpasm095.rules().substitute(kind, b"").unwrap();
    let of = |name: &str, part: &str| {
        let names = row.names_for(name.as_bytes(), Some(b"lvl"), part).concat();
        names.into_iter().map(|name| String::from_utf8(name).unwrap()).collect::<Vec<_>>()
    };
    let beside = row
        .beside
        .iter()
        .flat_map(|of_one| of_one.iter())
        .flat_map(|suffix| of(&format!("{name}{suffix}"), ""));
    row.parts[0].iter().flat_map(|part| of(name, part)).chain(beside).collect()
}

/// One white pixel, as a TGA or a PCX.
fn picture(file: &str) -> Vec<u8> {
    if file.ends_with("tga") {
        return vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 255, 255, 255];
    }
    testutils::content::pcx(16, 16, &[0; 256])
}

fn expected(base: &Folder, kind: SubstituteKind, name: &str, beside: bool) -> Result<Option<String>, Failed> {
    let quake = SearchPath::builder(base.path()).engine(Engine::QuakeSpasm095).game("mod").mount()?;
    let files = quake.substitutes(kind, name, Some(b"lvl")).unwrap();
    let mut files = files.iter().filter(|file| file.beside == beside);
    Ok(files.find_map(|file| file.copies.first()).map(|copy| copy.name.to_string()))
}

/// The file that the engine failed to read.
fn taken(asked: &Asked, base: &Folder, kind: SubstituteKind, name: &str) -> Result<Option<String>, Failed> {
    let home = Folder::new();
    let mut command = asked.windowed(home.path());
    command.args(["-basedir", base.path().as_str(), "-game", "mod", "-ip", "127.0.0.1", "+map", "lvl"]);
    if kind == SubstituteKind::Sky {
        command.args(["+sky", name]);
    }
    // the track is named in the first message to the player
    command.args(["+wait"; 8]).arg("+quit");
    let text = run(command)?;
    let line = text
        .lines()
        .find(|line| line.starts_with("QUAKE ERROR: ") || line.starts_with("Couldn't handle music file "));
    let is_name = |word: &&str| word.contains('/');
    Ok(line.and_then(|line| line.split([' ', '\'']).find(is_name)).map(str::to_owned))
}
