//! Decodes the Daikatana payloads of a real archive, if this machine has one.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark is a program of its own: it stops where its data is wrong and says what it skips"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pak_format::{Archive, daikatana};

fn decode(c: &mut Criterion) {
    let path = testutils::data("paks/daikatana/openarena.pak");
    let Ok(bytes) = std::fs::read(path) else {
        println!("skipped: needs paks/daikatana/openarena.pak of QUAKEFS_DATA");
        return;
    };
    let archive = Archive::parse(bytes).expect("the archive is whole");
    let compressed: Vec<_> = archive
        .entries()
        .filter(pak_format::Entry::is_compressed)
        .map(|entry| (archive.raw(&entry).expect("its payload is inside"), entry.size() as usize))
        .collect();
    let total: usize = compressed.iter().map(|(_, size)| size).sum();
    let longest = compressed.iter().map(|(_, size)| *size).max().unwrap_or(0);

    let mut group = c.benchmark_group("decode");
    group.throughput(Throughput::Bytes(total as u64));
    let mut out = vec![0; longest];
    group.bench_function("openarena/into", |b| {
        b.iter(|| {
            for (stream, size) in &compressed {
                let out = out.get_mut(..*size).unwrap_or_default();
                daikatana::decode_into(black_box(stream), out).expect("the payload is whole");
            }
        });
    });
    group.bench_function("openarena/new", |b| {
        b.iter(|| {
            for (stream, size) in &compressed {
                black_box(daikatana::decode(black_box(stream), *size).expect("the payload is whole"));
            }
        });
    });
    group.bench_function("openarena/memcpy of the output", |b| {
        let from = vec![1; longest];
        b.iter(|| {
            for (_, size) in &compressed {
                out.get_mut(..*size).unwrap_or_default().copy_from_slice(black_box(&from[..*size]));
            }
        });
    });
}

criterion_group!(benches, decode);
criterion_main!(benches);
