//! The content of models, pictures, levels and sounds. The Python half names the fields.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyMemoryView, PyString};
use quake_content::model::{AliasModel, Md2, Md3, Mesh};
use quake_content::{Error, Level, MipTexture, Palette, Sound};
use quakefs::FileData;
use quakefs_preview::{Kind, Options, Preview, preview};

use crate::errors::{BadPakFile, of_content};
use crate::{contents, names};

type View<'py> = Bound<'py, PyMemoryView>;
type Text<'py> = Bound<'py, PyString>;

/// Width, height and RGBA.
type Pixels<'py> = (u32, u32, View<'py>);

/// Name, group, time and points.
type Frame<'py> = (Text<'py>, usize, f32, View<'py>);

/// Shader or skin, the first face and the number of faces.
type Surface<'py> = (Text<'py>, usize, usize);

/// Points, texture coordinates, faces, frames, skins with their times in groups, and surfaces.
type Model<'py> =
    (View<'py>, View<'py>, View<'py>, Vec<Frame<'py>>, Vec<Vec<(f32, Pixels<'py>)>>, Vec<Surface<'py>>);

fn view(py: Python<'_>, bytes: Vec<u8>) -> PyResult<View<'_>> {
    contents::view(py, FileData::from(bytes))
}

fn floats<'f>(rows: impl IntoIterator<Item = &'f [f32]>) -> Vec<u8> {
    rows.into_iter().flatten().flat_map(|number| number.to_ne_bytes()).collect()
}

fn palette(lump: Option<&[u8]>, pcx: Option<&[u8]>) -> Palette {
    let found = lump.and_then(Palette::from_lump).or_else(|| Palette::from_pcx(pcx?));
    found.unwrap_or_else(Palette::quake)
}

/// Shapes gathered from the meshes of a model.
#[derive(Default)]
struct Shape {
    points: Vec<u8>,
    uvs: Vec<u8>,
    faces: Vec<u8>,
    /// For each vertex, its number in the frames.
    numbers: Vec<usize>,
    surfaces: Vec<(Vec<u8>, usize, usize)>,
}

impl Shape {
    fn add(&mut self, name: &[u8], mesh: &Mesh) {
        let first = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.points.extend(floats(mesh.vertices.iter().map(|vertex| &vertex.place[..])));
        self.uvs.extend(floats(mesh.vertices.iter().map(|vertex| &vertex.point[..])));
        self.numbers.extend(mesh.numbers.iter().map(|number| usize::from(*number)));
        let start = self.faces.len() / 12;
        let corners = mesh.triangles.as_flattened().iter();
        self.faces.extend(corners.flat_map(|corner| (first + u32::from(*corner)).to_ne_bytes()));
        self.surfaces.push((name.to_vec(), start, mesh.triangles.len()));
    }

    /// The points of a frame, for each vertex.
    fn posed(&self, places: &[[f32; 3]]) -> Vec<u8> {
        floats(self.numbers.iter().filter_map(|number| places.get(*number)).map(|place| &place[..]))
    }
}

/// Reads a model. `lump` and `pcx` may have the palette.
#[pyfunction]
pub(crate) fn model_of(
    py: Python<'_>,
    bytes: PyBackedBytes,
    lump: Option<PyBackedBytes>,
    pcx: Option<PyBackedBytes>,
) -> PyResult<Model<'_>> {
    let failed = |error: Error| of_content(&error);
    let mut shape = Shape::default();
    let (mut frames, mut skins) = (Vec::new(), Vec::new());
    // a vertex on a seam repeats its point: frames are limited by their size, and this sum by the file's
    let mut left = bytes.len().saturating_mul(POSED).max(1 << 20);
    let mut posed = |shape: &Shape, places: &[[f32; 3]]| {
        left = left.checked_sub(shape.numbers.len()).ok_or_else(|| too_much("frames"))?;
        PyResult::Ok(shape.posed(places))
    };
    match bytes.first_chunk() {
        Some(b"IDP2") => {
            let model = Md2::parse(&bytes).map_err(failed)?;
            shape.add(model.skins().next().unwrap_or_default(), &model.mesh(0).map_err(failed)?);
            for (group, frame) in model.frames().enumerate() {
                let (name, places) = frame.map_err(failed)?;
                frames.push((names::text(py, name)?, group, 0.0, view(py, posed(&shape, &places)?)?));
            }
        }
        Some(b"IDP3") => {
            for (name, mesh) in Md3::parse(&bytes).and_then(|model| model.meshes(0)).map_err(failed)? {
                shape.add(name, &mesh);
            }
        }
        _ => {
            let model = AliasModel::parse(&bytes).map_err(failed)?;
            shape.add(b"", &model.mesh(0).map_err(failed)?);
            for (group, members) in model.frames().map_err(failed)?.enumerate() {
                for (time, name, places) in members.map_err(failed)? {
                    frames.push((names::text(py, name)?, group, time, view(py, posed(&shape, &places)?)?));
                }
            }
            let palette = palette(lump.as_deref(), pcx.as_deref());
            for members in model.skin_groups() {
                let mut pictures = Vec::new();
                for (time, picture) in members.map_err(failed)? {
                    let rgba = coloured(picture.pixels, |index| palette.colour(index), None);
                    pictures.push((time, (picture.width, picture.height, view(py, rgba)?)));
                }
                skins.push(pictures);
            }
        }
    }
    let Shape { points, uvs, faces, surfaces, .. } = shape;
    let named = |(name, start, count): (Vec<u8>, usize, usize)| Ok((names::text(py, &name)?, start, count));
    let surfaces = surfaces.into_iter().map(named).collect::<PyResult<_>>()?;
    Ok((view(py, points)?, view(py, uvs)?, view(py, faces)?, frames, skins, surfaces))
}

/// The points that the frames of a model may have for each byte of the file: a vertex has four bytes and lies
/// on few seams.
const POSED: usize = 4;

fn too_much(what: &str) -> PyErr {
    BadPakFile::new_err(format!("the file claims more {what} than its size allows"))
}

fn coloured(pixels: &[u8], colour: impl Fn(u8) -> [u8; 3], transparent: Option<u8>) -> Vec<u8> {
    let mut rgba = Vec::with_capacity(pixels.len() * 4);
    for index in pixels {
        let [red, green, blue] = colour(*index);
        rgba.extend(if Some(*index) == transparent { [0; 4] } else { [red, green, blue, 255] });
    }
    rgba
}

/// Reads a picture. Its name tells the format.
#[pyfunction]
pub(crate) fn picture_of<'py>(
    py: Python<'py>,
    name: &Bound<'_, PyAny>,
    bytes: PyBackedBytes,
    lump: Option<PyBackedBytes>,
    pcx: Option<PyBackedBytes>,
) -> PyResult<Pixels<'py>> {
    let name = names::bytes(name)?;
    let kind = Kind::of(&name).filter(|kind| matches!(kind, Kind::Lump | Kind::Wal | Kind::Pcx | Kind::Tga));
    let Some(kind) = kind else {
        let text = "expected .lmp, .wal, .pcx or .tga; other libraries read .png and .jpg";
        return Err(PyValueError::new_err(format!("{}: {text}", name.escape_ascii())));
    };
    let palette = palette(lump.as_deref(), pcx.as_deref());
    let mut options = Options::new(&palette);
    options.side = u32::MAX;
    let made = py.detach(|| preview(kind, &bytes, &options)).map_err(|error| of_content(&error))?;
    let Preview::Pictures(pictures) = made else { return Err(too_much("pictures")) };
    let image = pictures.shown.into_iter().next().ok_or_else(|| too_much("pictures"))?.image;
    Ok((image.width(), image.height(), view(py, image.rgba().to_vec())?))
}

/// The pairs of an entity.
type Pairs<'py> = Vec<(Text<'py>, Text<'py>)>;

/// Entities; the corners of all faces, the number of corners of each, and the texture of each; textures with
/// pixels if they are in the level.
type LevelParts<'py> =
    (Vec<Pairs<'py>>, View<'py>, View<'py>, View<'py>, Vec<(Text<'py>, Option<Pixels<'py>>)>);

/// Reads a level.
#[pyfunction]
pub(crate) fn level_of<'py>(
    py: Python<'py>,
    bytes: PyBackedBytes,
    lump: Option<PyBackedBytes>,
) -> PyResult<LevelParts<'py>> {
    let failed = |error: Error| of_content(&error);
    let level = Level::parse(&bytes).map_err(failed)?;
    let mut entities = Vec::new();
    for entity in level.entities().map_err(failed)? {
        let pair = |(key, value): &(&[u8], &[u8])| Ok((names::text(py, key)?, names::text(py, value)?));
        entities.push(entity.pairs.iter().map(pair).collect::<PyResult<_>>()?);
    }
    let palette = palette(lump.as_deref(), None);
    let mut textures: Vec<(&[u8], Option<Pixels<'py>>)> = Vec::new();
    // textures may share pixels
    let mut left = bytes.len();
    for texture in level.textures().map_err(failed)?.flatten().flatten() {
        left = left.checked_sub(texture.stored().len()).ok_or_else(|| too_much("textures"))?;
        textures.push((texture.name, of_texture(py, &texture, &palette)?));
    }
    let (mut corners, mut counts, mut of_faces) = (Vec::new(), Vec::new(), Vec::new());
    let mut numbers: std::collections::HashMap<&[u8], u32> = std::collections::HashMap::new();
    for (number, (name, _)) in textures.iter().enumerate() {
        numbers.entry(name).or_insert(u32::try_from(number).unwrap_or(u32::MAX));
    }
    // faces may share corners
    let mut left = bytes.len();
    for face in level.faces().map_err(failed)? {
        left = left.checked_sub(face.len()).ok_or_else(|| too_much("corners of faces"))?;
        let before = corners.len();
        corners.extend(face.corners().flatten().flat_map(f32::to_ne_bytes));
        counts.extend(u32::try_from((corners.len() - before) / 12).unwrap_or(u32::MAX).to_ne_bytes());
        let name = face.texture();
        let number = *numbers.entry(name).or_insert_with(|| {
            textures.push((name, None));
            u32::try_from(textures.len() - 1).unwrap_or(u32::MAX)
        });
        of_faces.extend(number.to_ne_bytes());
    }
    let named = |(name, pixels): (&[u8], Option<Pixels<'py>>)| Ok((names::text(py, name)?, pixels));
    let textures = textures.into_iter().map(named).collect::<PyResult<_>>()?;
    Ok((entities, view(py, corners)?, view(py, counts)?, view(py, of_faces)?, textures))
}

/// The pixels of a texture; `None` if they are elsewhere or damaged.
fn of_texture<'py>(
    py: Python<'py>,
    texture: &MipTexture<'_>,
    palette: &Palette,
) -> PyResult<Option<Pixels<'py>>> {
    let Some(Ok(picture)) = texture.picture(0) else { return Ok(None) };
    let own = texture.palette().map(Palette::of_colours);
    let palette = own.as_ref().unwrap_or(palette);
    let transparent = texture.name.starts_with(b"{").then_some(quake_content::HOLE);
    let rgba = coloured(picture.pixels, |index| palette.colour(index), transparent);
    Ok(Some((picture.width, picture.height, view(py, rgba)?)))
}

/// Rate, channels, bits (none if it is compressed), whether it loops, seconds, and the range of the samples.
type SoundParts = (u32, u16, Option<u16>, bool, f64, usize, usize);

/// Reads a sound.
#[pyfunction]
pub(crate) fn sound_of(bytes: PyBackedBytes) -> PyResult<SoundParts> {
    let read = if bytes.starts_with(b"OggS") { Sound::ogg(&bytes) } else { Sound::wav(&bytes) };
    let sound = read.map_err(|error| of_content(&error))?;
    let Sound { rate, channels, bits, loops, seconds, samples, .. } = sound;
    Ok((rate, channels, bits, loops, seconds, samples.start, samples.end))
}
