//! The Daikatana codec: runs, and copies from the last 257 bytes.
//!
//! A stream is a sequence of control bytes, each followed by its operands:
//!
//! | control byte x | meaning | bytes of output |
//! |---|---|---|
//! | 0..=63 | literal: the bytes that follow | x + 1 |
//! | 64..=127 | zeros | x − 62 |
//! | 128..=191 | the byte that follows, repeated | x − 126 |
//! | 192..=253 | copy from (the byte that follows + 2) bytes back in the output | x − 190 |
//! | 254 | not assigned | |
//! | 255 | end | |
//!
//! A copy may be longer than its distance. It then repeats bytes that it has just written, as in the game's
//! decoder. The end byte may be missing if the output is exactly full. Bytes after it are ignored.

mod decode;
mod encode;
mod pieces;

pub use decode::{DecodeError, DecodeFault, MAX_EXPANSION, decode, decode_into};
pub use encode::{EncodeOptions, encode};
pub use pieces::Decoder;
