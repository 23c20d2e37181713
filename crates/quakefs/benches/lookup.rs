//! Lookups and mounts of search paths with 1, 8 and 64 archives of 20,000 entries each.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;

use camino::{Utf8Path, Utf8PathBuf};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pak_format::{Builder, Layout};
use quakefs::{Access, Engine, LooseFiles, SearchPath};

const ENTRIES: usize = 20_000;

fn name(archive: usize, entry: usize) -> String {
    const FOLDERS: [&str; 5] = ["maps", "progs", "sound/ambience", "textures/base", "gfx/env"];
    format!("{}/m{archive:02}_{entry:05}.{}", FOLDERS[entry % 5], ["bsp", "mdl", "wav"][entry % 3])
}

/// A base directory whose `id1` contains this many archives, without repeated names.
fn layout(archives: usize) -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8Path::from_path(folder.path()).unwrap().to_owned();
    std::fs::create_dir(base.join("id1")).unwrap();
    for archive in 0..archives {
        let mut pak = Builder::new(Layout::Quake);
        for entry in 0..ENTRIES {
            pak.add(name(archive, entry), [0; 16]).unwrap();
        }
        std::fs::write(base.join(format!("id1/pak{archive}.pak")), pak.finish().unwrap()).unwrap();
    }
    (folder, base)
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

fn lookup(c: &mut Criterion) {
    let mut group = c.benchmark_group("lookup");
    for archives in [1, 8, 64] {
        let (_folder, base) = layout(archives);
        let quake = SearchPath::builder(&base)
            .engine(Engine::WinQuake)
            .loose_files(LooseFiles::Listed)
            .mount()
            .unwrap();
        let all = archives * ENTRIES;
        let names: Vec<String> = shuffled(all).iter().map(|n| name(n / ENTRIES, n % ENTRIES)).collect();
        let mut run = |what: &str, names: &[String], files: bool| {
            // a power of two, so that wrapping around costs nothing
            let count = 1 << names.len().ilog2();
            let names = &names[..count];
            assert_eq!(quake.find(&names[0]).is_some(), files);
            let mut next = 0;
            group.bench_function(BenchmarkId::new(what, archives), |b| {
                b.iter(|| {
                    next = (next + 1) & (count - 1);
                    black_box(quake.find(black_box(&names[next])))
                });
            });
        };
        run("hit, 1024 names in use", &names[..1024], true);
        run("hit, all names", &names, true);
        let misses: Vec<String> = names.iter().take(1024).map(|name| format!("{name}x")).collect();
        run("miss", &misses, false);
    }
    group.finish();
}

fn mount(c: &mut Criterion) {
    let (_folder, base) = layout(8);
    let mut group = c.benchmark_group("mount of 8 x 20,000");
    group.sample_size(30);
    for (what, access) in [("mapped", Access::Map), ("read", Access::Read)] {
        group.bench_function(what, |b| {
            b.iter(|| SearchPath::builder(&base).engine(Engine::WinQuake).access(access).mount().unwrap());
        });
    }
    group.finish();
}

fn read(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8Path::from_path(folder.path()).unwrap();
    std::fs::create_dir(base.join("id1")).unwrap();
    let mut pak = Builder::new(Layout::Quake);
    for entry in 0..1024 {
        pak.add(name(0, entry), vec![7; 20 * 1024]).unwrap();
    }
    std::fs::write(base.join("id1/pak0.pak"), pak.finish().unwrap()).unwrap();
    let mut group = c.benchmark_group("read of 20 KiB");
    for (what, access) in [("mapped", Access::Map), ("read", Access::Read)] {
        let quake = SearchPath::builder(base)
            .engine(Engine::WinQuake)
            .loose_files(LooseFiles::Listed)
            .access(access)
            .mount()
            .unwrap();
        let name = name(0, 500);
        group.bench_function(what, |b| b.iter(|| quake.read(black_box(&name)).unwrap()));
    }
    group.finish();
}

criterion_group!(benches, lookup, mount, read);
criterion_main!(benches);
