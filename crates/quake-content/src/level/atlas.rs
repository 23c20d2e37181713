//! The light of all faces of a level in one picture, as programs for graphics take it.

use std::collections::HashMap;

use super::{Level, LevelFormat, LevelShape, Light};
use crate::fields::pixels;
use crate::{Error, ErrorKind};

/// The first style of the light of all faces in one picture.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LightAtlas {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Red, green and blue of each pixel, row by row from the top. A texture has its own colours under 128.
    pub pixels: Vec<u8>,
    /// The position in the picture of each corner of [`LevelShape::corners`], from 0 to 1 to the right and
    /// down. Faces without light have 128 there.
    pub points: Vec<[f32; 2]>,
}

/// The side of the square at the top left for faces without light, and its brightness: engines show a texture
/// in its own colours under this light.
const UNLIT: u32 = 2;
const PLAIN: u8 = 128;

impl LevelShape<'_> {
    /// The light of all faces in one picture.
    ///
    /// # Errors
    /// Faces share so much light that the picture would be much larger than the light in the file.
    pub fn light_atlas(&self, level: &Level<'_>) -> Result<LightAtlas, Error> {
        let (samples, size) = (level.light().unwrap_or_default(), level.light_sample());
        let key = |light: &Light| (light.start, light.width, light.height);
        let is_quake3 = matches!(level.format(), LevelFormat::Bsp46 | LevelFormat::Rbsp | LevelFormat::Fbsp);
        let mut lit: Vec<&Light> = self.lights.iter().filter(|light| light.styles > 0).collect();
        // rows of one height waste little
        lit.sort_unstable_by_key(|light| (std::cmp::Reverse(light.height), light.width, light.start));
        lit.dedup_by_key(|light| key(light));
        let count = lit.iter().fold(0_usize, |sum, light| {
            sum.saturating_add((light.width as usize).saturating_mul(light.height as usize))
        });
        let most = samples.len() as u64;
        if count.saturating_mul(size) > samples.len() {
            return Err(
                ErrorKind::Number { what: "the light of all faces", found: count as u64, most }.into()
            );
        }
        let widest = lit.iter().map(|light| light.width).max().unwrap_or_default();
        let root = u32::try_from(count.isqrt()).unwrap_or(u32::MAX);
        let width = root.next_power_of_two().max(widest + UNLIT);
        let (mut places, mut across, mut down) = (HashMap::new(), UNLIT, 0);
        let mut row = lit.first().map_or(UNLIT, |light| light.height.max(UNLIT));
        for light in &lit {
            if across + light.width > width {
                (across, down, row) = (0, down + row, light.height);
            }
            places.insert(key(light), [across, down]);
            across += light.width;
        }
        let height = down + row;
        // a wide face and a high one would pay for a picture of both
        let found = u64::from(width) * u64::from(height);
        let most = (count as u64 * 16).max(1 << 20);
        if found > most {
            return Err(
                ErrorKind::Number { what: "the pixels for the light of all faces", found, most }.into()
            );
        }
        let mut atlas = LightAtlas { width, height, ..LightAtlas::default() };
        atlas.pixels = vec![PLAIN; width as usize * height as usize * 3];
        for light in lit {
            let Some([left, top]) = places.get(&key(light)) else { continue };
            let rows = samples.get(light.start..).unwrap_or_default().chunks(light.width as usize * size);
            for (row, from) in (*top..).zip(rows.take(light.height as usize)) {
                let start = (row as usize * width as usize + *left as usize) * 3;
                let to = atlas.pixels.get_mut(start..).unwrap_or_default().chunks_mut(3);
                for (to, from) in to.zip(from.chunks_exact(size)) {
                    // one brightness, or three colours
                    to.iter_mut().zip(from.iter().cycle()).for_each(|(to, from)| *to = *from);
                    if is_quake3 {
                        double(to);
                    }
                }
            }
        }
        let mut corners = self.corners.iter();
        for (light, count) in self.lights.iter().zip(&self.counts) {
            let place = places.get(&key(light)).filter(|_| light.styles > 0);
            for corner in corners.by_ref().take(*count as usize) {
                let mut point = place.map_or([1.0; 2], |place| place.map(pixels));
                let own = if place.is_some() { [light.width, light.height] } else { [0; 2] };
                for (((at, light), own), all) in
                    point.iter_mut().zip(corner.light).zip(own).zip([width, height])
                {
                    *at = (*at + light.clamp(0.0, 1.0) * pixels(own)) / pixels(all);
                }
                atlas.points.push(point);
            }
        }
        Ok(atlas)
    }
}

/// Doubles a colour, and keeps its hue. A texture of Quake III has its own colours under a stored light of 64
/// (`tr_bsp.c`, `R_ColorShiftLightingBytes`).
fn double(colour: &mut [u8]) {
    let most = colour.iter().copied().max().map_or(0, u32::from) * 2;
    for part in colour {
        let doubled = u32::from(*part) * 2 * 255 / most.max(255);
        *part = u8::try_from(doubled).unwrap_or(u8::MAX);
    }
}
