//! Any download, unpacked to its places: no path leaves the base directory, no word of a start line is more
//! than one word for an engine's console, and an undo leaves the folder as it was.
#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use quakefs::{Archive, Engine};
use quakefs_extract::journal::Journal;
use quakefs_fuzz::{Name, pick};
use quakefs_installed::{Download, PlaceOptions, place};
use testutils::{Folder, raw_zip};

#[derive(Arbitrary, Debug)]
struct Input {
    name: u8,
    engine: Option<u8>,
    directories: Vec<u8>,
    files: Vec<(FileName, Content)>,
}

#[derive(Debug)]
struct FileName(Vec<u8>);

/// Parts of the names in downloads.
const PARTS: [&str; 28] = [
    "id1",
    "Id1",
    "pd",
    "baseq2",
    "ctf",
    "baseq3",
    "valve",
    "data1",
    "qw",
    "skins",
    "maps",
    "start.bsp",
    "DE_Dust.bsp",
    "progs.dat",
    "qwprogs.dat",
    "pak0.pak",
    "pak7.pk3",
    "readme.txt",
    "liblist.gam",
    "gfx.wad",
    "demo1.dem",
    "music",
    "track02.ogg",
    "+quit.bsp",
    "a b.bsp",
    "quakefs-place-1.jsonl",
    "setup.exe",
    "x;quit",
];

impl<'a> Arbitrary<'a> for FileName {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        if u.ratio(1, 6)? {
            return Ok(FileName(Name::arbitrary(u)?.0));
        }
        let count = u.int_in_range(1..=3)?;
        let parts = (0..count).map(|_| u.choose(&PARTS).copied()).collect::<Result<Vec<_>>>()?;
        Ok(FileName(parts.join("/").into_bytes()))
    }
}

#[derive(Arbitrary, Debug)]
enum Content {
    Any(Vec<u8>),
    Level(u8),
    Text(Vec<u8>),
    Download(Vec<(FileName, Vec<u8>)>),
}

/// Sentences of the texts beside levels.
const SENTENCES: [&str; 8] = [
    "quake -game pd +map start\n",
    "unzip into your quake\\id1 directory\n",
    "requires Arcane Dimensions\n",
    "copy it to baseq2\n",
    "the folder is called ../up\n",
    "-game \"a b\"\n",
    "quake -hipnotic -quoth\n",
    "Quake III Arena\n",
];
const NAMES: [&str; 5] = ["pd.zip", "+quit.zip", "a b.zip", "..zip", "DM6.pk3"];
const DIRECTORIES: [&str; 5] = ["id1", "pd", "PD", "baseq2", "ad"];

impl Content {
    fn to_bytes(&self) -> Vec<u8> {
        match self {
            Content::Any(bytes) => bytes.clone(),
            Content::Level(version) => {
                let versions: [&[u8]; 5] =
                    [b"\x1d\0\0\0", b"IBSP\x26\0\0\0", b"IBSP\x2e\0\0\0", b"BSP2", b"\x1e\0\0\0"];
                [*pick(&versions, *version), &[0; 200]].concat()
            }
            Content::Text(sentences) => {
                sentences.iter().map(|&number| *pick(&SENTENCES, number)).collect::<String>().into_bytes()
            }
            Content::Download(files) => zip(files.iter().map(|(name, bytes)| (&*name.0, &**bytes))),
        }
    }
}

/// A ZIP with names of any bytes.
fn zip<'f>(files: impl Iterator<Item = (&'f [u8], &'f [u8])>) -> Vec<u8> {
    raw_zip::zip(&files.map(|(name, bytes)| raw_zip::stored(name, bytes)).collect::<Vec<_>>())
}

fuzz_target!(|input: Input| {
    let files: Vec<_> = input.files.iter().map(|(name, content)| (&*name.0, content.to_bytes())).collect();
    let image = zip(files.iter().map(|(name, bytes)| (*name, &**bytes)));
    let Ok(archive) = Archive::from_data(image.into()) else { return };
    let download = Download::archive(&archive, *pick(&NAMES, input.name));
    let engines: Vec<_> = Engine::ALL.iter().collect();
    let directories: Vec<_> =
        input.directories.iter().map(|&number| (*pick(&DIRECTORIES, number)).to_owned()).collect();
    let engine = input.engine.map(|number| pick(&engines, number).rules());
    let placement =
        place(&download, &PlaceOptions { engine, directories: &directories, ..PlaceOptions::default() });
    for part in &placement.parts {
        assert!(!part.to.starts_with('/') && part.to.split('/').all(|part| part != ".."), "{part:?}");
    }
    for start in &placement.starts {
        for word in start.words(&placement.family).iter().chain(&start.games) {
            let is_word = !word.is_empty()
                && !word.contains(|letter: char| letter.is_whitespace() || "\";".contains(letter));
            assert!(is_word, "{start:?}");
        }
        assert!(start.level.as_ref().is_none_or(|level| !level.starts_with(['+', '-'])), "{start:?}");
    }
    let base = Folder::with([("id1/kept.cfg", "kept")]);
    let before = base.tree("");
    let Ok(plan) = placement.plan(base.path()) else { return };
    let journal = Journal::of_plan(base.path(), "x.zip", &plan);
    let Ok(Some(journal)) = journal else { return };
    let written = plan.write(
        base.path(),
        &quakefs_extract::ExtractOptions { durable: false, ..placement.limits() },
        &(),
    );
    assert!(written.is_ok(), "{written:?}");
    let undone = journal.undo(&mut |step, outcome| {
        assert!(!matches!(outcome, quakefs_extract::journal::Undone::Left(_)), "{step:?}: {outcome:?}")
    });
    assert!(undone.unwrap_or_default());
    assert_eq!(base.tree(""), before);
});
