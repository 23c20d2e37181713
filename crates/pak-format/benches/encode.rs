//! Encodes random letters, and the content of a real Daikatana archive if this machine has one.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark is a program of its own: it stops where its data is wrong and says what it skips"
)]

use std::hint::black_box;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use pak_format::daikatana::{EncodeOptions, encode};
use pak_format::{Archive, Entry};

/// Data in which almost every match is short, so a search that tries few positions misses matches.
fn letters(c: &mut Criterion) {
    const SIZE: usize = 1 << 20;
    let mut group = c.benchmark_group("encode");
    group.throughput(Throughput::Bytes(SIZE as u64)).sample_size(10).sampling_mode(SamplingMode::Flat);
    let mut state = 0x9e37_79b9_u32;
    for letters in [4, 16] {
        let next = |_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            b'a' + state.to_be_bytes().first().copied().unwrap_or_default() % letters
        };
        let data: Vec<u8> = (0..SIZE).map(next).collect();
        for (name, smallest) in [("fast", false), ("smallest", true)] {
            let options = EncodeOptions::new().smallest(smallest);
            println!("{letters} letters, {name}: {} bytes", encode(&data, &options).len());
            group.bench_function(format!("{letters} letters/{name}"), |b| {
                b.iter(|| encode(black_box(&data), &options).len());
            });
        }
    }
    group.finish();
}

fn real(c: &mut Criterion) {
    let path = testutils::data("paks/daikatana/openarena.pak");
    let Ok(bytes) = std::fs::read(path) else {
        println!("skipped: needs paks/daikatana/openarena.pak of QUAKEFS_DATA");
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
    for (name, smallest) in [("fast", false), ("smallest", true)] {
        for (overlap, allow_overlap) in [("", false), (", overlapping", true)] {
            let options = EncodeOptions::new().smallest(smallest).allow_overlap(allow_overlap);
            let all =
                || contents.iter().map(|content| encode(black_box(content), &options).len()).sum::<usize>();
            println!("{name}{overlap}: {} bytes", all());
            group.bench_function(format!("openarena/{name}{overlap}"), |b| b.iter(all));
        }
    }
}

criterion_group!(benches, letters, real);
criterion_main!(benches);
