//! How long sounds are.

use quakefs_preview::{Preview, Sound, SoundFormat};
use testutils::content;

use crate::look;

fn sound(name: &str, bytes: &[u8]) -> Sound {
    match look(name, bytes) {
        Ok(Preview::Sound(sound)) => sound,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wav_says_its_length_rate_and_whether_it_loops() {
    let mut wav = content::wav(11_025, 22_050);
    let found = sound("sound/a.wav", &wav);
    assert_eq!(
        (found.format, found.channels, found.rate, found.bits),
        (SoundFormat::Wav, 1, 11_025, Some(8))
    );
    assert!((found.seconds - 2.0).abs() < 1e-9 && !found.loops);
    wav.extend(b"cue \x04\0\0\0\x01\0\0\0");
    assert!(sound("sound/a.wav", &wav).loops);
}

#[test]
fn a_truncated_wav_is_as_long_as_its_samples() {
    let wav = content::wav(8_000, 8_000);
    let found = sound("a.wav", &wav[..wav.len() - 4_000]);
    assert!((found.seconds - 0.5).abs() < 1e-9);
}

#[test]
fn an_ogg_says_its_length() {
    let found = sound("music/track02.ogg", &content::ogg(44_100, 44_100 * 90));
    assert_eq!((found.format, found.rate, found.channels), (SoundFormat::Vorbis, 44_100, 2));
    assert!((found.seconds - 90.0).abs() < 1e-9);
}
