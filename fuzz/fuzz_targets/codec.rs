//! Daikatana's codec: the decoder agrees with the table of the codec, every encoding decodes to its data, and
//! no stream for an output is shorter than `Level::Smallest`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pak_format::daikatana::{EncodeOptions, decode, decode_into, encode};

#[path = "../../crates/pak-format/tests/it/reference.rs"]
mod reference;

/// Guard bytes around the decoder's buffers, which it neither reads nor writes.
const GUARD: usize = 400;

fuzz_target!(|input: (u16, &[u8])| {
    let (size, stream) = (usize::from(input.0), input.1);
    let expected = reference::decode(stream, size);
    assert_eq!(decode(stream, size), expected);
    for guard in [0, 63, 255] {
        assert_eq!(decode_between(stream, size, guard), expected);
    }
    encodings(stream);
    if let Ok(content) = expected {
        // the stream may have no end byte
        assert!(encodings(&content) <= stream.len() + 1);
    }
});

/// Decodes a stream between guard bytes into a buffer between guard bytes.
fn decode_between(
    stream: &[u8],
    size: usize,
    guard: u8,
) -> Result<Vec<u8>, pak_format::daikatana::DecodeError> {
    let around = [guard; GUARD];
    let input = [&around, stream, &around].concat();
    let mut output = vec![guard; size + 2 * GUARD];
    let decoded = decode_into(&input[GUARD..GUARD + stream.len()], &mut output[GUARD..GUARD + size]);
    assert!(output[..GUARD].iter().chain(&output[GUARD + size..]).all(|byte| *byte == guard));
    decoded.map(|()| output[GUARD..GUARD + size].to_vec())
}

/// Encodes in every way and decodes again; returns the length of the shortest stream.
fn encodings(data: &[u8]) -> usize {
    let mut shortest = usize::MAX;
    for allow_overlap in [false, true] {
        let [fast, smallest] = [false, true].map(|smallest| {
            let stream = encode(data, &EncodeOptions::new().smallest(smallest).allow_overlap(allow_overlap));
            assert_eq!(decode(&stream, data.len()).as_deref(), Ok(data));
            assert_eq!(reference::decode(&stream, data.len()).as_deref(), Ok(data));
            assert!(stream.len() <= data.len() + data.len().div_ceil(64) + 1);
            stream.len()
        });
        assert!(smallest <= fast && smallest <= shortest);
        shortest = smallest;
    }
    shortest
}
