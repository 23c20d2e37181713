//! Previews of whole, odd and damaged files.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a suite: what panics fails a test"
)]

mod damaged;
mod facts;
mod levels;
mod models;
mod pictures;
mod sounds;

use quakefs_preview::{Budget, Error, Kind, Options, Palette, Pictures, Preview, preview};
use testutils::content;

fn limited<'p>(palette: &'p Palette, budget: &'p Budget) -> Options<'p> {
    let mut options = Options::new(palette);
    options.budget = Some(budget);
    options
}

/// The preview of a file of this name under the palette of [`content::palette`].
fn look(name: &str, bytes: &[u8]) -> Result<Preview, Error> {
    let palette = Palette::from_lump(&content::palette()).unwrap();
    preview(Kind::of(name.as_bytes()).unwrap(), bytes, &Options::new(&palette))
}

fn pictures(name: &str, bytes: &[u8]) -> Pictures {
    match look(name, bytes) {
        Ok(Preview::Pictures(pictures)) => pictures,
        Ok(Preview::Model(model)) => model.skins,
        other => panic!("{other:?}"),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with a pixel that may be outside")]
/// What index `number` looks like in the palette of the suites.
fn colour(number: u8) -> Option<[u8; 4]> {
    Some([number, number.wrapping_mul(2), 255 - number, 255])
}
