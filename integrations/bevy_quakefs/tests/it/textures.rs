//! Pictures and textures as images.

use std::path::{Path, PathBuf};

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{Asset, AssetPlugin, AssetServer, Assets, Handle, LoadState};
use bevy_image::Image;
use bevy_quakefs::{QuakeAssetPlugin, QuakeTexturePlugin, TextureArchive};
use pak_format::Layout;
use quakefs::Engine;
use quakefs_preview::Palette;
use testutils::content::{lump, palette, pcx, texture, wad, wal};
use testutils::{Folder, data, pack};

use crate::{until, watching};

/// The numbers of a WAD's rows for textures, pictures and textures of Half-Life.
const TEXTURE: u8 = 0x44;
const PICTURE: u8 = 0x42;
const OF_HALF_LIFE: u8 = 0x43;

fn app(base: impl Into<PathBuf>, engine: Engine, plugin: AssetPlugin) -> App {
    let mut app = App::new();
    let quake = QuakeAssetPlugin { engine, base: base.into(), games: Vec::new(), watch: true };
    app.add_plugins((TaskPoolPlugin::default(), quake, plugin, QuakeTexturePlugin));
    app
}

fn of_files(files: &[(&str, Vec<u8>)]) -> Folder {
    let folder = Folder::new();
    let files = files.iter().map(|(name, content)| (*name, content.as_slice()));
    folder.write("id1/pak0.pak", pack(Layout::Quake, files));
    folder
}

fn load<A: Asset>(app: &mut App, name: &str) -> Handle<A> {
    let handle = app.world().resource::<AssetServer>().load(format!("quake://{name}"));
    let state = |app: &App| app.world().resource::<AssetServer>().load_state(&handle);
    until(app, |app| state(app).is_loaded() || state(app).is_failed());
    handle
}

fn image<'a>(app: &'a App, handle: &Handle<Image>) -> &'a Image {
    app.world().resource::<Assets<Image>>().get(handle).unwrap()
}

fn loaded(app: &mut App, name: &str) -> Image {
    let handle = load(app, name);
    image(app, &handle).clone()
}

/// Width, height, and the first pixels.
fn look(image: &Image) -> (u32, u32, Vec<[u8; 4]>) {
    let (pixels, _) = image.data.as_ref().unwrap().as_chunks();
    assert_eq!(pixels.len(), (image.width() * image.height()) as usize);
    (image.width(), image.height(), pixels.iter().take(3).copied().collect())
}

/// The first pixels of [`testutils::content::pixels`] in a palette.
fn first(palette: &Palette) -> Vec<[u8; 4]> {
    let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, 255];
    (0..3).map(|index| opaque(palette.colour(index))).collect()
}

#[test]
fn a_lump_has_the_colours_of_the_game() {
    let game = of_files(&[("gfx/conback.lmp", lump(32, 20)), ("gfx/palette.lmp", palette())]);
    let expected = (32, 20, vec![[0, 0, 255, 255], [1, 2, 254, 255], [2, 4, 253, 255]]);
    let mut with_palette = app(game.path(), Engine::QuakeSpasm, watching());
    assert_eq!(look(&loaded(&mut with_palette, "gfx/conback.lmp")), expected);

    let game = of_files(&[("gfx/conback.lmp", lump(32, 20))]);
    let mut without = app(game.path(), Engine::QuakeSpasm, watching());
    assert_eq!(look(&loaded(&mut without, "gfx/conback.lmp")), (32, 20, first(&Palette::quake())));
}

#[test]
fn pixels_without_a_colour_are_transparent() {
    let mut hud = lump(4, 4);
    hud[8] = 255;
    let game = of_files(&[("gfx/hud.lmp", hud)]);
    let mut app = app(game.path(), Engine::QuakeSpasm, watching());
    let (.., pixels) = look(&loaded(&mut app, "gfx/hud.lmp"));
    assert_eq!(pixels[0], [0; 4]);
    assert_eq!(pixels[1..], first(&Palette::quake())[1..]);
}

#[test]
fn a_wal_has_the_colours_of_quake_2() {
    let colours = palette();
    let textures = [("textures/e1u1/floor.wal", wal(64, 32)), ("pics/colormap.pcx", pcx(16, 16, &colours))];
    let folder = Folder::new();
    let files = textures.iter().map(|(name, content)| (*name, content.as_slice()));
    folder.write("baseq2/pak0.pak", pack(Layout::Quake, files));
    let mut app = app(folder.path(), Engine::Quake2, watching());
    let expected = (64, 32, first(&Palette::from_lump(&colours).unwrap()));
    assert_eq!(look(&loaded(&mut app, "textures/e1u1/floor.wal")), expected);
}

#[test]
fn a_wad_is_its_textures_each_with_its_name() {
    let own = [7; 768];
    let of_quake =
        wad(b"WAD2", &[("conback", PICTURE, lump(8, 8)), ("brick", TEXTURE, texture("brick", 16, 32, None))]);
    let twice = [("a", OF_HALF_LIFE, texture("a", 16, 16, Some(&own))), ("A", OF_HALF_LIFE, vec![1; 9])];
    let game = of_files(&[("gfx.wad", of_quake), ("halflife.wad", wad(b"WAD3", &twice))]);
    let mut app = app(game.path(), Engine::QuakeSpasm, watching());

    let archive = load::<TextureArchive>(&mut app, "gfx.wad");
    let TextureArchive { textures, damaged, .. } =
        app.world().resource::<Assets<TextureArchive>>().get(&archive).unwrap().clone();
    let seen: Vec<_> = textures.iter().map(|(name, handle)| (&**name, image(&app, handle).size())).collect();
    assert_eq!(seen.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["conback", "brick"]);
    assert_eq!((seen[1].1.x, seen[1].1.y, damaged), (16, 32, 0));
    assert_eq!(look(&loaded(&mut app, "gfx.wad#brick")), (16, 32, first(&Palette::quake())));

    assert_eq!(look(&loaded(&mut app, "halflife.wad#a")), (16, 16, vec![[7, 7, 7, 255]; 3]));
    let archive = load::<TextureArchive>(&mut app, "halflife.wad");
    let archive = app.world().resource::<Assets<TextureArchive>>().get(&archive).unwrap();
    assert_eq!((archive.textures.len(), archive.damaged), (1, 1));
}

#[test]
fn a_texture_is_loaded_again_after_the_palette_changes() {
    let game = of_files(&[("gfx/conback.lmp", lump(32, 20)), ("gfx/palette.lmp", palette())]);
    let mut app = app(game.path(), Engine::QuakeSpasm, watching());
    let handle = load(&mut app, "gfx/conback.lmp");
    game.write("id1/gfx/palette.lmp", vec![9; 768]);
    // QuakeSpasm prefers the archive
    game.write("id1/pak1.pak", pack(Layout::Quake, [("gfx/palette.lmp", &[9; 768])]));
    until(&mut app, |app| look(image(app, &handle)).2 == [[9, 9, 9, 255]; 3]);
}

#[test]
fn damaged_textures_fail_with_the_reason_and_take_no_memory() {
    let huge = [u32::MAX.to_le_bytes(), u32::MAX.to_le_bytes()].concat();
    // rows that share one large picture
    let mut many = wad(b"WAD2", &[("one", PICTURE, lump(512, 512))]);
    let row = many[many.len() - 32..].to_vec();
    (0..1000).for_each(|_| many.extend(&row));
    many[4..8].copy_from_slice(&1001_u32.to_le_bytes());
    let game =
        of_files(&[("gfx/huge.lmp", huge), ("cut.wal", wal(64, 64)[..200].to_vec()), ("many.wad", many)]);
    let mut app = app(game.path(), Engine::QuakeSpasm, watching());
    for name in ["gfx/huge.lmp", "cut.wal"] {
        let handle = load::<Image>(&mut app, name);
        let LoadState::Failed(error) = app.world().resource::<AssetServer>().load_state(&handle) else {
            panic!("{name} is loaded")
        };
        assert!(error.to_string().contains(name), "{error}");
    }
    let handle = load::<TextureArchive>(&mut app, "many.wad");
    assert!(app.world().resource::<AssetServer>().load_state(&handle).is_failed());
}

/// Each picture of a whole game, byte by byte.
#[testneeds::data("paks/librequake/id1/pak0.pak")]
#[test]
fn the_pictures_of_librequake_are_loaded() {
    let base = data("paks/librequake");
    let mut app = app(base, Engine::QuakeSpasm, AssetPlugin::default());
    let quake = app.world().resource::<bevy_quakefs::QuakeAssets>().search_path().unwrap();
    let all: Vec<String> = quake.files().map(|file| file.name().to_string()).collect();
    let of = |wanted: &'static str| {
        all.iter().filter(move |name| Path::new(name).extension().is_some_and(|found| found == wanted))
    };
    assert!(of("lmp").count() > 20 && of("wad").count() > 0, "{all:?}");
    for name in of("wad") {
        let archive = load::<TextureArchive>(&mut app, name);
        let archive = app.world().resource::<Assets<TextureArchive>>().get(&archive).unwrap();
        assert!(!archive.textures.is_empty() && archive.damaged == 0, "{name}: {archive:?}");
    }
    let palette = Palette::from_lump(&quake.read("gfx/palette.lmp").unwrap()).unwrap();
    for name in of("lmp") {
        let stored = quake.read(name).unwrap();
        let image = loaded(&mut app, name);
        let size = [image.width().to_le_bytes(), image.height().to_le_bytes()].concat();
        // a lump without a size is a palette, a colour map or a font
        let Some(indices) = stored.strip_prefix(&*size) else { continue };
        let (pixels, _) = image.data.as_ref().unwrap().as_chunks::<4>();
        for (index, pixel) in indices.iter().zip(pixels) {
            let [red, green, blue] = palette.colour(*index);
            assert_eq!(*pixel, if *index == 255 { [0; 4] } else { [red, green, blue, 255] }, "{name}");
        }
    }
}
