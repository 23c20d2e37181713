//! Listing a search path and reporting on it: 8 archives of 20,000 entries, each overriding one entry in ten
//! of the archive below, and 2,000 loose files.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]

use camino::Utf8Path;
use criterion::{Criterion, criterion_group, criterion_main};
use pak_format::{Builder, Layout};
use quakefs::why::compare;
use quakefs::{Engine, LooseFiles, SearchPath};

const ARCHIVES: usize = 8;
const ENTRIES: usize = 20_000;
const NEW: usize = ENTRIES / 10 * 9;

fn name(number: usize) -> String {
    const FOLDERS: [&str; 5] = ["maps", "progs", "sound/ambience", "textures/base", "gfx/env"];
    let folder = FOLDERS.iter().cycle().nth(number % FOLDERS.len()).unwrap();
    format!("{folder}/file_{number:06}.bin")
}

fn report(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8Path::from_path(folder.path()).unwrap();
    for number in 0..5 {
        std::fs::create_dir_all(base.join("id1").join(name(number)).parent().unwrap()).unwrap();
    }
    for archive in 0..ARCHIVES {
        let mut pak = Builder::new(Layout::Quake);
        for entry in 0..ENTRIES {
            pak.add(name(archive * NEW + entry), [0; 16]).unwrap();
        }
        std::fs::write(base.join(format!("id1/pak{archive}.pak")), pak.finish().unwrap()).unwrap();
    }
    for file in 0..2000 {
        std::fs::write(base.join("id1").join(name(ARCHIVES * NEW + file)), [0; 16]).unwrap();
    }
    let mount =
        |engine| SearchPath::builder(base).engine(engine).loose_files(LooseFiles::Listed).mount().unwrap();
    let search_paths = [mount(Engine::Fte), mount(Engine::DarkPlaces)];
    let [quake, _] = &search_paths;
    let mut group = c.benchmark_group("report");
    group.sample_size(20);
    group.bench_function("files", |b| b.iter(|| quake.files().count()));
    group.bench_function("shadows", |b| b.iter(|| quakefs::why::overridden(quake).len()));
    group.bench_function("check", |b| b.iter(|| quakefs::why::check(quake).len()));
    group.bench_function("compare of two", |b| b.iter(|| compare(&search_paths, |_| true).names));
    group.finish();
}

criterion_group!(benches, report);
criterion_main!(benches);
