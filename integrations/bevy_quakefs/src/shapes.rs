//! Models and levels of games as meshes.

use std::io;

use bevy_app::{App, Plugin};
use bevy_asset::{Asset, AssetApp as _, Handle, LoadContext, RenderAssetUsages};
use bevy_image::Image;
use bevy_mesh::{Mesh, PrimitiveTopology};
use bevy_reflect::TypePath;
use quake_content::model::Model;
use quake_content::{Level, LevelFormat};
use quakefs_preview::{Kind, readable};

use crate::textures::{Content, Loader, TextureError, palette, register, rgba};

/// Loads MDL, MD2 and MD3 as [`QuakeModel`], and BSP as [`QuakeLevel`].
///
/// Add it *after* `AssetPlugin` or `DefaultPlugins`. Positions are in units of the game: forward is -Z and up
/// is +Y, as everywhere in Bevy.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuakeShapePlugin;

impl Plugin for QuakeShapePlugin {
    fn build(&self, app: &mut App) {
        register::<Image>(app);
        register::<Mesh>(app);
        app.init_asset::<QuakeModel>().init_asset::<QuakeLevel>();
        app.init_asset_loader::<Loader<QuakeModel>>().init_asset_loader::<Loader<QuakeLevel>>();
    }
}

/// A model. Its meshes and skins are labeled assets too: `quake://progs/ogre.mdl#frame0`, for other surfaces
/// `#frame0.1`, and `#skin0`.
#[derive(Asset, TypePath, Clone, Debug, Default)]
#[non_exhaustive]
pub struct QuakeModel {
    /// The names of the frames.
    pub frames: Vec<String>,
    /// The parts with different skins.
    pub surfaces: Vec<ModelSurface>,
    /// The skins in the file, each with the picture that is shown first.
    pub skins: Vec<Handle<Image>>,
}

/// The triangles of one skin.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModelSurface {
    /// The skin file or the shader; empty if the skin is in the model.
    pub texture: String,
    /// A mesh for each frame.
    pub frames: Vec<Handle<Mesh>>,
}

/// The world of a level, without doors and other models. The labels of its meshes are `#part0` and so on, and
/// that of its light is `#light`.
#[derive(Asset, TypePath, Clone, Debug, Default)]
#[non_exhaustive]
pub struct QuakeLevel {
    /// The faces of each texture.
    pub parts: Vec<LevelPart>,
    /// The light of all faces, for the second coordinates of the meshes: as a `Lightmap` takes it. A texture
    /// has its own colours under a light of 128.
    pub light: Handle<Image>,
    /// The keys and values of each entity, the world first.
    pub entities: Vec<Vec<(String, String)>>,
}

/// The faces of one texture.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LevelPart {
    /// The name of the texture, or of the shader in Quake III.
    pub texture: String,
    /// The texture; `None` if it is another file. Then its coordinates count pixels, except in Quake III.
    pub image: Option<Handle<Image>>,
    /// The faces.
    pub mesh: Handle<Mesh>,
}

/// The reason why a model or a level cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// The file, or the palette of the game, cannot be read.
    #[error(transparent)]
    Texture(#[from] TextureError),
    /// The bytes are not a model or a level.
    #[error("{0}")]
    Content(#[from] quake_content::Error),
}

impl From<io::Error> for ShapeError {
    fn from(error: io::Error) -> Self {
        TextureError::from(error).into()
    }
}

impl Content for QuakeModel {
    const EXTENSIONS: &'static [&'static str] = &["mdl", "md2", "md3"];
    type Error = ShapeError;

    async fn of(bytes: &[u8], context: &mut LoadContext<'_>) -> Result<QuakeModel, ShapeError> {
        let model = Model::parse(bytes)?;
        let shape = model.shape()?;
        let mut loaded = QuakeModel::default();
        for (name, _) in &shape.surfaces {
            loaded.surfaces.push(ModelSurface { texture: readable(name), frames: Vec::new() });
        }
        for (number, frame) in model.frames(&shape)?.into_iter().enumerate() {
            let corner = |corner: u32| {
                let at = corner as usize;
                let place = frame.places.get(at).copied().unwrap_or_default();
                Corner { place, point: shape.points.get(at).copied().unwrap_or_default(), light: None }
            };
            for (index, (surface, (_, triangles))) in
                loaded.surfaces.iter_mut().zip(&shape.surfaces).enumerate()
            {
                let triangles = shape.triangles.get(triangles.clone()).unwrap_or_default();
                let label =
                    if index == 0 { format!("frame{number}") } else { format!("frame{number}.{index}") };
                surface.frames.push(context.add_labeled_asset(label, mesh(triangles, corner)));
            }
            loaded.frames.push(readable(frame.name));
        }
        if let Model::Alias(model) = &model {
            let palette = palette(Kind::Lump, context).await?;
            for (number, members) in model.skin_groups().enumerate() {
                if let Some((_, picture)) = members?.first() {
                    let pixels = palette.rgba(picture.pixels, None);
                    let image = rgba(picture.width, picture.height, pixels);
                    loaded.skins.push(context.add_labeled_asset(format!("skin{number}"), image));
                }
            }
        }
        Ok(loaded)
    }
}

impl Content for QuakeLevel {
    const EXTENSIONS: &'static [&'static str] = &["bsp"];
    type Error = ShapeError;

    async fn of(bytes: &[u8], context: &mut LoadContext<'_>) -> Result<QuakeLevel, ShapeError> {
        let level = Level::parse(bytes)?;
        let shape = level.shape()?;
        let atlas = shape.light_atlas(&level)?;
        let kind = if level.format() == LevelFormat::Bsp38 { Kind::Wal } else { Kind::Lump };
        let palette = palette(kind, context).await?;
        let entities = level
            .entities()?
            .map(|entity| entity.pairs.iter().map(|(key, value)| (readable(key), readable(value))).collect());
        let mut loaded = QuakeLevel { entities: entities.collect(), ..QuakeLevel::default() };
        let (pixels, _) = atlas.pixels.as_chunks();
        let pixels = pixels.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, u8::MAX]).collect();
        loaded.light = context.add_labeled_asset("light".to_owned(), rgba(atlas.width, atlas.height, pixels));
        for (number, (texture, triangles)) in shape.triangles_of_textures().into_iter().enumerate() {
            let Some((name, picture)) = shape.textures.get(texture as usize) else { continue };
            let pixels = picture.as_ref().and_then(|picture| picture.rgba(&palette));
            let image = pixels.map(|(picture, pixels)| rgba(picture.width, picture.height, pixels));
            let size = image.as_ref().map_or([1.0; 2], |image| image.size_f32().to_array());
            let corner = |corner: u32| {
                let at = corner as usize;
                let found = shape.corners.get(at).copied().unwrap_or_default();
                let point = [found.point[0] / size[0], found.point[1] / size[1]];
                Corner { place: found.place, point, light: atlas.points.get(at).copied() }
            };
            let image = image.map(|image| context.add_labeled_asset(format!("texture{number}"), image));
            let mesh = context.add_labeled_asset(format!("part{number}"), mesh(&triangles, corner));
            loaded.parts.push(LevelPart { texture: readable(name), image, mesh });
        }
        Ok(loaded)
    }
}

/// A corner of a triangle: its position in the game, on the texture and in the light.
struct Corner {
    place: [f32; 3],
    point: [f32; 2],
    light: Option<[f32; 2]>,
}

/// A mesh of flat triangles. A game's are clockwise seen from the front, and Bevy's are not.
fn mesh(triangles: &[[u32; 3]], corner: impl Fn(u32) -> Corner) -> Mesh {
    let corners: Vec<_> = triangles.iter().flat_map(|[a, b, c]| [*a, *c, *b]).map(corner).collect();
    // forward, left and up
    let places = corners.iter().map(|Corner { place: [x, y, z], .. }| [-y, *z, -x]);
    let points = corners.iter().map(|corner| corner.point);
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places.collect::<Vec<_>>())
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, points.collect::<Vec<_>>());
    let lights: Vec<_> = corners.iter().filter_map(|corner| corner.light).collect();
    if !lights.is_empty() {
        mesh.insert_attribute(Mesh::ATTRIBUTE_UV_1, lights);
    }
    mesh.with_computed_flat_normals()
}
