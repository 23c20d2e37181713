//! The shape of a model.

use std::collections::HashMap;

use crate::Error;

/// Triangles of a model in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Mesh {
    /// The vertices of the triangles.
    pub vertices: Vec<Vertex>,
    /// For each vertex, its number in the frames of the file, where vertices on a seam of the skin are not
    /// repeated.
    pub numbers: Vec<u16>,
    /// Three vertex numbers per triangle, clockwise seen from the front.
    pub triangles: Vec<[u16; 3]>,
}

/// A vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Vertex {
    /// The position: x forward, y left, z up.
    pub place: [f32; 3],
    /// The position on the skin, from 0 at the left and top to 1.
    pub point: [f32; 2],
}

/// Builds a mesh from files that number positions and skin points separately. Each pair becomes one vertex.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) mesh: Mesh,
    known: HashMap<[u16; 2], u16>,
}

impl Gathered {
    /// The vertex number of a pair. `stored` is its number in a frame.
    pub(super) fn corner(
        &mut self,
        pair: [u16; 2],
        stored: u16,
        vertex: impl FnOnce() -> Result<Vertex, Error>,
    ) -> Result<u16, Error> {
        if let Some(known) = self.known.get(&pair) {
            return Ok(*known);
        }
        let count = self.mesh.vertices.len();
        let number = u16::try_from(count)
            .map_err(|_| Error::number("the number of vertices", count, u16::MAX.into()))?;
        self.mesh.vertices.push(vertex()?);
        self.mesh.numbers.push(stored);
        self.known.insert(pair, number);
        Ok(number)
    }
}

/// Checks the number of a frame against the number of frames.
pub(super) fn frame_of(number: usize, count: usize) -> Result<usize, Error> {
    let most = count.saturating_sub(1);
    if number < count { Ok(number) } else { Err(Error::number("a frame", number, most)) }
}

/// Checks a vertex number against the number of vertices.
pub(super) fn vertex_number(number: usize, count: usize) -> Result<u16, Error> {
    let wrong = |_| Error::number("a vertex of a triangle", number, count.saturating_sub(1));
    u16::try_from(number).map_err(wrong)
}

/// The row whose number a triangle contains.
pub(super) fn named<'r, R>(what: &'static str, rows: &'r [R], number: u16) -> Result<&'r R, Error> {
    let most = rows.len().saturating_sub(1);
    rows.get(usize::from(number)).ok_or_else(|| Error::number(what, number.into(), most))
}

/// The positions of a frame, stored as bytes with a scale and an origin.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) scale: [f32; 3],
    pub(super) origin: [f32; 3],
    pub(super) vertices: &'a [[u8; 4]],
}

impl Frame<'_> {
    pub(super) fn place(&self, number: u16) -> Result<[f32; 3], Error> {
        named("a vertex of a triangle", self.vertices, number).map(|vertex| self.scaled(vertex))
    }

    /// All positions.
    pub(super) fn places(&self) -> Vec<[f32; 3]> {
        self.vertices.iter().map(|vertex| self.scaled(vertex)).collect()
    }

    fn scaled(&self, vertex: &[u8; 4]) -> [f32; 3] {
        let mut place = self.origin;
        for ((place, scale), step) in place.iter_mut().zip(self.scale).zip(vertex) {
            *place += scale * f32::from(*step);
        }
        place
    }
}
