//! The Daikatana codec straight from its table, a byte at a time: what the real decoder has to agree with.

use pak_format::daikatana::{DecodeError, DecodeFault};

/// Decodes according to the table.
pub(crate) fn decode(stream: &[u8], size: usize) -> Result<Vec<u8>, DecodeError> {
    let mut out = Vec::new();
    let mut input = 0;
    loop {
        let full = out.len() == size;
        let fault = |fault| Err(DecodeError { fault, input, output: out.len() });
        let Some(&control) = stream.get(input) else {
            return if full { Ok(out) } else { fault(DecodeFault::Truncated) };
        };
        let count = match control {
            0..=63 => control + 1,
            64..=127 => control - 62,
            128..=191 => control - 126,
            192..=253 => control - 190,
            254 => return fault(DecodeFault::Unassigned),
            255 if full => return Ok(out),
            255 => return fault(DecodeFault::EndsEarly),
        };
        if out.len() + usize::from(count) > size {
            return fault(DecodeFault::Overflow);
        }
        let operands = match control {
            0..=63 => usize::from(count),
            64..=127 => 0,
            _ => 1,
        };
        let Some(operands) = stream.get(input + 1..input + 1 + operands) else {
            return fault(DecodeFault::Truncated);
        };
        if control >= 192 && out.len() < usize::from(operands[0]) + 2 {
            return fault(DecodeFault::BeforeStart);
        }
        for at in 0..usize::from(count) {
            out.push(match control {
                0..=63 => operands[at],
                64..=127 => 0,
                128..=191 => operands[0],
                _ => out[out.len() - usize::from(operands[0]) - 2],
            });
        }
        input += 1 + operands.len();
    }
}
