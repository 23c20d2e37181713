//! The faces of a level in flat lists, as programs for graphics take them.

use std::collections::{BTreeMap, HashMap};

use super::Level;
use super::faces::{Corner, Light};
use crate::{Error, ErrorKind, MipTexture};

/// The faces of the world of a level.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LevelShape<'a> {
    /// The corners of all faces, one face after another.
    pub corners: Vec<Corner>,
    /// The number of corners of each face.
    pub counts: Vec<u32>,
    /// Three corners per triangle, in the order and the direction of the faces.
    pub triangles: Vec<[u32; 3]>,
    /// The number of each face's texture.
    pub textures_of_faces: Vec<u32>,
    /// The light of each face; the default without any.
    pub lights: Vec<Light>,
    /// The textures in the level, then the names of others.
    pub textures: Vec<(&'a [u8], Option<MipTexture<'a>>)>,
}

impl<'a> Level<'a> {
    /// The faces of the world in flat lists.
    ///
    /// # Errors
    /// A table is outside the file, or the faces share so many corners, or the textures so many pixels, that
    /// the lists would be larger than the file.
    pub fn shape(&self) -> Result<LevelShape<'a>, Error> {
        let mut shape = LevelShape::default();
        // textures may share pixels, and faces corners
        let budget = |what| {
            let mut left = self.bytes.len();
            move |found: usize| {
                let most = left as u64;
                left =
                    left.checked_sub(found).ok_or(ErrorKind::Number { what, found: found as u64, most })?;
                Ok::<_, Error>(())
            }
        };
        let mut take = budget("the bytes of all textures");
        for texture in self.textures()?.flatten().flatten() {
            take(texture.stored().len())?;
            shape.textures.push((texture.name, Some(texture)));
        }
        let mut numbers: HashMap<&[u8], u32> = HashMap::new();
        for (number, (name, _)) in (0..).zip(&shape.textures) {
            numbers.entry(name).or_insert(number);
        }
        let mut take = budget("the corners of all faces");
        for face in self.faces()? {
            take(face.len().saturating_add(face.stored_corners()))?;
            let first = to_u32(shape.corners.len());
            shape.corners.extend(face.points());
            let count = to_u32(shape.corners.len()).saturating_sub(first);
            let triangles = face.triangles(count).map(|triangle| triangle.map(|corner| first + corner));
            shape.triangles.extend(triangles);
            shape.counts.push(count);
            shape.lights.push(face.light().unwrap_or_default());
            let name = face.texture();
            shape.textures_of_faces.push(*numbers.entry(name).or_insert_with(|| {
                shape.textures.push((name, None));
                to_u32(shape.textures.len() - 1)
            }));
        }
        Ok(shape)
    }
}

impl LevelShape<'_> {
    /// The triangles of each texture, by its number.
    #[must_use]
    pub fn triangles_of_textures(&self) -> BTreeMap<u32, Vec<[u32; 3]>> {
        let mut found = BTreeMap::<u32, Vec<[u32; 3]>>::new();
        let (mut triangles, mut end) = (self.triangles.iter().copied().peekable(), 0);
        for (texture, count) in self.textures_of_faces.iter().zip(&self.counts) {
            end += count;
            let is_own = |triangle: &[u32; 3]| triangle.iter().all(|corner| *corner < end);
            let own = std::iter::from_fn(|| triangles.next_if(is_own));
            found.entry(*texture).or_default().extend(own);
        }
        found
    }
}

/// A number of things of which each has bytes in a file of less than 4 GiB.
fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
