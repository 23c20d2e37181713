//! The recorded answers: layouts made at random, given to an engine, and every name asked for.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::layout::{Header, Layout, Row};
use quakefs::{Access, Engine, Evidence, LooseFiles, SearchPath};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recording {
    seed: u64,
    flags: Vec<String>,
    games: Vec<String>,
    tree: Vec<Folder>,
    answers: BTreeMap<String, Option<String>>,
}

#[derive(Deserialize)]
struct Folder {
    dir: String,
    paks: Vec<Pak>,
    loose: Vec<String>,
}

#[derive(Deserialize)]
struct Pak {
    file: String,
    entries: Vec<String>,
}

impl Recording {
    /// Writes the layout below a folder.
    fn lay_out(&self, base: &Utf8Path) {
        for Folder { dir, paks, loose } in &self.tree {
            fs::create_dir_all(base.join(dir)).unwrap();
            for Pak { file, entries } in paks {
                let contents = (0..).map(|entry| format!("echo @@{dir}/{file}:{entry}\n"));
                let files: Vec<_> = entries.iter().map(String::as_str).zip(contents).collect();
                let bytes = if file.ends_with("pak") || file.ends_with("PAK") { pack(&files) } else { zip(&files) };
                fs::write(base.join(dir).join(file), bytes).unwrap();
            }
            for name in loose {
                let path = base.join(dir).join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, format!("echo @@{dir}/{name}\n")).unwrap();
            }
        }
    }

    fn mount(&self, base: &Utf8Path, engine: Engine, loose: LooseFiles, access: Access) -> SearchPath {
        let mut builder = SearchPath::builder(base).engine(engine).loose_files(loose).access(access);
        for flag in &self.flags {
            builder = builder.mission(flag.trim_start_matches('-'));
        }
        for game in &self.games {
            builder = builder.game(game);
        }
        builder.mount().unwrap()
    }
}

/// A pak of names as they come, which the builder of `pak_format` would partly refuse.
fn pack(files: &[(&str, String)]) -> Vec<u8> {
    let mut image = vec![0; Header::SIZE];
    let mut rows = Vec::new();
    for (name, content) in files {
        let size = u32::try_from(content.len()).unwrap();
        let offset = u32::try_from(image.len()).unwrap();
        let row = Row { name: name.as_bytes(), offset, size, compressed_size: size, compression: 0 };
        row.encode(Layout::Quake, &mut rows);
        image.extend(content.as_bytes());
    }
    let header = Header {
        magic: *b"PACK",
        directory_offset: u32::try_from(image.len()).unwrap(),
        directory_size: u32::try_from(rows.len()).unwrap(),
    };
    image[..Header::SIZE].copy_from_slice(&header.encode());
    image.extend(rows);
    image
}

/// A ZIP of deflated files.
fn zip(files: &[(&str, String)]) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, content) in files {
        let (mut entry, config) =
            archive.new_file(name).compression_method(rawzip::CompressionMethod::DEFLATE).start().unwrap();
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
        let mut writer = config.wrap(encoder);
        writer.write_all(content.as_bytes()).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

/// The answer as the recordings spell it, told by the bytes that are served.
fn answer(search_path: &SearchPath, name: &str) -> Option<String> {
    let bytes = search_path.read(name).ok()?;
    let text = std::str::from_utf8(&bytes).unwrap();
    Some(text.trim_end().trim_start_matches("echo @@").to_owned())
}

/// Whether an answer says what was recorded; DarkPlaces names the archive without the entry.
fn agrees(engine: Engine, given: Option<&str>, recorded: Option<&str>) -> bool {
    match (engine, given) {
        (Engine::DarkPlaces, Some(given)) => Some(given.split(':').next().unwrap()) == recorded,
        _ => given == recorded,
    }
}

fn check(engine: Engine, expected: usize) {
    let path = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/conformance"));
    let text = fs::read_to_string(path.join(format!("{engine}.json"))).unwrap();
    let recordings: Vec<Recording> = serde_json::from_str(&text).unwrap();
    let mut compared = 0;
    let mut wrong = Vec::new();
    for recording in &recordings {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(folder.path()).unwrap();
        recording.lay_out(base);
        let live = recording.mount(base, engine, LooseFiles::Live, Access::Map);
        let listed = recording.mount(base, engine, LooseFiles::Listed, Access::Read);
        for (name, recorded) in &recording.answers {
            compared += 1;
            for (how, search_path) in [("live", &live), ("listed", &listed)] {
                let given = answer(search_path, name);
                if !agrees(engine, given.as_deref(), recorded.as_deref()) {
                    wrong.push(format!(
                        "seed {} {name:?} {how}: {engine} serves {recorded:?}, quakefs {given:?}",
                        recording.seed
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(compared, expected, "answers compared");
}

macro_rules! recorded {
    ($($test:ident: $engine:ident, $answers:literal;)*) => {
        $(#[test] fn $test() { check(Engine::$engine, $answers); })*

        #[test]
        fn every_engine_that_was_run_is_compared() {
            let compared = [$(Engine::$engine),*];
            for engine in Engine::ALL {
                assert_eq!(compared.contains(engine), engine.evidence() == Evidence::Recorded, "{engine}");
            }
        }
    };
}

recorded! {
    winquake: WinQuake, 1160;
    quakespasm: QuakeSpasm, 1044;
    qss: Qss, 1160;
    darkplaces: DarkPlaces, 1040;
    fte: Fte, 1160;
    ironwail: Ironwail, 1160;
    quake2: Quake2, 1160;
    q2pro: Q2Pro, 1160;
    mvdsv: Mvdsv, 1160;
    yquake2: YQuake2, 1160;
    goldsrc: GoldSrc, 1160;
}
