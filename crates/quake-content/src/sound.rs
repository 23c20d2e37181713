//! `.wav` and `.ogg`: the length and format of a sound.
//!
//! Sources: Unofficial Quake Specs 3.4 (WAV), RFC 3533, RFC 7845 and the Vorbis I specification (Ogg).

use std::ops::Range;

use crate::Error;
use crate::fields::Fields;

/// A sound.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sound {
    /// The format.
    pub format: SoundFormat,
    /// The length in seconds.
    pub seconds: f64,
    /// 1 for mono, 2 for stereo.
    pub channels: u16,
    /// Samples per second.
    pub rate: u32,
    /// Bits per sample; `None` if it is compressed.
    pub bits: Option<u16>,
    /// Whether it has a loop mark, as ambient sounds do.
    pub loops: bool,
    /// The range of the samples in the file; empty for an Ogg.
    pub samples: Range<usize>,
}

/// The format of a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SoundFormat {
    /// WAV with uncompressed samples.
    Wav,
    /// WAV with compressed samples.
    CompressedWav,
    /// Ogg Vorbis.
    Vorbis,
    /// Ogg Opus.
    Opus,
}

impl SoundFormat {
    /// The usual name of the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SoundFormat::Wav => "WAV",
            SoundFormat::CompressedWav => "WAV, compressed",
            SoundFormat::Vorbis => "Ogg Vorbis",
            SoundFormat::Opus => "Ogg Opus",
        }
    }
}

/// Uncompressed samples.
const PCM: u16 = 1;

impl Sound {
    /// Reads a WAV.
    ///
    /// # Errors
    /// The bytes are not a WAV, or the format or samples are missing.
    pub fn wav(bytes: &[u8]) -> Result<Sound, Error> {
        if bytes.get(..4) != Some(b"RIFF") || bytes.get(8..12) != Some(b"WAVE") {
            return Err(Error::format("a sound (RIFF and WAVE)", bytes));
        }
        let (mut format, mut data, mut loops) = (None, None, false);
        let mut rest = bytes.get(12..).unwrap_or_default();
        while let (Some(kind), Ok(size)) = (rest.first_chunk::<4>(), Fields(rest).size("a chunk", 4)) {
            let body = rest.get(8..).unwrap_or_default();
            // the last chunk of many sounds claims more bytes than exist
            let chunk = body.get(..size).unwrap_or(body);
            match kind {
                b"fmt " => format = Some(Fields(chunk)),
                b"data" => {
                    let start = bytes.len() - body.len();
                    data = data.or(Some(start..start + chunk.len()));
                }
                b"cue " => loops = true,
                _ => {}
            }
            rest = size.checked_next_multiple_of(2).and_then(|size| body.get(size..)).unwrap_or_default();
        }
        let missing = |what| Error::cut_off(what, bytes.len() + 1, bytes.len());
        let format = format.ok_or_else(|| missing("the format"))?;
        let data = data.ok_or_else(|| missing("the samples"))?;
        let is_plain = format.u16("the format", 0)? == PCM;
        let (channels, rate) = (format.u16("the channels", 2)?, format.u32("the rate", 4)?);
        let a_second = format.u32("the bytes a second", 8)?;
        let bits = format.u16("the bits", 14)?;
        let by_rate = u64::from(rate) * u64::from(channels) * u64::from(bits) / 8;
        let a_second = if is_plain && by_rate > 0 { by_rate } else { u64::from(a_second) };
        Ok(Sound {
            format: if is_plain { SoundFormat::Wav } else { SoundFormat::CompressedWav },
            seconds: quotient(data.len() as u64, a_second),
            channels,
            rate,
            bits: is_plain.then_some(bits),
            loops,
            samples: data,
        })
    }

    /// Reads an Ogg with Vorbis or Opus.
    ///
    /// # Errors
    /// The bytes are not an Ogg, or the first page is truncated.
    pub fn ogg(bytes: &[u8]) -> Result<Sound, Error> {
        if bytes.get(..4) != Some(b"OggS") {
            return Err(Error::format("a sound (OggS)", bytes));
        }
        let fields = Fields(bytes);
        let lacing = fields.bytes("the first page", 26, 1)?.first().copied().unwrap_or_default();
        let packet = fields.from("the first packet", 27 + usize::from(lacing))?;
        let (format, channels, rate, clock, skipped) = if packet.0.starts_with(b"\x01vorbis") {
            let rate = packet.u32("the rate", 12)?;
            (SoundFormat::Vorbis, packet.bytes("the channels", 11, 1)?, rate, rate, 0)
        } else if packet.0.starts_with(b"OpusHead") {
            /// The fixed clock of Opus (RFC 7845, section 4).
            const CLOCK: u32 = 48_000;
            let skipped = packet.u16("the samples to skip", 10)?;
            (
                SoundFormat::Opus,
                packet.bytes("the channels", 9, 1)?,
                packet.u32("the rate", 12)?,
                CLOCK,
                skipped,
            )
        } else {
            return Err(Error::format("Vorbis or Opus", packet.0));
        };
        let samples = last_position(bytes).unwrap_or_default().saturating_sub(u64::from(skipped));
        Ok(Sound {
            format,
            seconds: quotient(samples, u64::from(clock)),
            channels: channels.first().copied().unwrap_or_default().into(),
            rate,
            bits: None,
            loops: false,
            samples: 0..0,
        })
    }
}

/// The position at the end of the last page, in samples.
fn last_position(bytes: &[u8]) -> Option<u64> {
    /// The largest page in bytes (RFC 3533, section 6).
    const PAGE: usize = 65_307;
    let tail = bytes.get(bytes.len().saturating_sub(PAGE)..).unwrap_or(bytes);
    let page = tail.windows(4).rposition(|window| window == b"OggS")?;
    let position = tail.get(page + 6..)?.first_chunk().copied().map(u64::from_le_bytes)?;
    (position != u64::MAX).then_some(position)
}

#[expect(clippy::cast_precision_loss, reason = "no file has samples for which a second would be lost")]
fn quotient(number: u64, by: u64) -> f64 {
    if by == 0 { 0.0 } else { number as f64 / by as f64 }
}
