use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The most bytes that one byte of input decodes to: a control byte of 127 becomes 65 zeros.
pub const MAX_EXPANSION: u64 = 65;

/// Bytes moved at once, and the longest token (65 bytes) rounded up to whole steps.
const STEP: usize = 16;
const ROOM: usize = 5 * STEP;
/// The longest distance of a copy, and that distance plus the room for a token.
pub(super) const FARTHEST: usize = 257;
const WINDOW: usize = FARTHEST + ROOM;

/// A damaged stream, and the place of the damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong.
    pub fault: DecodeFault,
    /// The offset of the control byte in the stream, or the length of the stream if the byte is missing.
    pub input: usize,
    /// Bytes of output before the damaged token.
    pub output: usize,
}

/// The kind of damage in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeFault {
    /// The stream ends before the output is full: inside a token, or without an end byte.
    Truncated,
    /// The end byte comes before the output is full.
    EndsEarly,
    /// A token exceeds the requested output.
    Overflow,
    /// A copy starts before the start of the output.
    BeforeStart,
    /// The control byte is 254.
    Unassigned,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.fault {
            DecodeFault::Truncated => "the stream is cut short",
            DecodeFault::EndsEarly => "the stream ends before the output is full",
            DecodeFault::Overflow => "the stream gives more output than the row claims",
            DecodeFault::BeforeStart => "a copy starts before the first byte of output",
            DecodeFault::Unassigned => "the control byte 254 is not assigned",
        };
        write!(f, "{what}, at byte {} of the stream, after {} bytes of output", self.input, self.output)
    }
}

impl core::error::Error for DecodeError {}

/// Decodes a stream into a buffer of exactly the decoded length.
///
/// After an error the content of the buffer is unspecified.
///
/// # Errors
/// A [`DecodeFault`] with its place if the stream does not decode to exactly this many bytes.
pub fn decode_into(stream: &[u8], out: &mut [u8]) -> Result<(), DecodeError> {
    let mut place = (0, 0);
    loop {
        place = run_steps(stream, out, place);
        let Some(next) = exact_token(stream, out, place)? else { return Ok(()) };
        place = next;
    }
}

/// Decodes a stream into new memory of `size` bytes.
///
/// If the size comes from an untrusted row, compare it first with the length of the stream times
/// [`MAX_EXPANSION`]. [`Archive::read`](crate::Archive::read) does that.
///
/// # Errors
/// Those of [`decode_into`].
pub fn decode(stream: &[u8], size: usize) -> Result<Vec<u8>, DecodeError> {
    let mut out = vec![0; size];
    decode_into(stream, &mut out)?;
    Ok(out)
}

/// Offsets in the stream and in the output.
type Place = (usize, usize);

/// Decodes tokens as long as both buffers have room for the longest one and a copy cannot reach before the
/// start. `exact_token` does the rest.
///
/// It is fast because of the fixed-size arrays: one bounds check per token and buffer, and moves of constant
/// length. A move may write past its token; the next token overwrites the excess.
pub(super) fn run_steps(stream: &[u8], out: &mut [u8], place: Place) -> Place {
    let Some(mut base) = place.1.checked_sub(FARTHEST) else { return place };
    let mut rest = stream.get(place.0..).unwrap_or_default();
    while let Some([control, operands @ ..]) = rest.first_chunk::<{ 1 + ROOM }>()
        && let Some(window) = out.get_mut(base..).and_then(|out| out.first_chunk_mut::<WINDOW>())
    {
        let count = usize::from(*control);
        let [operand, ..] = *operands;
        let (used, length) = match control {
            0..=63 => {
                put(window, operands, count + 1);
                (count + 2, count + 1)
            }
            64..=127 => {
                put(window, &[0; ROOM], count - 62);
                (1, count - 62)
            }
            128..=191 => {
                put(window, &[operand; ROOM], count - 126);
                (2, count - 126)
            }
            192..=253 => {
                let length = count - 190;
                let start = FARTHEST - 2 - usize::from(operand);
                if start + STEP > FARTHEST && start + length > FARTHEST {
                    break;
                }
                window.copy_within(start..start + STEP, FARTHEST);
                if length > STEP {
                    for done in [STEP, 2 * STEP, 3 * STEP] {
                        window.copy_within(start + done..start + done + STEP, FARTHEST + done);
                    }
                }
                (2, length)
            }
            254 | 255 => break,
        };
        rest = rest.get(used..).unwrap_or_default();
        base += length;
    }
    (stream.len() - rest.len(), base + FARTHEST)
}

/// Writes at least `length` of the bytes, after the part of the window that copies can reach. Nine tokens in
/// ten fit into one step.
#[inline]
fn put(window: &mut [u8; WINDOW], bytes: &[u8; ROOM], length: usize) {
    let (_, room) = window.split_at_mut(FARTHEST);
    let (first, others) = room.split_at_mut(STEP);
    let (first_bytes, other_bytes) = bytes.split_at(STEP);
    first.copy_from_slice(first_bytes);
    if length > STEP {
        others.copy_from_slice(other_bytes);
    }
}

/// Decodes one token, and returns the place of the next one; `None` if the output is complete.
pub(super) fn exact_token(
    stream: &[u8],
    out: &mut [u8],
    (input, output): Place,
) -> Result<Option<Place>, DecodeError> {
    let error = |fault| DecodeError { fault, input, output };
    let truncated = || error(DecodeFault::Truncated);
    let Some((&control, operands)) = stream.get(input..).and_then(<[u8]>::split_first) else {
        return if output == out.len() { Ok(None) } else { Err(truncated()) };
    };
    let count = usize::from(control);
    let length = match control {
        0..=63 => count + 1,
        64..=127 => count - 62,
        128..=191 => count - 126,
        192..=253 => count - 190,
        254 => return Err(error(DecodeFault::Unassigned)),
        255 if output == out.len() => return Ok(None),
        255 => return Err(error(DecodeFault::EndsEarly)),
    };
    let room = out.get_mut(output..output + length).ok_or_else(|| error(DecodeFault::Overflow))?;
    let operand = || operands.first().copied().ok_or_else(truncated);
    let used = match control {
        0..=63 => {
            room.copy_from_slice(operands.get(..length).ok_or_else(truncated)?);
            1 + length
        }
        64..=127 => {
            room.fill(0);
            1
        }
        128..=191 => {
            room.fill(operand()?);
            2
        }
        _ => {
            let distance = usize::from(operand()?) + 2;
            let start = output.checked_sub(distance).ok_or_else(|| error(DecodeFault::BeforeStart))?;
            repeat(out, start, output, length);
            2
        }
    };
    Ok(Some((input + used, output + length)))
}

/// An overlapping LZ77 copy that doubles its source each round.
fn repeat(out: &mut [u8], start: usize, mut to: usize, mut length: usize) {
    while length > 0 {
        let round = length.min(to - start);
        out.copy_within(start..start + round, to);
        to += round;
        length -= round;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stream: &[u8], expected: Result<&[u8], (DecodeFault, usize, usize)>, size: usize) {
        let expected = expected.map(<[u8]>::to_vec).map_err(|(fault, input, output)| DecodeError {
            fault,
            input,
            output,
        });
        assert_eq!(decode(stream, size), expected, "{stream:?}");
    }

    #[test]
    fn each_token_decodes_according_to_the_table() {
        check(&[2, 1, 2, 3, 255], Ok(&[1, 2, 3]), 3);
        check(&[64, 255], Ok(&[0, 0]), 2);
        check(&[127, 255], Ok(&[0; 65]), 65);
        check(&[128, 9, 255], Ok(&[9, 9]), 2);
        check(&[191, 9, 255], Ok(&[9; 65]), 65);
        check(&[1, 7, 8, 192, 0, 255], Ok(&[7, 8, 7, 8]), 4);
        check(&[1, 7, 8, 195, 0, 255], Ok(&[7, 8, 7, 8, 7, 8, 7]), 7);
    }

    #[test]
    fn the_end_byte_may_be_missing_or_followed() {
        check(&[64], Ok(&[0, 0]), 2);
        check(&[64, 255, 1, 2, 3], Ok(&[0, 0]), 2);
        check(&[], Ok(&[]), 0);
        check(&[255], Ok(&[]), 0);
    }

    #[test]
    fn each_fault_is_named_with_its_place() {
        check(&[], Err((DecodeFault::Truncated, 0, 0)), 1);
        check(&[3, 1, 2], Err((DecodeFault::Truncated, 0, 0)), 4);
        check(&[64, 128], Err((DecodeFault::Truncated, 1, 2)), 4);
        check(&[64, 255], Err((DecodeFault::EndsEarly, 1, 2)), 4);
        check(&[65], Err((DecodeFault::Overflow, 0, 0)), 2);
        check(&[64, 64], Err((DecodeFault::Overflow, 1, 2)), 2);
        check(&[64, 192, 1], Err((DecodeFault::BeforeStart, 1, 2)), 4);
        check(&[64, 254], Err((DecodeFault::Unassigned, 1, 2)), 4);
        check(&[64, 254], Err((DecodeFault::Unassigned, 1, 2)), 2);
    }

    fn exactly(stream: &[u8], out: &mut [u8]) -> Result<(), DecodeError> {
        let mut place = (0, 0);
        while let Some(next) = exact_token(stream, out, place)? {
            place = next;
        }
        Ok(())
    }

    /// The result is the same wherever the fast path stops.
    #[test]
    fn steps_and_exact_tokens_agree() {
        let mut state = 0x1234_5678_u32;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        for _ in 0..300 {
            let mut stream = Vec::new();
            let mut size = 0usize;
            while size < 2000 {
                let control = u8::try_from(next() % 254).unwrap();
                let distance = u8::try_from(next() % 256).unwrap();
                stream.push(control);
                size += match control {
                    0..=63 => {
                        stream.extend((0..=control).map(|_| u8::try_from(next() % 7).unwrap()));
                        usize::from(control) + 1
                    }
                    64..=127 => usize::from(control) - 62,
                    128..=191 => {
                        stream.push(distance);
                        usize::from(control) - 126
                    }
                    _ => {
                        stream.push(u8::try_from(usize::from(distance).min(size.saturating_sub(2))).unwrap());
                        usize::from(control) - 190
                    }
                };
            }
            for cut in [0, 1, 40] {
                let mut fast = vec![0; size + 2 - cut];
                let mut slow = fast.clone();
                let (fast_is, slow_is) = (decode_into(&stream, &mut fast), exactly(&stream, &mut slow));
                assert_eq!(fast_is, slow_is);
                if fast_is.is_ok() {
                    assert_eq!(fast, slow);
                }
            }
        }
    }
}
