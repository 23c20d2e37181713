//! pk3s: mounting one, reading from one, and lookups that ignore case.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;

use camino::{Utf8Path, Utf8PathBuf};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flate2::{Decompress, FlushDecompress};
use pak_format::{Builder, Layout};
use quakefs::{Access, Engine, LooseFiles, SearchPath};
use rawzip::ZipArchive;
use testutils::zip_deflated;

const ENTRIES: usize = 20_000;

fn name(archive: usize, entry: usize) -> String {
    const FOLDERS: [&str; 5] = ["maps", "progs", "sound/ambience", "textures/base", "gfx/env"];
    format!("{}/m{archive:02}_{entry:05}.{}", FOLDERS[entry % 5], ["bsp", "mdl", "wav"][entry % 3])
}

/// 20 KiB that deflate to about a third, like a text or a model.
fn text() -> Vec<u8> {
    let mut state = 1_u32;
    let words = ["origin", "angle", "classname", "monster_ogre", "target", "wait", "128", "-64", "\"\n\""];
    let mut text = Vec::new();
    while text.len() < 20 * 1024 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend_from_slice(words[state as usize >> 8 & 7].as_bytes());
        text.extend_from_slice((state >> 20).to_string().as_bytes());
    }
    text.truncate(20 * 1024);
    text
}

fn base_with(files: impl Iterator<Item = (String, Vec<u8>)>) -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8Path::from_path(folder.path()).unwrap().to_owned();
    std::fs::create_dir(base.join("id1")).unwrap();
    for (name, content) in files {
        std::fs::write(base.join("id1").join(name), content).unwrap();
    }
    (folder, base)
}

fn mount(c: &mut Criterion) {
    let image = zip_deflated((0..ENTRIES).map(|entry| (name(0, entry), vec![7; 16])));
    let (_folder, base) = base_with(std::iter::once(("pak0.pk3".to_owned(), image)));
    let mut group = c.benchmark_group("mount of a pk3 of 20,000");
    group.sample_size(30);
    for engine in [Engine::DarkPlaces, Engine::Qss] {
        for access in [Access::Map, Access::Read] {
            group.bench_function(format!("{engine}, {access:?}"), |b| {
                b.iter(|| SearchPath::builder(&base).engine(engine).access(access).mount().unwrap());
            });
        }
    }
    group.finish();
}

fn read(c: &mut Criterion) {
    let image = zip_deflated((0..1024).map(|entry| (name(0, entry), text())));
    let (_folder, base) = base_with(std::iter::once(("pak0.pk3".to_owned(), image.clone())));
    let name = name(0, 500);
    let mut group = c.benchmark_group("read of 20 KiB deflated");
    group.throughput(Throughput::Bytes(20 * 1024));
    for access in [Access::Map, Access::Read] {
        let builder = SearchPath::builder(&base).engine(Engine::DarkPlaces).access(access);
        let quake = builder.loose_files(LooseFiles::Listed).mount().unwrap();
        group.bench_function(format!("quakefs, {access:?}"), |b| {
            b.iter(|| quake.read(black_box(&name)).unwrap());
        });
    }
    let archive = ZipArchive::from_slice(image).unwrap();
    let wayfinder = archive.entries().nth(500).unwrap().unwrap().wayfinder();
    let inflate = |checked: bool| {
        let entry = archive.get_entry(black_box(wayfinder)).unwrap();
        let mut content = Vec::with_capacity(20 * 1024);
        let mut decoder = Decompress::new(false);
        decoder.decompress_vec(entry.data(), &mut content, FlushDecompress::Finish).unwrap();
        if checked {
            let mut crc = flate2::Crc::new();
            crc.update(&content);
            assert_eq!(crc.sum(), entry.claim_verifier().crc);
        }
        content
    };
    group.bench_function("rawzip and flate2", |b| b.iter(|| inflate(true)));
    group.bench_function("rawzip and flate2, unchecked", |b| b.iter(|| inflate(false)));
    group.finish();
}

/// The numbers from 0 to `below` in a random order, the same each time.
fn shuffled(below: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..below).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for place in (1..below).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        numbers.swap(place, usize::try_from(state >> 33).unwrap() % (place + 1));
    }
    numbers
}

/// The same paks with an engine that compares case and with one that ignores it, and as pk3s.
fn case(c: &mut Criterion) {
    const ARCHIVES: usize = 8;
    let entries = |archive| (0..ENTRIES).map(move |entry| (name(archive, entry), vec![0; 16]));
    let (_paks, paks) = base_with((0..ARCHIVES).map(|archive| {
        let mut pak = Builder::new(Layout::Quake);
        for (name, content) in entries(archive) {
            pak.add(name, content).unwrap();
        }
        (format!("pak{archive}.pak"), pak.finish().unwrap())
    }));
    let (_pk3s, pk3s) =
        base_with((0..ARCHIVES).map(|archive| (format!("pak{archive}.pk3"), zip_deflated(entries(archive)))));
    let all: Vec<String> =
        shuffled(ARCHIVES * ENTRIES).iter().map(|n| name(n / ENTRIES, n % ENTRIES)).collect();
    let misses: Vec<String> = all.iter().take(1024).map(|name| format!("{name}x")).collect();
    let upper: Vec<String> = all.iter().take(1024).map(|name| name.to_ascii_uppercase()).collect();

    let mut group = c.benchmark_group("lookup in 8 x 20,000");
    for (what, engine, base) in [
        ("paks, case counts", Engine::WinQuake, &paks),
        ("paks, case does not", Engine::Quake2, &paks),
        ("pk3s, lower-cased", Engine::Qss, &pk3s),
        ("pk3s, case does not", Engine::DarkPlaces, &pk3s),
    ] {
        // archives above loose files for every engine, so that a lookup does not reach the loose files
        let mut rules = engine.rules().clone();
        rules.directories = Engine::WinQuake.rules().directories.clone();
        rules.loose.position = quakefs::rules::LoosePosition::Below;
        let quake =
            SearchPath::builder(base).rules(rules.clone()).loose_files(LooseFiles::Listed).mount().unwrap();
        let mut run = |of: &str, names: &[String], files: bool| {
            // a power of two, so that wrapping around costs nothing
            let count = 1 << names.len().ilog2();
            let names = &names[..count];
            assert_eq!(quake.find(&names[0]).is_some(), files);
            let mut next = 0;
            group.bench_function(BenchmarkId::new(of, what), |b| {
                b.iter(|| {
                    next = (next + 1) & (count - 1);
                    black_box(quake.find(black_box(&names[next])))
                });
            });
        };
        run("hit, 1024 names in use", &all[..1024], true);
        run("hit, all names", &all, true);
        run("miss", &misses, false);
        if rules.archives.case == quakefs::rules::Case::Ignored {
            run("hit in upper case", &upper, true);
        }
    }
    group.finish();
}

criterion_group!(benches, mount, read, case);
criterion_main!(benches);
