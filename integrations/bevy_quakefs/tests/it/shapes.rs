//! Models and levels as meshes.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle};
use bevy_image::Image;
use bevy_mesh::{Mesh, VertexAttributeValues};
use bevy_quakefs::{QuakeAssets, QuakeLevel, QuakeModel, QuakeShapePlugin, add_source_as};
use pak_format::Layout;
use quakefs::SearchPath;
use testutils::content::{lit_room, palette, solid_md3, solid_mdl};
use testutils::{Folder, pack};

use crate::until;

const ENTITIES: &str =
    r#"{ "classname" "worldspawn" "message" "A Room" } { "classname" "info_player_start" }"#;

/// A game as the source `game://`.
fn app(folder: &Folder) -> (App, QuakeAssets) {
    let files = [
        ("gfx/palette.lmp", palette()),
        ("maps/room.bsp", lit_room(ENTITIES)),
        ("progs/solid.mdl", solid_mdl()),
        ("progs/solid.md3", solid_md3("models/a/skin.tga")),
        ("progs/damaged.mdl", b"IDPO".to_vec()),
    ];
    folder.write("id1/pak0.pak", pack(Layout::Quake, files));
    let mut app = App::new();
    app.add_plugins(TaskPoolPlugin::default());
    let mounted = SearchPath::builder(folder.path().as_std_path()).mount();
    let assets = add_source_as(&mut app, "game", mounted, false);
    app.add_plugins((AssetPlugin::default(), QuakeShapePlugin));
    (app, assets)
}

fn load<A: bevy_asset::Asset + Clone>(app: &mut App, name: &str) -> Option<A> {
    let handle: Handle<A> = app.world().resource::<AssetServer>().load(format!("game://{name}"));
    let state = |app: &App| app.world().resource::<AssetServer>().load_state(&handle);
    until(app, |app| state(app).is_loaded() || state(app).is_failed());
    app.world().resource::<Assets<A>>().get(&handle).cloned()
}

/// The positions of a mesh.
fn places(app: &App, mesh: &Handle<Mesh>) -> Vec<[f32; 3]> {
    let mesh = app.world().resource::<Assets<Mesh>>().get(mesh).unwrap();
    match mesh.attribute(Mesh::ATTRIBUTE_POSITION) {
        Some(VertexAttributeValues::Float32x3(places)) => places.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_level_has_its_faces_textures_light_and_entities() {
    let folder = Folder::new();
    let (mut app, _) = app(&folder);
    let level: QuakeLevel = load(&mut app, "maps/room.bsp").unwrap();
    assert_eq!(level.entities[0][1], ("message".to_owned(), "A Room".to_owned()));
    assert_eq!(level.parts.len(), 1);
    let part = &level.parts[0];
    assert_eq!(part.texture, "wall");
    let image = app.world().resource::<Assets<Image>>().get(part.image.as_ref().unwrap()).unwrap();
    assert_eq!(image.width(), 16);
    let light = app.world().resource::<Assets<Image>>().get(&level.light).unwrap();
    assert_eq!((light.width(), light.height()), (36, 17));
    // six faces of two triangles; forward is -Z, up is +Y, and the ceiling is 64 units up
    let places = places(&app, &part.mesh);
    assert_eq!(places.len(), 36);
    let most = |axis: usize| places.iter().map(|place| place[axis].abs()).fold(0.0, f32::max);
    assert_eq!([most(0), most(1), most(2)][..], [128.0, 64.0, 256.0]);
    let mesh = app.world().resource::<Assets<Mesh>>().get(&part.mesh).unwrap();
    assert!(mesh.contains_attribute(Mesh::ATTRIBUTE_UV_1) && mesh.contains_attribute(Mesh::ATTRIBUTE_NORMAL));
}

#[test]
fn a_model_has_a_mesh_for_each_frame_and_its_skins() {
    let folder = Folder::new();
    let (mut app, assets) = app(&folder);
    let model: QuakeModel = load(&mut app, "progs/solid.mdl").unwrap();
    assert_eq!((model.surfaces.len(), model.skins.len()), (1, 1));
    assert_eq!(model.surfaces[0].frames.len(), model.frames.len());
    assert!(!places(&app, &model.surfaces[0].frames[0]).is_empty());
    let other: QuakeModel = load(&mut app, "progs/solid.md3").unwrap();
    assert_eq!((&*other.surfaces[0].texture, other.skins.len()), ("models/a/skin.tga", 0));
    let frame: Handle<Mesh> = app.world().resource::<AssetServer>().load("game://progs/solid.mdl#frame0");
    until(&mut app, |app| app.world().resource::<AssetServer>().is_loaded(&frame));
    assert!(load::<QuakeModel>(&mut app, "progs/damaged.mdl").is_none());
    // the resource is for the source `quake`
    assert!(app.world().get_resource::<QuakeAssets>().is_none());
    assert!(assets.search_path().unwrap().find("maps/room.bsp").is_some());
}
