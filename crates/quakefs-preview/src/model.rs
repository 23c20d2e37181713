//! `.mdl`, `.md2`, `.md3`: the skins and the shape of a model.

use quake_content::model::{AliasModel, Md2, Md3, Mesh};

use crate::steps::{Steps, whole};
use crate::{Error, Options, Picture, Pictures};

/// A model in its first frame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// The skins in the file, as a model of Quake has them.
    pub skins: Pictures,
    /// Its shape, or why it has none: it cannot be read, or has more triangles than the [`Options`] say.
    pub shape: Result<Vec<Surface>, Error>,
}

/// Triangles of a model that have one picture.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surface {
    /// The name of the picture, as models of Quake II and III have it; empty where the first skin in the file is the picture.
    pub picture: Vec<u8>,
    /// The corners of triangles: steps forward, to the left and up from the least corner of the model, of which its longest side
    /// has 65535; then to the right and down from a corner of the picture, of which a picture has 4096 each way.
    pub vertices: Vec<[u16; 5]>,
    /// Three numbers of vertices each, clockwise from the front.
    pub triangles: Vec<[u16; 3]>,
}

/// Steps of a picture.
const PICTURE: f32 = 4096.0;

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Model, Error> {
    let (skins, shape) = match bytes.first_chunk() {
        Some(b"IDP2") => {
            let model = Md2::parse(bytes)?;
            let picture = model.skins().next().unwrap_or_default();
            let meshes = || Ok(vec![(picture, model.mesh()?)]);
            (Pictures::default(), shape(model.triangles(), options, meshes))
        }
        Some(b"IDP3") => {
            let model = Md3::parse(bytes)?;
            (Pictures::default(), shape(model.triangles(), options, || model.meshes()))
        }
        _ => {
            let model = AliasModel::parse(bytes)?;
            let meshes = || Ok(vec![(&[][..], model.mesh()?)]);
            (skins(&model, options)?, shape(model.triangles(), options, meshes))
        }
    };
    Ok(Model { skins, shape: Error::of_part(shape)? })
}

fn skins(model: &AliasModel<'_>, options: &Options<'_>) -> Result<Pictures, Error> {
    if model.width == 0 || model.height == 0 {
        return Err(Error::Size { width: model.width, height: model.height });
    }
    let skins =
        model.skins().map(|skin| Picture::indexed(Vec::new(), skin?.picture, None, options).map(Some));
    Pictures::first(options.pictures, model.skins, skins)
}

fn shape<'a>(
    triangles: Result<usize, quake_content::Error>,
    options: &Options<'_>,
    meshes: impl FnOnce() -> Result<Vec<(&'a [u8], Mesh)>, quake_content::Error>,
) -> Result<Vec<Surface>, Error> {
    let found = triangles?;
    if found > options.shape {
        return Err(Error::Triangles { found, most: options.shape });
    }
    options.take(found as u64 * 3)?;
    let meshes = meshes()?;
    let vertices = meshes.iter().flat_map(|(_, mesh)| &mesh.vertices);
    let steps = Steps::of(vertices.map(|vertex| vertex.place));
    let surface = |(picture, mesh): (&[u8], Mesh)| {
        let [right, down] = [0, 1].map(|axis| {
            let points = mesh.vertices.iter().filter_map(|vertex| vertex.point.get(axis).copied());
            points.fold(f32::MAX, f32::min).floor()
        });
        let vertices = mesh.vertices.iter().map(|vertex| {
            let ([x, y, z], [across, low]) = (steps.at(vertex.place), vertex.point);
            // pictures are repeated
            [x, y, z, whole((across - right) * PICTURE), whole((low - down) * PICTURE)]
        });
        Surface { picture: picture.to_vec(), vertices: vertices.collect(), triangles: mesh.triangles }
    };
    Ok(meshes.into_iter().map(surface).collect())
}
