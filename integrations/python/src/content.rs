//! The content of models, pictures, levels and sounds. The Python half names the fields.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyMemoryView, PyString};
use quake_content::{Error, Level, MipTexture, Palette, Sound, model};
use quakefs::FileData;
use quakefs_preview::{Kind, Options, Preview, preview};

use crate::errors::BadPakFile;
use crate::file::File;
use crate::search_path::SearchPath;
use crate::{contents, errors, names};

type View<'py> = Bound<'py, PyMemoryView>;
type Text<'py> = Bound<'py, PyString>;

/// Width, height and RGBA.
type Pixels<'py> = (u32, u32, View<'py>);

/// Name, group, time and points.
type Frame<'py> = (Text<'py>, usize, f32, View<'py>);

/// Shader or skin, the first face and the number of faces.
type Surface<'py> = (Text<'py>, usize, usize);

/// Texture coordinates, faces, frames, skins with their times in groups, and surfaces.
type Model<'py> = (View<'py>, View<'py>, Vec<Frame<'py>>, Vec<Vec<(f32, Pixels<'py>)>>, Vec<Surface<'py>>);

fn view(py: Python<'_>, bytes: Vec<u8>) -> PyResult<View<'_>> {
    contents::view(py, FileData::from(bytes))
}

fn floats<'f>(rows: impl IntoIterator<Item = &'f [f32]>) -> Vec<u8> {
    rows.into_iter().flatten().flat_map(|number| number.to_ne_bytes()).collect()
}

fn integers(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_ne_bytes).collect()
}

/// The content of a file that Python names, and what turns an error about it into an exception.
fn content(
    quake: &SearchPath,
    py: Python<'_>,
    named: &Bound<'_, PyAny>,
) -> PyResult<(FileData, impl Fn(&dyn std::error::Error) -> PyErr)> {
    let bytes = quake.content(py, named)?.map_err(|error| errors::raised(py, &error))?;
    let name = if named.is_instance_of::<File>() { named.getattr("name")? } else { named.clone() };
    let name = name.unbind();
    Ok((bytes, move |error: &dyn std::error::Error| {
        BadPakFile::new_err((errors::IO, error.to_string(), name.clone_ref(py)))
    }))
}

/// The palette of the game, or Quake's.
fn palette(quake: &SearchPath) -> Palette {
    quakefs_needs::palette(&quake.0.search_path).unwrap_or_else(Palette::quake)
}

/// Reads a model.
#[pyfunction]
pub(crate) fn model_of<'py>(
    py: Python<'py>,
    quake: &Bound<'_, SearchPath>,
    name: &Bound<'_, PyAny>,
) -> PyResult<Model<'py>> {
    let quake = quake.get();
    let (bytes, raised) = content(quake, py, name)?;
    let failed = |error: Error| raised(&error);
    let model = model::Model::parse(&bytes).map_err(failed)?;
    let shape = model.shape().map_err(failed)?;
    let frames = model.frames(&shape).map_err(failed)?.into_iter().map(|frame| {
        let points = view(py, floats([frame.places.as_flattened()]))?;
        Ok((names::text(py, frame.name)?, frame.group, frame.time, points))
    });
    let mut skins = Vec::new();
    if let model::Model::Alias(model) = &model {
        let palette = palette(quake);
        for members in model.skin_groups() {
            let pixels = |(time, picture): (f32, quake_content::picture::Picture<'_>)| {
                let rgba = view(py, palette.rgba(picture.pixels, None))?;
                Ok((time, (picture.width, picture.height, rgba)))
            };
            skins.push(members.map_err(failed)?.into_iter().map(pixels).collect::<PyResult<_>>()?);
        }
    }
    let surfaces = shape.surfaces.iter();
    let named = surfaces.map(|(name, range)| Ok((names::text(py, name)?, range.start, range.len())));
    Ok((
        view(py, floats([shape.points.as_flattened()]))?,
        view(py, integers(shape.triangles.into_flattened()))?,
        frames.collect::<PyResult<_>>()?,
        skins,
        named.collect::<PyResult<_>>()?,
    ))
}

/// Reads a picture. Its name tells the format.
#[pyfunction]
pub(crate) fn picture_of<'py>(
    py: Python<'py>,
    quake: &Bound<'_, SearchPath>,
    name: &Bound<'_, PyAny>,
) -> PyResult<Pixels<'py>> {
    use Kind::{Lump, M8, M32, Pcx, Tga, Wal};

    let quake = quake.get();
    let (bytes, raised) = content(quake, py, name)?;
    let name = names::bytes(name)?;
    let kind = Kind::of(&name).filter(|kind| matches!(kind, Lump | Wal | M8 | M32 | Pcx | Tga));
    let Some(kind) = kind else {
        let text = "expected .lmp, .wal, .m8, .m32, .pcx or .tga; other libraries read .png and .jpg";
        return Err(PyValueError::new_err(format!("{}: {text}", name.escape_ascii())));
    };
    let palette = palette(quake);
    let mut options = Options::new(&palette);
    options.side = u32::MAX;
    let made = py.detach(|| preview(kind, &bytes, &options)).map_err(|error| raised(&error))?;
    let pictures = if let Preview::Pictures(pictures) = made { pictures.shown } else { Vec::new() };
    let Some(picture) = pictures.into_iter().next() else {
        return Err(raised(&quakefs_preview::Error::Budget));
    };
    let image = picture.image;
    Ok((image.width(), image.height(), view(py, image.rgba().to_vec())?))
}

/// The pairs of an entity.
type Pairs<'py> = Vec<(Text<'py>, Text<'py>)>;

/// Entities; the corners of all faces with their positions on the texture and in the light; the triangles;
/// for each face the number of corners, the texture and the light; textures with pixels if they are in the
/// level; the light of all faces, and the bytes of a sample.
type LevelParts<'py> =
    (Vec<Pairs<'py>>, [View<'py>; 7], Vec<(Text<'py>, Option<Pixels<'py>>)>, View<'py>, usize);

/// Reads a level.
#[pyfunction]
pub(crate) fn level_of<'py>(
    py: Python<'py>,
    quake: &Bound<'_, SearchPath>,
    name: &Bound<'_, PyAny>,
) -> PyResult<LevelParts<'py>> {
    let quake = quake.get();
    let (bytes, raised) = content(quake, py, name)?;
    let failed = |error: Error| raised(&error);
    let level = Level::parse(&bytes).map_err(failed)?;
    let mut entities = Vec::new();
    for entity in level.entities().map_err(failed)? {
        let pair = |(key, value): &(&[u8], &[u8])| Ok((names::text(py, key)?, names::text(py, value)?));
        entities.push(entity.pairs.iter().map(pair).collect::<PyResult<_>>()?);
    }
    let shape = level.shape().map_err(failed)?;
    let palette = palette(quake);
    let textures = shape.textures.iter().map(|(name, texture)| {
        let pixels = texture.as_ref().map(|texture| of_texture(py, texture, &palette)).transpose()?;
        Ok((names::text(py, name)?, pixels.flatten()))
    });
    let corners = || shape.corners.iter();
    let lights = shape.lights.iter().flat_map(quake_content::Light::numbers);
    let views = [
        view(py, floats(corners().map(|corner| &corner.place[..])))?,
        view(py, floats(corners().map(|corner| &corner.point[..])))?,
        view(py, floats(corners().map(|corner| &corner.light[..])))?,
        view(py, integers(shape.triangles.iter().flatten().copied()))?,
        view(py, integers(shape.counts.iter().copied()))?,
        view(py, integers(shape.textures_of_faces.iter().copied()))?,
        view(py, integers(lights))?,
    ];
    let light = view(py, level.light().unwrap_or_default().to_vec())?;
    Ok((entities, views, textures.collect::<PyResult<_>>()?, light, level.light_sample()))
}

/// The pixels of a texture; `None` if they are elsewhere or damaged.
fn of_texture<'py>(
    py: Python<'py>,
    texture: &MipTexture<'_>,
    palette: &Palette,
) -> PyResult<Option<Pixels<'py>>> {
    let Some((picture, rgba)) = texture.rgba(palette) else { return Ok(None) };
    Ok(Some((picture.width, picture.height, view(py, rgba)?)))
}

/// Rate, channels, bits (none if it is compressed), whether it loops, seconds, and the samples.
type SoundParts<'py> = (u32, u16, Option<u16>, bool, f64, View<'py>);

/// Reads a sound.
#[pyfunction]
pub(crate) fn sound_of<'py>(
    py: Python<'py>,
    quake: &Bound<'_, SearchPath>,
    name: &Bound<'_, PyAny>,
) -> PyResult<SoundParts<'py>> {
    let (bytes, raised) = content(quake.get(), py, name)?;
    let read = if bytes.starts_with(b"OggS") { Sound::ogg(&bytes) } else { Sound::wav(&bytes) };
    let sound = read.map_err(|error| raised(&error))?;
    let samples = view(py, bytes.get(sound.samples.clone()).unwrap_or_default().to_vec())?;
    let Sound { rate, channels, bits, loops, seconds, .. } = sound;
    Ok((rate, channels, bits, loops, seconds, samples))
}
