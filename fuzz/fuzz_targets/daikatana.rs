//! The decoder gives what its table says, value or error. `cargo +nightly fuzz run daikatana`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/pak-format/tests/it/reference.rs"]
mod reference;

fuzz_target!(|input: (u16, &[u8])| {
    let (size, stream) = (usize::from(input.0), input.1);
    assert_eq!(pak_format::daikatana::decode(stream, size), reference::decode(stream, size));
});
