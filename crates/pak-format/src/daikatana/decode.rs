use std::fmt;

/// The most bytes of output that one byte of input can give.
pub const MAX_EXPANSION: u64 = 65;

/// The longest output of one control byte, and the slack that lets it be written in whole steps.
const LONGEST: usize = 65;
const STEP: usize = 16;
const SLACK: usize = LONGEST.next_multiple_of(STEP);

/// A stream that is not what the codec writes, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong.
    pub fault: DecodeFault,
    /// The offset of the control byte in the stream, or the length of the stream where one is missing.
    pub input: usize,
    /// Bytes of output that came before it.
    pub output: usize,
}

/// What is wrong with a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeFault {
    /// The stream ends before the output is full: inside a token, or without an end byte.
    Truncated,
    /// The end byte comes before the output is full.
    EndsEarly,
    /// A token gives more output than is asked for.
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

impl std::error::Error for DecodeError {}

/// Decodes a stream into a buffer of exactly the decoded length.
///
/// When it fails, what the buffer holds is unspecified.
///
/// ```
/// use pak_format::daikatana::decode_into;
/// // "ab", then 4 bytes from 2 back, then the end
/// let mut out = [0; 6];
/// decode_into(&[1, b'a', b'b', 194, 0, 255], &mut out)?;
/// assert_eq!(&out, b"ababab");
/// # Ok::<(), pak_format::daikatana::DecodeError>(())
/// ```
pub fn decode_into(stream: &[u8], out: &mut [u8]) -> Result<(), DecodeError> {
    let (mut input, mut output) = (0, 0);
    run_steps(stream, out, &mut input, &mut output);
    run_exact(stream, out, input, output)
}

/// Decodes a stream into new memory of `size` bytes.
///
/// Callers with sizes from untrusted rows check them first: [`MAX_EXPANSION`] times the length of the stream is
/// the most that it can give. [`Archive::read`](crate::Archive::read) does.
pub fn decode(stream: &[u8], size: usize) -> Result<Vec<u8>, DecodeError> {
    let mut out = vec![0; size];
    decode_into(stream, &mut out)?;
    Ok(out)
}

/// Decodes in 16-byte steps while both sides have room for the longest token, leaving anything unusual, and the
/// tail, to `run_exact`. Steps may write past a token: the next one writes over it.
fn run_steps(stream: &[u8], out: &mut [u8], input: &mut usize, output: &mut usize) {
    let mut from = *input;
    let mut to = *output;
    while let (Some(token), Some(room)) = (stream.get(from..from + SLACK + 1), out.get_mut(to..to + SLACK)) {
        let [control, operand, ..] = *token else { break };
        let length;
        match control {
            0..=63 => {
                length = usize::from(control) + 1;
                copy_steps(token.get(1..).unwrap_or_default(), room, length);
                from += 1 + length;
            }
            64..=127 => {
                length = usize::from(control) - 62;
                fill_steps(room, 0, length);
                from += 1;
            }
            128..=191 => {
                length = usize::from(control) - 126;
                fill_steps(room, operand, length);
                from += 2;
            }
            192..=253 => {
                length = usize::from(control) - 190;
                let distance = usize::from(operand) + 2;
                let Some(start) = to.checked_sub(distance) else { break };
                if distance >= STEP {
                    let mut done = 0;
                    while done < length {
                        let source = start + done;
                        out.copy_within(source..source + STEP, to + done);
                        done += STEP;
                    }
                } else {
                    repeat(out, start, to, length);
                }
                from += 2;
            }
            254 | 255 => break,
        }
        to += length;
    }
    (*input, *output) = (from, to);
}

#[inline]
fn copy_steps(from: &[u8], to: &mut [u8], length: usize) {
    let mut from = from.chunks_exact(STEP);
    let mut to = to.chunks_exact_mut(STEP);
    let mut done = 0;
    while done < length {
        let (Some(from), Some(to)) = (from.next(), to.next()) else { break };
        to.copy_from_slice(from);
        done += STEP;
    }
}

#[inline]
fn fill_steps(to: &mut [u8], byte: u8, length: usize) {
    let mut done = 0;
    for step in to.chunks_exact_mut(STEP) {
        if done >= length {
            break;
        }
        step.fill(byte);
        done += STEP;
    }
}

/// A copy that may read what it writes: forward, byte by byte.
#[inline]
fn repeat(out: &mut [u8], start: usize, to: usize, length: usize) {
    let Some(window) = out.get_mut(start..to + length) else { return };
    let distance = to - start;
    for at in distance..window.len() {
        if let Some(&byte) = window.get(at - distance)
            && let Some(place) = window.get_mut(at)
        {
            *place = byte;
        }
    }
}

fn run_exact(stream: &[u8], out: &mut [u8], mut input: usize, mut output: usize) -> Result<(), DecodeError> {
    loop {
        let error = |fault| DecodeError { fault, input, output };
        let Some(&control) = stream.get(input) else {
            return if output == out.len() { Ok(()) } else { Err(error(DecodeFault::Truncated)) };
        };
        let control_size = usize::from(control);
        let length = match control {
            0..=63 => control_size + 1,
            64..=127 => control_size - 62,
            128..=191 => control_size - 126,
            192..=253 => control_size - 190,
            254 => return Err(error(DecodeFault::Unassigned)),
            255 if output == out.len() => return Ok(()),
            255 => return Err(error(DecodeFault::EndsEarly)),
        };
        let truncated = || error(DecodeFault::Truncated);
        let room = out.get_mut(output..output + length).ok_or_else(|| error(DecodeFault::Overflow))?;
        let operand = || stream.get(input + 1).copied().ok_or_else(truncated);
        match control {
            0..=63 => {
                let literal = stream.get(input + 1..input + 1 + length).ok_or_else(truncated)?;
                room.copy_from_slice(literal);
                input += 1 + length;
            }
            64..=127 => {
                room.fill(0);
                input += 1;
            }
            128..=191 => {
                room.fill(operand()?);
                input += 2;
            }
            _ => {
                let distance = usize::from(operand()?) + 2;
                let start = output.checked_sub(distance).ok_or_else(|| error(DecodeFault::BeforeStart))?;
                repeat(out, start, output, length);
                input += 2;
            }
        }
        output += length;
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
    fn each_token_gives_what_the_table_says() {
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

    /// The two loops agree wherever the first one stops.
    #[test]
    fn steps_and_the_exact_loop_agree() {
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
                let (fast_is, slow_is) =
                    (decode_into(&stream, &mut fast), run_exact(&stream, &mut slow, 0, 0));
                assert_eq!(fast_is, slow_is);
                if fast_is.is_ok() {
                    assert_eq!(fast, slow);
                }
            }
        }
    }
}
