//! Encoding the content of a real Daikatana archive, if the archive is on this machine.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark is a program of its own: it stops where its data is wrong and says what it skips"
)]

use std::hint::black_box;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use pak_format::daikatana::{EncodeOptions, Level, encode};
use pak_format::{Archive, Entry};

fn bench(c: &mut Criterion) {
    let path = testutils::shared("paks/daikatana/openarena.pak");
    let Ok(bytes) = std::fs::read(path) else {
        println!("skipped: the shared archives are not here");
        return;
    };
    let archive = Archive::parse(bytes).expect("the archive is whole");
    let entries: Vec<_> = archive.entries().filter(Entry::is_compressed).collect();
    let contents: Vec<_> =
        entries.iter().map(|entry| archive.read(entry).expect("the payload is whole")).collect();
    let stored: usize = entries.iter().map(|entry| entry.stored_size() as usize).sum();
    let total: usize = contents.iter().map(|content| content.len()).sum();
    println!("{} entries of {total} bytes, stored in {stored}", entries.len());

    let mut group = c.benchmark_group("encode");
    group.throughput(Throughput::Bytes(total as u64)).sample_size(10).sampling_mode(SamplingMode::Flat);
    for (name, level) in [("fast", Level::Fast), ("smallest", Level::Smallest)] {
        for (overlap, allow_overlap) in [("", false), (", overlapping", true)] {
            let options = EncodeOptions::new().level(level).allow_overlap(allow_overlap);
            let all =
                || contents.iter().map(|content| encode(black_box(content), &options).len()).sum::<usize>();
            println!("{name}{overlap}: {} bytes", all());
            group.bench_function(format!("openarena/{name}{overlap}"), |b| b.iter(all));
        }
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
