use alloc::vec::Vec;

use super::decode::{DecodeError, DecodeFault, FARTHEST, exact_token, run_steps};

/// Bytes of output at once.
const PIECE: usize = 1 << 16;

/// Decodes a stream one piece at a time, with at most 64 KiB of memory.
///
/// ```
/// use pak_format::daikatana::Decoder;
/// // "ab", then 4 bytes from 2 back, then the end
/// let stream = [1, b'a', b'b', 194, 0, 255];
/// let mut decoder = Decoder::new(6);
/// assert_eq!(decoder.piece(&stream)?, b"ababab");
/// assert_eq!(decoder.piece(&stream)?, b"");
/// # Ok::<(), pak_format::daikatana::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder {
    size: usize,
    /// Bytes of the stream that are decoded already.
    input: usize,
    /// Bytes of output before the window.
    before: usize,
    /// The bytes that a copy can reach, then the piece.
    window: Vec<u8>,
    /// The end of the output in the window.
    end: usize,
    /// The result at the end of the stream.
    ended: Option<Result<(), DecodeError>>,
}

impl Decoder {
    /// A decoder of a stream with `size` bytes of output.
    #[must_use]
    pub const fn new(size: usize) -> Self {
        Decoder { size, input: 0, before: 0, window: Vec::new(), end: 0, ended: None }
    }

    /// The next piece of the output; empty at the end. `stream` is the whole stream, the same at each call.
    ///
    /// # Errors
    /// The errors of [`decode_into`](super::decode_into), with the same places. After an error, each call
    /// returns it again.
    pub fn piece(&mut self, stream: &[u8]) -> Result<&[u8], DecodeError> {
        if let Some(ended) = self.ended {
            return ended.map(|()| &[][..]);
        }
        let reach = self.end.min(FARTHEST);
        let start = self.end - reach;
        self.window.copy_within(start..self.end, 0);
        self.before += start;
        self.end = reach;
        let all = self.size - self.before;
        self.window.resize(all.min(FARTHEST + PIECE), 0);
        let is_last = self.window.len() == all;
        let filled = self.fill(stream, is_last);
        self.ended = (is_last || filled.is_err()).then_some(filled);
        filled?;
        Ok(self.window.get(reach..self.end).unwrap_or_default())
    }

    /// Decodes tokens until the window is full, or for the last piece until the stream ends.
    fn fill(&mut self, stream: &[u8], is_last: bool) -> Result<(), DecodeError> {
        let mut place = (self.input, self.end);
        loop {
            place = run_steps(stream, &mut self.window, place);
            (self.input, self.end) = place;
            if !is_last && self.end == self.window.len() {
                return Ok(());
            }
            match exact_token(stream, &mut self.window, place) {
                Ok(Some(next)) => place = next,
                Ok(None) => return Ok(()),
                // the token belongs to the next piece
                Err(error) if error.fault == DecodeFault::Overflow && !is_last => return Ok(()),
                Err(error) => return Err(DecodeError { output: self.before + error.output, ..error }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EncodeOptions, decode, encode};
    use super::*;

    fn in_pieces(stream: &[u8], size: usize) -> Result<Vec<u8>, DecodeError> {
        let (mut decoder, mut out) = (Decoder::new(size), Vec::new());
        loop {
            match decoder.piece(stream)? {
                [] => return Ok(out),
                piece => out.extend_from_slice(piece),
            }
        }
    }

    /// Runs of every length, so that tokens and copies cross every boundary between pieces.
    #[test]
    fn the_pieces_of_a_stream_are_its_output() {
        for period in [1, 2, 3, 17, 64, 257] {
            let content: Vec<u8> =
                (0..3 * PIECE + 100).map(|at| u8::try_from(at % period % 251).unwrap()).collect();
            let stream = encode(&content, &EncodeOptions::new());
            assert!(in_pieces(&stream, content.len()) == Ok(content.clone()), "{period}");
            for size in [0, PIECE, PIECE + FARTHEST, 2 * PIECE + 1, content.len() - 1, content.len() + 1] {
                assert!(in_pieces(&stream, size) == decode(&stream, size), "{period} {size}");
            }
            for cut in [0, 1, stream.len() / 2, stream.len() - 1] {
                let cut = &stream[..cut];
                assert!(in_pieces(cut, content.len()) == decode(cut, content.len()), "{period}");
            }
            for at in [stream.len() / 3, stream.len() / 2, stream.len() - 1] {
                for control in [254, 255, 253] {
                    let mut damaged = stream.clone();
                    damaged[at] = control;
                    assert!(
                        in_pieces(&damaged, content.len()) == decode(&damaged, content.len()),
                        "{period}"
                    );
                }
            }
        }
    }
}
