//! The outline of a level from above: the edges of its walls, and its entities.

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
            add(&face, &mut corners, &mut edges);
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

/// Adds the edges of a face if it is a wall, which means at least 45 degrees steep.
fn add(face: &Face<'_>, corners: &mut Vec<[f32; 3]>, edges: &mut Vec<[[f32; 3]; 2]>) {
    corners.clear();
    corners.extend(face.corners());
    let Some(first) = corners.first().copied() else { return };
    if corners.as_flattened().iter().any(|at| at.is_nan() || at.abs() > FARTHEST) {
        return;
    }
    let next = corners.iter().skip(1).chain(corners.first());
    let pairs = || corners.iter().copied().zip(next.clone().copied());
    let [mut east, mut north, mut up] = [0.0_f32; 3];
    for ([a, b, c], [d, e, f]) in pairs() {
        let [x, y, z] = first;
        east += (b - e) * (c + f - 2.0 * z);
        north += (c - f) * (a + d - 2.0 * x);
        up += (a - d) * (b + e - 2.0 * y);
    }
    if up * up <= east * east + north * north {
        // drops the height
        edges.extend(pairs().map(|([a, b, _], [d, e, _])| [[a, b, 0.0], [d, e, 0.0]]));
    }
}
