//! A model of any format.

use std::ops::Range;

use crate::model::{AliasModel, Md2, Md3, Mesh};
use crate::{Error, ErrorKind};

/// A model of any format with a [`Mesh`], by its first bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Model<'a> {
    /// Quake's, which contains its skins.
    Alias(AliasModel<'a>),
    /// Quake II's.
    Md2(Md2<'a>),
    /// Quake III's.
    Md3(Md3<'a>),
}

/// The triangles of all surfaces of a [`Model`], with one list of vertices.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shape<'a> {
    /// The position of each vertex on its skin: see [`Vertex::point`](crate::model::Vertex::point).
    pub points: Vec<[f32; 2]>,
    /// Three vertex numbers per triangle, clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// The triangles of each skin file or shader. The name is empty if the skin is in the model.
    pub surfaces: Vec<(&'a [u8], Range<usize>)>,
    /// For each vertex, its number in a frame of the file.
    numbers: Vec<usize>,
}

/// A frame of a [`Model`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelFrame<'a> {
    /// The name.
    pub name: &'a [u8],
    /// The frames of a group are shown in turn; only Quake's models have groups of several.
    pub group: usize,
    /// The time at which it ends in its group, in seconds; 0 if it is alone.
    pub time: f32,
    /// The position of each vertex of the [`Shape`].
    pub places: Vec<[f32; 3]>,
}

impl<'a> Model<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are not a model of these formats, or the header is truncated.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        match bytes.first_chunk() {
            Some(b"IDP2") => Md2::parse(bytes).map(Model::Md2),
            Some(b"IDP3") => Md3::parse(bytes).map(Model::Md3),
            _ => AliasModel::parse(bytes).map(Model::Alias),
        }
    }

    /// The number of triangles that the file states.
    ///
    /// # Errors
    /// The header is truncated.
    pub fn triangles(&self) -> Result<usize, Error> {
        match self {
            Model::Alias(model) => model.triangles(),
            Model::Md2(model) => model.triangles(),
            Model::Md3(model) => model.triangles(),
        }
    }

    /// The number of frames; each frame of a group counts.
    ///
    /// # Errors
    /// A table before the frames is outside the file.
    pub fn frame_count(&self) -> Result<usize, Error> {
        match self {
            Model::Alias(model) => model.frame_count(),
            Model::Md2(model) => model.frame_count(),
            Model::Md3(model) => model.frame_count(),
        }
    }

    /// The surfaces in a frame, counted from 0, each with the name of its first skin file or shader.
    ///
    /// # Errors
    /// A table is outside the file, the frame does not exist, or a triangle uses a number that does not
    /// exist.
    pub fn meshes(&self, frame: usize) -> Result<Vec<(&'a [u8], Mesh)>, Error> {
        Ok(match self {
            Model::Alias(model) => vec![(b"", model.mesh(frame)?)],
            Model::Md2(model) => vec![(model.skins().next().unwrap_or_default(), model.mesh(frame)?)],
            Model::Md3(model) => model.meshes(frame)?,
        })
    }

    /// The triangles and the points on the skins, which all frames share.
    ///
    /// # Errors
    /// The errors of [`meshes`](Self::meshes).
    pub fn shape(&self) -> Result<Shape<'a>, Error> {
        let meshes = self.meshes(0)?;
        // in a frame, the vertices of a surface follow those of the last one
        let starts = match self {
            Model::Md3(model) => model.vertex_starts()?,
            _ => vec![0],
        };
        let mut shape =
            Shape { points: Vec::new(), triangles: Vec::new(), surfaces: Vec::new(), numbers: Vec::new() };
        for ((name, mesh), start) in meshes.into_iter().zip(starts) {
            let (first, before) = (shape.points.len(), shape.triangles.len());
            let first = u32::try_from(first).map_err(|_| too_many(first))?;
            shape.points.extend(mesh.vertices.iter().map(|vertex| vertex.point));
            shape.numbers.extend(mesh.numbers.iter().map(|number| start + usize::from(*number)));
            let triangles = mesh.triangles.iter();
            shape.triangles.extend(triangles.map(|corners| corners.map(|corner| first + u32::from(corner))));
            shape.surfaces.push((name, before..shape.triangles.len()));
        }
        Ok(shape)
    }

    /// All frames with the positions of a shape's vertices.
    ///
    /// # Errors
    /// A frame is outside the file, or the frames have more vertices than a file of this size can use.
    pub fn frames(&self, shape: &Shape<'_>) -> Result<Vec<ModelFrame<'a>>, Error> {
        /// A vertex takes four bytes in a frame, and is on few seams: each repeats it.
        const POSED: usize = 4;
        let most = self.size().saturating_mul(POSED).max(1 << 20);
        let mut frames: Vec<ModelFrame<'a>> = Vec::new();
        let mut add = |name, group, time, places: &[[f32; 3]]| {
            let count = frames.len().saturating_add(1).saturating_mul(shape.numbers.len());
            if count > most {
                return Err(too_many(count));
            }
            let places = shape.numbers.iter().map(|number| places.get(*number).copied().unwrap_or_default());
            frames.push(ModelFrame { name, group, time, places: places.collect() });
            Ok(())
        };
        match self {
            Model::Alias(model) => {
                for (group, members) in model.frames()?.enumerate() {
                    for (time, name, places) in members? {
                        add(name, group, time, &places)?;
                    }
                }
            }
            Model::Md2(model) => {
                for (group, frame) in model.frames().enumerate() {
                    let (name, places) = frame?;
                    add(name, group, 0.0, &places)?;
                }
            }
            Model::Md3(model) => {
                for (group, name) in model.frame_names()?.enumerate() {
                    add(name, group, 0.0, &model.places(group)?)?;
                }
            }
        }
        Ok(frames)
    }

    fn size(&self) -> usize {
        match self {
            Model::Alias(model) => model.bytes.len(),
            Model::Md2(model) => model.bytes.len(),
            Model::Md3(model) => model.bytes.len(),
        }
    }
}

fn too_many(found: usize) -> Error {
    ErrorKind::Number {
        what: "the number of vertices in all frames",
        found: found as u64,
        most: u32::MAX.into(),
    }
    .into()
}
