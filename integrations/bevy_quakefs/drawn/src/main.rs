//! Draws a level without a window, as a player sees it at the start: `drawn BASE LEVEL FILE` writes a PNG.
//!
//! It has what [`bevy_quakefs`] leaves to an application: materials, light, and the meaning of entities.

use std::path::PathBuf;

use bevy::app::ScheduleRunnerPlugin;
use bevy::asset::LoadState;
use bevy::camera::{Exposure, RenderTarget};
use bevy::core_pipeline::tonemapping::{DebandDither, Tonemapping};
use bevy::image::{ImageAddressMode, ImageSamplerDescriptor};
use bevy::pbr::Lightmap;
use bevy::prelude::*;
use bevy::render::gpu_readback::{Readback, ReadbackComplete};
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy_quakefs::{QuakeAssetPlugin, QuakeLevel, QuakeShapePlugin};
use quakefs::Engine;

const SIZE: UVec2 = UVec2::new(640, 360);
/// The height of the eyes above the origin of a player, in units of the game.
const EYES: f32 = 22.0;
/// Frames until the renderer has compiled its shaders and copied the textures.
const FRAMES: u32 = 20;

#[derive(Resource)]
struct Wanted {
    level: Handle<QuakeLevel>,
    file: PathBuf,
    frames: u32,
}

fn main() -> AppExit {
    let mut args = std::env::args_os().skip(1);
    let (Some(base), Some(level), Some(file)) = (args.next(), args.next(), args.next()) else {
        eprintln!("drawn BASE LEVEL FILE, such as: drawn ~/quake start start.png");
        return AppExit::from_code(2);
    };
    let quake = QuakeAssetPlugin { engine: Engine::QuakeSpasm, base: base.into(), ..default() };
    // textures repeat
    let sampler = ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        ..ImageSamplerDescriptor::linear()
    };
    let mut app = App::new();
    app.add_plugins(quake)
        .add_plugins(DefaultPlugins.set(ImagePlugin { default_sampler: sampler }))
        .add_plugins((QuakeShapePlugin, ScheduleRunnerPlugin::default()))
        .add_systems(Update, enter);
    let level = app.world().resource::<AssetServer>().load(format!("quake://maps/{}.bsp", level.display()));
    app.insert_resource(Wanted { level, file: file.into(), frames: 0 }).run()
}

/// Builds the scene when the level is there, and reads the picture some frames later.
#[expect(clippy::too_many_arguments, reason = "a system of Bevy takes what it uses")]
fn enter(
    mut commands: Commands,
    mut wanted: ResMut<Wanted>,
    mut target: Local<Handle<Image>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    levels: Res<Assets<QuakeLevel>>,
    server: Res<AssetServer>,
    mut exit: MessageWriter<AppExit>,
) {
    if let LoadState::Failed(error) = server.load_state(&wanted.level) {
        eprintln!("{error}");
        exit.write(AppExit::error());
    }
    let Some(level) = levels.get(&wanted.level) else { return };
    wanted.frames += 1;
    if wanted.frames == FRAMES {
        commands.spawn(Readback::texture(target.clone())).observe(save);
    }
    if wanted.frames > 1 {
        return;
    }
    let mut drawn = Image::new_target_texture(SIZE.x, SIZE.y, TextureFormat::Rgba8UnormSrgb, None);
    drawn.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    *target = images.add(drawn);
    for part in level.parts.iter().filter(|part| !is_unseen(&part.texture)) {
        let material = StandardMaterial {
            base_color_texture: part.image.clone(),
            perceptual_roughness: 1.0,
            reflectance: 0.0,
            // a texture has its own colours under a light of 128, which is 0.216 of the most without gamma
            lightmap_exposure: 1.0 / 0.216,
            ..default()
        };
        commands.spawn((
            Mesh3d(part.mesh.clone()),
            MeshMaterial3d(materials.add(material)),
            Lightmap { image: level.light.clone(), ..default() },
        ));
    }
    commands.spawn((
        Camera3d::default(),
        Camera { clear_color: Color::BLACK.into(), ..default() },
        RenderTarget::from(target.clone()),
        Projection::from(PerspectiveProjection { near: 1.0, far: 10_000.0, fov: 1.2, ..default() }),
        // neither the camera nor other lights change the light of the level
        Exposure { ev100: -(1.2_f32.log2()) },
        Tonemapping::None,
        DebandDither::Disabled,
        AmbientLight { brightness: 0.0, ..default() },
        Msaa::Off,
        start(&level.entities),
    ));
}

/// Writes the picture.
fn save(read: On<ReadbackComplete>, wanted: Res<Wanted>, mut exit: MessageWriter<AppExit>) {
    let saved = image::save_buffer(&wanted.file, &read.data, SIZE.x, SIZE.y, image::ColorType::Rgba8);
    exit.write(match saved {
        Ok(()) => AppExit::Success,
        Err(error) => {
            eprintln!("{}: {error}", wanted.file.display());
            AppExit::error()
        }
    });
}

/// Whether the engine draws a texture as something else, or not at all.
fn is_unseen(texture: &str) -> bool {
    ["clip", "trigger", "skip"].contains(&texture) || texture.starts_with("sky")
}

/// Where a player starts, and looks to.
fn start(entities: &[Vec<(String, String)>]) -> Transform {
    let value = |entity: &[(String, String)], key: &str| {
        entity.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let Some(start) = entities.iter().find(|entity| value(entity, "classname") == "info_player_start") else {
        return Transform::default();
    };
    let numbers: Vec<f32> =
        value(start, "origin").split_whitespace().filter_map(|number| number.parse().ok()).collect();
    // forward, left and up, as the meshes have them
    let place = match numbers[..] {
        [x, y, z] => Vec3::new(-y, z + EYES, -x),
        _ => Vec3::ZERO,
    };
    let angle: f32 = value(start, "angle").parse().unwrap_or_default();
    Transform::from_translation(place).with_rotation(Quat::from_rotation_y(angle.to_radians()))
}
