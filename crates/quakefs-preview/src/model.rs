//! `.mdl`, `.md2`, `.md3`: skins and shape of a model.

use quake_content::model::{AliasModel, Mesh};

use crate::steps::{Steps, whole};
use crate::{Error, Options, Picture, Pictures};

/// A model in one frame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// The skins in the file. Only Quake's models contain skins.
    pub skins: Pictures,
    /// The number of frames.
    pub frames: usize,
    /// The minimum corner of the shape in this frame, in units of the game.
    pub corner: [f32; 3],
    /// The length of the longest side of the shape in this frame.
    pub side: f32,
    /// The shape, or why it is missing: it cannot be read, or has more triangles than the [`Options`] allow.
    pub shape: Result<Vec<Surface>, Error>,
}

/// Triangles of a model that share one skin.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surface {
    /// The name of the skin file, in models of Quake II and III. Empty if the skin is the first one in the
    /// file.
    pub picture: Vec<u8>,
    /// The vertices. The first three numbers are x (forward), y (left) and z (up) in steps from the minimum
    /// corner of the model, whose longest side has 65535 steps. The last two are the position in the skin, to
    /// the right and down, with 4096 steps each way.
    pub vertices: Vec<[u16; 5]>,
    /// Three vertex numbers per triangle, clockwise seen from the front.
    pub triangles: Vec<[u16; 3]>,
}

/// The steps across a skin.
const PICTURE: f32 = 4096.0;

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Model, Error> {
    let model = quake_content::model::Model::parse(bytes)?;
    let skins = match &model {
        quake_content::model::Model::Alias(model) => skins(model, options)?,
        _ => Pictures::default(),
    };
    let mut steps = Steps::of(std::iter::empty());
    let shape = Error::of_part(shape(&model, options, &mut steps))?;
    let frames = model.frame_count().unwrap_or_default();
    Ok(Model { skins, frames, corner: steps.least, side: steps.longest(), shape })
}

fn skins(model: &AliasModel<'_>, options: &Options<'_>) -> Result<Pictures, Error> {
    if model.width == 0 || model.height == 0 {
        return Err(Error::Size { width: model.width, height: model.height });
    }
    let skins = model.skins().map(|skin| Picture::indexed(Vec::new(), skin?, None, options).map(Some));
    Pictures::first(options.pictures, model.skins, skins)
}

fn shape(
    model: &quake_content::model::Model<'_>,
    options: &Options<'_>,
    steps: &mut Steps,
) -> Result<Vec<Surface>, Error> {
    let found = model.triangles()?;
    if found > options.shape {
        return Err(Error::Triangles { found, most: options.shape });
    }
    options.take(found as u64 * 3)?;
    let meshes = model.meshes(options.frame)?;
    let vertices = meshes.iter().flat_map(|(_, mesh)| &mesh.vertices);
    *steps = Steps::of(vertices.map(|vertex| vertex.place));
    let surface = |(picture, mesh): (&[u8], Mesh)| {
        let [right, down] = [0, 1].map(|axis| {
            let points = mesh.vertices.iter().filter_map(|vertex| vertex.point.get(axis).copied());
            points.fold(f32::MAX, f32::min).floor()
        });
        let vertices = mesh.vertices.iter().map(|vertex| {
            let ([x, y, z], [across, low]) = (steps.at(vertex.place), vertex.point);
            // skins are repeated
            [x, y, z, whole((across - right) * PICTURE), whole((low - down) * PICTURE)]
        });
        Surface { picture: picture.to_vec(), vertices: vertices.collect(), triangles: mesh.triangles }
    };
    Ok(meshes.into_iter().map(surface).collect())
}
