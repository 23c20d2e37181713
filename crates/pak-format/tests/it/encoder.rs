//! The encoder: every stream decodes, and the smallest are the smallest.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use pak_format::Archive;
use pak_format::daikatana::{EncodeOptions, decode, encode};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::reference;

const FAST: EncodeOptions = EncodeOptions::new();
const FAST_OVERLAP: EncodeOptions = EncodeOptions::new().allow_overlap(true);
const SMALLEST: EncodeOptions = EncodeOptions::new().smallest(true);
const SMALLEST_OVERLAP: EncodeOptions = EncodeOptions::new().smallest(true).allow_overlap(true);
const ALL: [EncodeOptions; 4] = [FAST, FAST_OVERLAP, SMALLEST, SMALLEST_OVERLAP];

/// Whether a copy of the stream is longer than its distance.
fn overlaps(stream: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&control) = stream.get(at) {
        at += match control {
            0..=63 => usize::from(control) + 2,
            64..=127 => 1,
            192..=253 if usize::from(control) - 190 > usize::from(stream[at + 1]) + 2 => return true,
            128..=253 => 2,
            254 | 255 => return false,
        };
    }
    false
}

/// Encodes in every way, checks the properties of any stream, and returns the smallest sizes without and with
/// overlap.
fn check(data: &[u8]) -> (usize, usize) {
    let sizes = ALL.map(|options| {
        let stream = encode(data, &options);
        assert_eq!(decode(&stream, data.len()).unwrap(), data, "{options:?}");
        assert_eq!(reference::decode(&stream, data.len()).unwrap(), data, "{options:?}");
        assert_eq!(stream.last(), Some(&255));
        // the last byte is the end byte and no operand
        assert_eq!(decode(&stream[..stream.len() - 1], data.len()).unwrap(), data, "{options:?}");
        assert!(options.allow_overlap || !overlaps(&stream), "{options:?}");
        assert!(stream.len() <= data.len() + data.len().div_ceil(64) + 1, "{options:?}");
        stream.len()
    });
    let [fast, fast_overlap, smallest, smallest_overlap] = sizes;
    assert!(
        smallest <= fast && smallest_overlap <= fast_overlap && smallest_overlap <= smallest,
        "{sizes:?}"
    );
    (smallest, smallest_overlap)
}

/// The length of a shortest stream: every token at every position, and its cost from the table of the codec.
fn shortest(data: &[u8], allow_overlap: bool) -> usize {
    let mut costs = vec![usize::MAX; data.len()];
    costs.push(1);
    for at in (0..data.len()).rev() {
        let left = data.len() - at;
        let mut offer = |cost, length: usize| costs[at] = costs[at].min(cost + costs[at + length]);
        for length in 1..=left.min(64) {
            offer(1 + length, length);
        }
        for length in 2..=left.min(65) {
            if data[at + length - 1] != data[at] {
                break;
            }
            offer(if data[at] == 0 { 1 } else { 2 }, length);
        }
        for distance in 2..=at.min(257) {
            for length in 1..=left.min(if allow_overlap { 63 } else { distance.min(63) }) {
                if data[at - distance + length - 1] != data[at + length - 1] {
                    break;
                }
                if length >= 2 {
                    offer(2, length);
                }
            }
        }
    }
    costs[0]
}

fn check_smallest(data: &[u8]) {
    assert_eq!(check(data), (shortest(data, false), shortest(data, true)), "{data:?}");
}

/// The size of the smallest streams without and with overlap.
fn smallest(data: &[u8]) -> (usize, usize) {
    (encode(data, &SMALLEST).len(), encode(data, &SMALLEST_OVERLAP).len())
}

/// All strings over three symbols, the shortest first.
fn strings(longest: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut level = vec![vec![]];
    (0..=longest).flat_map(move |_| {
        let longer = level
            .iter()
            .flat_map(|string| [0, 1, 2].map(|symbol| [&string[..], &[symbol]].concat()))
            .collect();
        std::mem::replace(&mut level, longer)
    })
}

/// Appends every token to the stream that gives no more than `longest` bytes, and notes for each output how
/// short a stream gives it.
fn try_streams(
    stream: &[u8],
    longest: usize,
    allow_overlap: bool,
    sizes: &mut HashMap<Vec<u8>, usize>,
    given: usize,
) {
    let output = reference::decode(stream, given).unwrap();
    let size = sizes.entry(output).or_insert(usize::MAX);
    *size = stream.len().min(*size);
    let mut go_on = |token: &[u8], length| {
        try_streams(&[stream, token].concat(), longest, allow_overlap, sizes, given + length);
    };
    for length in 1..=longest - given {
        let count = u8::try_from(length).unwrap();
        for bytes in strings(length).filter(|bytes| bytes.len() == length) {
            go_on(&[&[count - 1], &bytes[..]].concat(), length);
        }
        if length == 1 {
            continue;
        }
        go_on(&[count + 62], length);
        for symbol in [0, 1, 2] {
            go_on(&[count + 126, symbol], length);
        }
        for distance in 2..=given {
            if allow_overlap || length <= distance {
                go_on(&[count + 190, u8::try_from(distance - 2).unwrap()], length);
            }
        }
    }
}

#[test]
fn no_data_encodes_to_the_end_byte() {
    for options in ALL {
        assert_eq!(encode(&[], &options), [255]);
    }
}

#[test]
fn the_default_is_fast_and_never_overlaps() {
    assert_eq!(EncodeOptions::default(), FAST);
}

#[test]
fn small_streams_equal_streams_made_by_hand() {
    let check = |data: &[u8], without: &[u8], with: &[u8]| {
        assert_eq!(encode(data, &SMALLEST), without, "{data:?}");
        assert_eq!(encode(data, &SMALLEST_OVERLAP), with, "{data:?}");
    };
    check(&[7], &[0, 7, 255], &[0, 7, 255]);
    check(&[0, 0], &[64, 255], &[64, 255]);
    check(&[7, 7], &[128, 7, 255], &[128, 7, 255]);
    check(
        b"abcdabcdabcd",
        &[3, b'a', b'b', b'c', b'd', 194, 2, 194, 2, 255],
        &[3, b'a', b'b', b'c', b'd', 198, 2, 255],
    );
    // a copy of five leaves zeros enough for a token; one of six does not
    check(
        &[1, 2, 3, 4, 5, 0, 6, 1, 2, 3, 4, 5, 0, 0],
        &[6, 1, 2, 3, 4, 5, 0, 6, 195, 5, 64, 255],
        &[6, 1, 2, 3, 4, 5, 0, 6, 195, 5, 64, 255],
    );
}

#[test]
fn lengths_around_the_longest_of_each_token() {
    for (length, zeros, repeat) in [
        (63, 2, 3),
        (64, 2, 3),
        (65, 2, 3),
        (66, 3, 5),
        (128, 3, 5),
        (129, 3, 5),
        (130, 3, 5),
        (131, 4, 7),
        (195, 4, 7),
    ] {
        check_smallest(&vec![0; length]);
        assert_eq!(smallest(&vec![0; length]), (zeros, zeros), "{length} zeros");
        check_smallest(&vec![9; length]);
        assert_eq!(smallest(&vec![9; length]), (repeat, repeat), "{length} nines");

        let distinct: Vec<u8> = (0..=255).take(length).collect();
        check_smallest(&distinct);
        let literals = length + length.div_ceil(64) + 1;
        assert_eq!(smallest(&distinct), (literals, literals), "{length} literals");
        assert_eq!(encode(&distinct, &FAST).len(), literals, "{length} literals");

        // twice, as far apart as a copy reaches and one byte farther
        for (gap, reached) in [(257 - length, true), (258 - length, false)] {
            if length < 128 {
                let data = [&distinct[..], &vec![255; gap], &distinct].concat();
                check_smallest(&data);
                assert_eq!(smallest(&data).0 < 2 * length, reached, "{length} bytes, {gap} apart");
            }
        }
    }
}

#[test]
fn data_without_a_pattern_grows_by_no_more_than_documented() {
    let distinct: Vec<u8> = (0..=255).collect();
    for length in 0..=256 {
        let (smallest, _) = check(&distinct[..length]);
        assert_eq!(smallest, length + length.div_ceil(64) + 1);
    }
}

#[test]
fn the_smallest_are_the_smallest_of_all_streams() {
    for allow_overlap in [false, true] {
        let mut sizes = HashMap::new();
        try_streams(&[], 5, allow_overlap, &mut sizes, 0);
        assert_eq!(sizes.len(), 1 + 3 + 9 + 27 + 81 + 243);
        for (data, size) in sizes {
            let options = SMALLEST.allow_overlap(allow_overlap);
            assert_eq!(encode(&data, &options).len(), size + 1, "{data:?}");
            assert_eq!(shortest(&data, allow_overlap), size + 1, "{data:?}");
        }
    }
}

#[test]
fn the_smallest_are_the_smallest_of_all_to_ten_bytes_over_three_symbols() {
    let mut count = 0;
    for data in strings(10) {
        check_smallest(&data);
        count += 1;
    }
    assert_eq!(count, 88_573);
}

#[derive(Clone, Debug)]
enum Piece {
    Bytes(Vec<u8>),
    Run(u8, usize),
    /// What was there before, so far back.
    Again(usize, usize),
}

fn pieces() -> impl Strategy<Value = Piece> {
    prop_oneof![
        vec(any::<u8>(), 0..80).prop_map(Piece::Bytes),
        vec(0..4_u8, 0..40).prop_map(Piece::Bytes),
        vec(prop_oneof![4 => Just(0), 1 => any::<u8>()], 0..40).prop_map(Piece::Bytes),
        (prop_oneof![Just(0), any::<u8>()], 1..140_usize).prop_map(|(byte, length)| Piece::Run(byte, length)),
        (1..300_usize, 1..140_usize).prop_map(|(distance, length)| Piece::Again(distance, length)),
        (1..12_usize, 1..20_usize).prop_map(|(distance, length)| Piece::Again(distance, length)),
    ]
}

prop_compose! {
    fn structured(count: usize)(pieces in vec(pieces(), 0..count)) -> Vec<u8> {
        let mut data = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Bytes(bytes) => data.extend(bytes),
                Piece::Run(byte, length) => data.resize(data.len() + length, byte),
                Piece::Again(distance, length) if distance <= data.len() => {
                    for _ in 0..length {
                        data.push(data[data.len() - distance]);
                    }
                }
                Piece::Again(..) => {}
            }
        }
        data
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn structured_data_comes_back_from_the_smallest(data in structured(20)) {
        check_smallest(&data);
    }

    #[test]
    fn any_bytes_come_back_from_the_smallest(data in vec(any::<u8>(), 0..400)) {
        check_smallest(&data);
    }

    #[test]
    fn few_symbols_come_back_from_the_smallest(data in vec(0..3_u8, 0..400)) {
        check_smallest(&data);
    }
}

#[test]
fn fast_streams_of_random_letters_are_almost_as_short_as_the_smallest() {
    let mut state = 0x9e37_79b9_u32;
    // of fewer letters, six earlier places are too few: streams of two are 42 % longer
    for letters in [4_u8, 8, 16] {
        let next = |_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            b'a' + state.to_be_bytes()[0] % letters
        };
        let data: Vec<u8> = (0..60_000).map(next).collect();
        let (fast, smallest) = (encode(&data, &FAST).len(), encode(&data, &SMALLEST).len());
        assert!(fast * 100 <= smallest * 102, "{letters} letters: {fast} and {smallest}");
    }
}

#[test]
fn positions_past_sixteen_bits_encode() {
    let mut state = 1_u32;
    let data: Vec<u8> = (0..200_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            u8::try_from(state >> 29).unwrap()
        })
        .collect();
    for options in [FAST, FAST_OVERLAP] {
        let stream = encode(&data, &options);
        assert_eq!(decode(&stream, data.len()).unwrap(), data);
        assert!(options.allow_overlap || !overlaps(&stream));
    }
}

#[testneeds::data("paks/daikatana/openarena.pak")]
#[test]
fn no_stream_of_another_encoder_is_shorter() {
    let path = testutils::data("paks/daikatana/openarena.pak");
    let archive = Archive::parse(std::fs::read(path).unwrap()).unwrap();
    // without optimisation all of them take minutes
    let largest = if cfg!(debug_assertions) { 16 << 10 } else { u32::MAX };
    let entries: Vec<_> =
        archive.entries().filter(|entry| entry.is_compressed() && entry.size() <= largest).collect();
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let sizes = std::thread::scope(|scope| {
        let check = |first| {
            let mut sizes = (0, 0);
            for entry in entries.iter().skip(first).step_by(threads) {
                let (without, with) = check(&archive.read(entry).unwrap());
                assert!(without <= entry.stored_size() as usize, "{entry:?}");
                sizes = (sizes.0 + without, sizes.1 + with);
            }
            sizes
        };
        let running: Vec<_> = (0..threads).map(|first| scope.spawn(move || check(first))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    });
    assert!(cfg!(debug_assertions) || sizes == (9_097_607, 8_898_666), "{sizes:?}");
}
