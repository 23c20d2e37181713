//! Lists the maps of a game, reads one, and prints the archive that it comes from: `maps BASE [GAME]...`

#![allow(
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::print_stdout,
    reason = "a program: it reads its arguments, has systems, and prints"
)]

use bevy_app::{App, AppExit, ScheduleRunnerPlugin, TaskPoolPlugin, Update};
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetApp as _, AssetLoader, AssetPlugin, AssetServer, Assets, Handle, LoadContext, LoadState,
};
use bevy_ecs::message::MessageWriter;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::Res;
use bevy_quakefs::{QuakeAssetPlugin, QuakeAssets};
use bevy_reflect::TypePath;
use quakefs::Engine;

/// A level, as far as this example reads it.
#[derive(Asset, TypePath)]
struct Level {
    bytes: usize,
}

#[derive(Default, TypePath)]
struct LevelLoader;

impl AssetLoader for LevelLoader {
    type Asset = Level;
    type Settings = ();
    type Error = std::io::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<Level, std::io::Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(Level { bytes: bytes.len() })
    }

    fn extensions(&self) -> &[&str] {
        &["bsp"]
    }
}

#[derive(Resource)]
struct Start(Handle<Level>);

fn report(
    start: Res<'_, Start>,
    levels: Res<'_, Assets<Level>>,
    server: Res<'_, AssetServer>,
    quake: Res<'_, QuakeAssets>,
    mut exit: MessageWriter<'_, AppExit>,
) {
    if let LoadState::Failed(error) = server.load_state(&start.0) {
        println!("{error}");
        exit.write(AppExit::error());
    }
    let (Some(level), Ok(quake)) = (levels.get(&start.0), quake.search_path()) else { return };
    let from = quake.find("maps/start.bsp").map(|file| file.layer().name().to_owned());
    println!("start.bsp: {} bytes from {}", level.bytes, from.unwrap_or_default());
    exit.write(AppExit::Success);
}

fn main() -> AppExit {
    let mut args = std::env::args().skip(1);
    let base = args.next().unwrap_or_else(|| "../testdata/game".to_owned());
    let quake = QuakeAssetPlugin {
        engine: Engine::QuakeSpasm,
        base: base.into(),
        games: args.collect(),
        ..Default::default()
    };
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), quake, AssetPlugin::default()));
    app.add_plugins(ScheduleRunnerPlugin::default());
    app.init_asset::<Level>().init_asset_loader::<LevelLoader>().add_systems(Update, report);
    if let Ok(quake) = app.world().resource::<QuakeAssets>().search_path() {
        for entry in quake.read_dir("maps").into_iter().flatten() {
            println!("maps/{}", entry.name);
        }
    }
    let start = app.world().resource::<AssetServer>().load("quake://maps/start.bsp");
    app.insert_resource(Start(start)).run()
}
