//! The outline of a level from above: the edges of its walls, and its entities.

use std::collections::HashSet;

use quake_content::Face;

use crate::steps::{FARTHEST, Steps, whole};
use crate::text::readable;
use crate::{Error, Options};

/// The outline of a level from above. Positions are steps east and south of its north-west corner. The longer
/// side has 65535 steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// The north-west corner in units of the game: how far east and how far north it is.
    pub corner: [i32; 2],
    /// The size in units of the game, from west to east and from north to south.
    pub units: [u16; 2],
    /// The edges of walls as start and end, the longest first.
    pub lines: Vec<[u16; 4]>,
    /// The number of all edges, shown or not.
    pub all: usize,
    /// The entities with a position by class, at most 256 classes, in the order of the file.
    pub classes: Vec<Class>,
}

/// The entities of one class that have a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Class {
    /// The class name; empty for entities without one.
    pub name: String,
    /// The number of entities, shown or not.
    pub all: usize,
    /// The positions of the first ones, without those outside the walls.
    pub places: Vec<[u16; 2]>,
}

/// The most edges that are examined; they take 24 MiB.
const EDGES: usize = 1 << 20;

/// The most classes.
const CLASSES: usize = 256;

pub(crate) fn of(
    level: quake_content::Level<'_>,
    origins: &[(&[u8], [f32; 3])],
    options: &Options<'_>,
) -> Result<Outline, Error> {
    let (mut edges, mut corners) = (Vec::new(), Vec::new());
    for face in level.faces()? {
        options.take(face.len() as u64)?;
        if edges.len() < EDGES {
            let triangles = add(&face, &mut corners, &mut edges);
            options.take(triangles.saturating_sub(face.len() as u64))?;
        }
    }
    if edges.is_empty() {
        return Ok(Outline::default());
    }
    let steps = Steps::of(edges.iter().flatten().copied());
    // the longest gets the smallest key, and equal lines become neighbours
    let line = |edge: &[[f32; 3]; 2]| {
        let [from, to] = edge.map(|place| steps.above(place));
        let [[a, b], [c, d]] = [from.min(to), from.max(to)];
        (u32::MAX - u32::from(a.abs_diff(c)) - u32::from(b.abs_diff(d)), [a, b, c, d])
    };
    let mut lines: Vec<_> = edges.iter().map(line).filter(|(number, _)| *number < u32::MAX).collect();
    lines.sort_unstable();
    lines.dedup();
    let all = lines.len();
    let lines = lines.into_iter().take(options.shape).map(|(_, line)| line).collect();

    let mut room = options.shape;
    let mut classes: Vec<Class> = Vec::new();
    let mut names: Vec<&[u8]> = Vec::new();
    for (name, origin) in origins {
        let number = names.iter().position(|known| known == name).unwrap_or(names.len());
        if number == names.len() && number < CLASSES {
            names.push(name);
            classes.push(Class { name: readable(name), ..Class::default() });
        }
        let Some(class) = classes.get_mut(number) else { continue };
        class.all += 1;
        if room > 0 && steps.holds(*origin) {
            room -= 1;
            class.places.push(steps.above(*origin));
        }
    }
    let ([east, north, _], [west, south, _]) = (steps.sides, steps.least);
    #[expect(clippy::cast_possible_truncation, reason = "it ends at the first and the last")]
    let corner = [west as i32, (south + north) as i32];
    Ok(Outline { corner, units: [whole(east), whole(north)], lines, all, classes })
}

/// Adds the edges of a face if it is a wall, which means at least 45 degrees steep. Returns the number of its
/// triangles.
fn add(face: &Face<'_>, corners: &mut Vec<[f32; 3]>, edges: &mut Vec<[[f32; 3]; 2]>) -> u64 {
    corners.clear();
    corners.extend(face.corners());
    if corners.as_flattened().iter().any(|at| at.is_nan() || at.abs() > FARTHEST) {
        return 0;
    }
    let place = |corner: u32| corners.get(corner as usize).copied().unwrap_or_default();
    let (mut sides, mut count) = (HashSet::new(), 0);
    let [mut east, mut north, mut up] = [0.0_f32; 3];
    for [first, second, third] in face.triangles(u32::try_from(corners.len()).unwrap_or(u32::MAX)) {
        count += 1;
        let [from, to, end] = [first, second, third].map(place);
        let [[east1, north1, up1], [east2, north2, up2]] =
            [to, end].map(|[x, y, z]| [x - from[0], y - from[1], z - from[2]]);
        east += north1 * up2 - up1 * north2;
        north += up1 * east2 - east1 * up2;
        up += east1 * north2 - north1 * east2;
        // a side of two triangles is inside the face
        for [from, to] in [[first, second], [second, third], [third, first]] {
            if !sides.remove(&[to, from]) {
                sides.insert([from, to]);
            }
        }
    }
    if up * up <= east * east + north * north {
        // drops the height
        let flat = |corner| {
            let [east, north, _] = place(corner);
            [east, north, 0.0]
        };
        edges.extend(sides.into_iter().map(|side| side.map(flat)));
    }
    count
}
