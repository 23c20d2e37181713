//! The source in a headless app.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a suite: what panics fails a test")]

#[cfg(feature = "shapes")]
mod shapes;
#[cfg(feature = "textures")]
mod textures;

use std::fs;
use std::time::{Duration, Instant};

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetApp as _, AssetEvent, AssetLoader, AssetMode, AssetPlugin, AssetServer, Assets, Handle,
    LoadContext, LoadState, LoadedFolder,
};
use bevy_ecs::message::Messages;
use bevy_quakefs::{QuakeAssetPlugin, QuakeAssets};
use bevy_reflect::TypePath;
use pak_format::Layout;
use quakefs::{Engine, SearchPath};
use testutils::{Folder, game, hostile, pack, zip_deflated};

#[derive(Asset, TypePath, Debug)]
struct Text {
    text: String,
    loud: bool,
}

#[derive(Default, TypePath)]
struct TextLoader;

#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Settings {
    loud: bool,
}

impl AssetLoader for TextLoader {
    type Asset = Text;
    type Settings = Settings;
    type Error = std::io::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &Settings,
        _: &mut LoadContext<'_>,
    ) -> Result<Text, std::io::Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let text = String::from_utf8(bytes).map_err(std::io::Error::other)?;
        Ok(Text { text, loud: settings.loud })
    }

    fn extensions(&self) -> &[&str] {
        &["cfg", "bsp"]
    }
}

const LONG: Duration = Duration::from_secs(30);

fn app(game: &Folder, games: &[&str], watch: bool, plugin: AssetPlugin) -> App {
    let mut app = App::new();
    let games = games.iter().map(|game| (*game).to_owned()).collect();
    let quake = QuakeAssetPlugin { engine: Engine::DarkPlaces, base: game.path().into(), games, watch };
    app.add_plugins((TaskPoolPlugin::default(), quake, plugin));
    app.init_asset::<Text>().init_asset_loader::<TextLoader>();
    app
}

fn watching() -> AssetPlugin {
    AssetPlugin { watch_for_changes_override: Some(true), ..AssetPlugin::default() }
}

fn load(app: &App, name: &str) -> Handle<Text> {
    app.world().resource::<AssetServer>().load(format!("quake://{name}"))
}

/// Runs frames until something is so.
fn until(app: &mut App, what: impl Fn(&App) -> bool) {
    let end = Instant::now() + LONG;
    while !what(app) {
        assert!(Instant::now() < end, "it did not happen");
        app.update();
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn text<'a>(app: &'a App, handle: &Handle<Text>) -> Option<&'a str> {
    app.world().resource::<Assets<Text>>().get(handle).map(|text| &*text.text)
}

fn until_text(app: &mut App, handle: &Handle<Text>, expected: &str) {
    until(app, |app| text(app, handle) == Some(expected));
}

/// Runs frames for a while, and gives the handles whose asset was loaded again meanwhile.
fn reloaded(app: &mut App, handles: &[&Handle<Text>]) -> Vec<usize> {
    app.world_mut().resource_mut::<Messages<AssetEvent<Text>>>().clear();
    let mut found = std::collections::BTreeSet::new();
    let end = Instant::now() + Duration::from_millis(800);
    while Instant::now() < end {
        app.update();
        let events: Vec<_> = app.world_mut().resource_mut::<Messages<AssetEvent<Text>>>().drain().collect();
        for event in events {
            if let AssetEvent::Modified { id } = event {
                found.extend(handles.iter().position(|handle| handle.id() == id));
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    found.into_iter().collect()
}

#[test]
fn assets_are_loaded_from_each_kind_of_layer() {
    let game = game("id1/pak0.pak: maps/start.bsp a.cfg; mod/: loose.cfg");
    let long = "many words ".repeat(5_000);
    game.write("mod/extra.pk3", zip_deflated([("long.cfg", long.as_bytes())]));
    let mut app = app(&game, &["mod"], false, AssetPlugin::default());
    for (name, expected) in [
        ("maps/start.bsp", "id1/pak0.pak:0"),
        ("loose.cfg", "mod/loose.cfg"),
        ("long.cfg", &*long),
        ("MAPS/Start.bsp", "id1/pak0.pak:0"),
    ] {
        let handle = load(&app, name);
        until_text(&mut app, &handle, expected);
    }
}

#[test]
fn a_folder_is_that_of_the_merged_tree() {
    let game = game(
        "id1/pak0.pak: maps/start.bsp maps/deep/x.bsp maps/no#label.bsp maps/y.bsp.meta; mod/: \
            maps/start.bsp maps/new.bsp",
    );
    let mut app = app(&game, &["mod"], false, AssetPlugin::default());
    let folder: Handle<LoadedFolder> = app.world().resource::<AssetServer>().load_folder("quake://maps");
    until(&mut app, |app| app.world().resource::<AssetServer>().is_loaded_with_dependencies(&folder));
    let folders = app.world().resource::<Assets<LoadedFolder>>();
    let mut names: Vec<_> = folders
        .get(&folder)
        .unwrap()
        .handles
        .iter()
        .map(|handle| handle.path().unwrap().to_string())
        .collect();
    names.sort();
    assert_eq!(names, ["quake://maps/deep/x.bsp", "quake://maps/new.bsp", "quake://maps/start.bsp"]);
}

#[test]
fn a_miss_fails_and_names_the_path() {
    let game = game("id1/pak0.pak: a.cfg");
    let mut app = app(&game, &[], false, AssetPlugin::default());
    let handle = load(&app, "maps/nope.cfg");
    let state = |app: &App| app.world().resource::<AssetServer>().load_state(&handle);
    until(&mut app, |app| state(app).is_failed());
    let LoadState::Failed(error) = state(&app) else { panic!("it fails") };
    assert!(error.to_string().contains("Path not found: maps/nope.cfg"), "{error}");
}

/// `testdata/hostile.json`, as in the suites of all doors.
#[test]
fn every_door_treats_hostile_names_alike() {
    let (rows, archive) = hostile();
    let game = Folder::with([("id1/pak0.pak", archive)]);
    let mut app = app(&game, &[], false, AssetPlugin::default());
    for row in rows.iter().filter(|row| !row.entry.is_empty()) {
        let handle = load(&app, &row.entry);
        let state = |app: &App| app.world().resource::<AssetServer>().load_state(&handle);
        // Bevy does not begin to load a path that leaves the source
        until(&mut app, |app| !state(app).is_loading());
        let content = row.text.as_deref().filter(|_| row.asked);
        assert_eq!(text(&app, &handle), content, "{:?}", row.entry);
    }
}

#[test]
fn a_game_that_cannot_be_mounted_fails_each_load_until_another_is_put_in_its_place() {
    let game = game("id1/pak0.pak: a.cfg");
    let nowhere = Folder::new();
    let mut app = app(&nowhere, &[], true, watching());
    let handle = load(&app, "a.cfg");
    until(&mut app, |app| app.world().resource::<AssetServer>().load_state(&handle).is_failed());
    let error = app.world().resource::<QuakeAssets>().search_path().unwrap_err();
    assert!(error.to_string().contains("id1"), "{error}");
    app.world().resource::<QuakeAssets>().swap(SearchPath::builder(game.path()).mount().unwrap());
    until_text(&mut app, &handle, "id1/pak0.pak:0");
}

#[test]
fn changed_files_are_loaded_again() {
    for plugin in
        [watching(), AssetPlugin { watch_for_changes_override: Some(false), ..AssetPlugin::default() }]
    {
        let game = game("id1/pak0.pak: a.cfg b.cfg; mod/: c.cfg");
        let mut app = app(&game, &["mod"], true, plugin);
        let [a, b, c] = ["a.cfg", "b.cfg", "c.cfg"].map(|name| load(&app, name));
        until_text(&mut app, &a, "id1/pak0.pak:0");
        until_text(&mut app, &b, "id1/pak0.pak:1");
        until_text(&mut app, &c, "mod/c.cfg");
        game.write("mod/c.cfg", "edited");
        game.write("mod/pak0.pak", pack(Layout::Quake, [("a.cfg", "new"), ("b.cfg", "id1/pak0.pak:1")]));
        assert_eq!(reloaded(&mut app, &[&a, &b, &c]), [0, 2], "b has the same bytes");
        assert_eq!((text(&app, &a), text(&app, &c)), (Some("new"), Some("edited")));
        fs::remove_file(game.join("mod/pak0.pak")).unwrap();
        until_text(&mut app, &a, "id1/pak0.pak:0");
    }
}

#[test]
fn an_edit_of_a_hidden_copy_loads_nothing_again() {
    let game = game("id1/pak0.pak: a.cfg; mod/: a.cfg");
    let mut app = app(&game, &["mod"], true, watching());
    let a = load(&app, "a.cfg");
    until_text(&mut app, &a, "mod/a.cfg");
    game.write("id1/a.cfg", "hidden");
    assert!(reloaded(&mut app, &[&a]).is_empty());
}

#[test]
fn a_loaded_folder_notices_new_files() {
    let game = game("id1/pak0.pak: maps/start.bsp");
    let mut app = app(&game, &[], true, watching());
    let folder: Handle<LoadedFolder> = app.world().resource::<AssetServer>().load_folder("quake://maps");
    let count = move |app: &App| {
        app.world().resource::<Assets<LoadedFolder>>().get(&folder).map_or(0, |folder| folder.handles.len())
    };
    until(&mut app, |app| count(app) == 1);
    game.write("id1/maps/new.bsp", "1");
    until(&mut app, |app| count(app) == 2);
}

#[test]
fn another_mod_loads_the_assets_again_that_differ_and_no_others() {
    for watch in [false, true] {
        let game = game("id1/pak0.pak: a.cfg b.cfg same.cfg=1; one/: a.cfg same.cfg=1; two/pak0.pak: b.cfg");
        let mut app = app(&game, &["one"], watch, watching());
        let [a, b, same] = ["a.cfg", "b.cfg", "same.cfg"].map(|name| load(&app, name));
        until_text(&mut app, &a, "one/a.cfg");
        until_text(&mut app, &b, "id1/pak0.pak:1");
        until_text(&mut app, &same, "1");
        let two = SearchPath::builder(game.path()).engine(Engine::DarkPlaces).game("two").mount().unwrap();
        let quake = app.world().resource::<QuakeAssets>().clone();
        assert_eq!(quake.swap(two).len(), 3, "one of them moved");
        assert_eq!(reloaded(&mut app, &[&a, &b, &same]), [0, 1]);
        assert_eq!((text(&app, &a), text(&app, &b)), (Some("id1/pak0.pak:0"), Some("two/pak0.pak:0")));
        assert_eq!(quake.search_path().unwrap().read("a.cfg").unwrap(), "id1/pak0.pak:0");
        if watch {
            game.write("two/a.cfg", "the new mod is watched");
            until_text(&mut app, &a, "the new mod is watched");
        }
    }
}

#[test]
fn settings_come_from_the_stack_too() {
    let game = game("id1/pak0.pak: a.cfg");
    let loader = "it::TextLoader";
    let meta =
        format!("(meta_format_version: \"1.0\", asset: Load(loader: {loader:?}, settings: (loud: true)))");
    game.write("mod/a.cfg.meta", meta);
    for (games, loud) in [(&["mod"][..], true), (&[], false)] {
        let mut app = app(&game, games, false, AssetPlugin::default());
        let a = load(&app, "a.cfg");
        until_text(&mut app, &a, "id1/pak0.pak:0");
        assert_eq!(app.world().resource::<Assets<Text>>().get(&a).unwrap().loud, loud);
    }
}

#[test]
fn in_processed_mode_the_source_is_read_unprocessed() {
    let game = game("id1/pak0.pak: a.cfg");
    let plugin = AssetPlugin {
        mode: AssetMode::Processed,
        use_asset_processor_override: Some(false),
        ..AssetPlugin::default()
    };
    game.write(
        "id1/a.cfg.meta",
        "(meta_format_version: \"1.0\", asset: Load(loader: \"it::TextLoader\", settings: (loud: true)))",
    );
    let mut app = app(&game, &[], false, plugin);
    let a = load(&app, "a.cfg");
    until_text(&mut app, &a, "id1/pak0.pak:0");
}

/// What the library knows of a miss is in the error of the load.
#[test]
fn a_miss_suggests_similar_names() {
    let game = game("id1/pak0.pak: maps/start.cfg");
    let mut app = app(&game, &[], false, AssetPlugin::default());
    let handles = ["start.cfg", "nowhere/at/all.cfg"].map(|name| load(&app, name));
    let server = |app: &App| app.world().resource::<AssetServer>().clone();
    let texts = handles.map(|handle| {
        until(&mut app, |app| server(app).load_state(&handle).is_failed());
        let LoadState::Failed(error) = server(&app).load_state(&handle) else { panic!() };
        error.to_string()
    });
    assert!(texts[0].contains("id1/pak0.pak has it as maps/start.cfg"), "{}", texts[0]);
    assert!(!texts[1].contains("pak0.pak"), "{}", texts[1]);
}
