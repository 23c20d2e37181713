//! Extraction of 20,000 files of 20 KiB below a folder.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]

use std::num::NonZero;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pak_format::{Builder, Layout, Source};
use quakefs::{Archive, File, FileData};
use quakefs_extract::{ExtractOptions, ExtractPlan};

const FILES: u64 = 20_000;
const SIZE: usize = 20 * 1024;

fn archive() -> Archive {
    const FOLDERS: [&str; 5] = ["maps", "progs", "sound/ambience", "textures/base", "gfx/env"];
    let content: &'static [u8] = vec![b'x'; SIZE].leak();
    let mut pak = Builder::new(Layout::Quake);
    for (file, folder) in (0..FILES).zip(FOLDERS.iter().cycle()) {
        pak.push(format!("{folder}/{file:05}.bin"), Source::bytes(content));
    }
    Archive::from_data(FileData::from(pak.finish().unwrap())).unwrap()
}

fn files(archive: &Archive) -> impl Iterator<Item = File<'static>> {
    archive.files("x.pak")
}

fn extract(criterion: &mut Criterion) {
    let archive = archive();
    let plan = ExtractPlan::new(files(&archive));
    let mut group = criterion.benchmark_group("extract");
    group.sample_size(10).throughput(Throughput::Elements(FILES));
    group.bench_function("plan", |bencher| bencher.iter(|| ExtractPlan::new(files(&archive))));
    for (name, threads) in [("one thread", NonZero::new(1)), ("all cores", None)] {
        let options = ExtractOptions { threads, ..ExtractOptions::default() };
        group.bench_function(name, |bencher| {
            // the removal of the files is not measured
            bencher.iter_custom(|rounds| {
                let mut taken = Duration::ZERO;
                for _ in 0..rounds {
                    let folder = tempfile::tempdir().unwrap();
                    let start = Instant::now();
                    let extracted = plan.write(folder.path(), &options, &()).unwrap();
                    taken += start.elapsed();
                    assert_eq!(extracted.written, FILES);
                }
                taken
            });
        });
    }
    group.finish();
}

criterion_group!(benches, extract);
criterion_main!(benches);
