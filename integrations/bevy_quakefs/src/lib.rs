#![cfg_attr(feature = "shapes", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "shapes"),
    doc = "An asset source for Bevy: the files of a Quake engine's search path."
)]
#![cfg_attr(
    feature = "shapes",
    expect(clippy::doc_markdown, reason = "the title of the README is the name of the crate")
)]

mod assets;
mod names;
mod reader;
#[cfg(feature = "shapes")]
mod shapes;
#[cfg(feature = "textures")]
mod textures;

use std::path::PathBuf;

use bevy_app::{App, First, Plugin};
use bevy_asset::AssetApp as _;
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId, AssetWatcher, ErasedAssetReader};
use quakefs::{Engine, Error, SearchPath};

pub use assets::QuakeAssets;
use assets::{Sources, follow};
use reader::QuakeReader;
#[cfg(feature = "shapes")]
pub use shapes::{LevelPart, ModelSurface, QuakeLevel, QuakeModel, QuakeShapePlugin, ShapeError};
#[cfg(feature = "textures")]
pub use textures::{QuakeTexturePlugin, TextureArchive, TextureError};

/// The name of the asset source: `quake://maps/start.bsp`.
pub const SOURCE: &str = "quake";

/// Adds the asset source `quake://` and the resource [`QuakeAssets`].
///
/// Add it *before* `AssetPlugin` or `DefaultPlugins`, which build the registered sources.
///
/// If the game cannot be mounted, the app still runs. Each load fails with the reason, which is also logged.
/// [`QuakeAssets::swap`] can then mount another game.
#[derive(Clone, Debug)]
pub struct QuakeAssetPlugin {
    /// The engine whose rules apply.
    pub engine: Engine,
    /// The folder that contains `id1`.
    pub base: PathBuf,
    /// The games, in the order of the `-game` options.
    pub games: Vec<String>,
    /// Whether to reload assets when files change on disk.
    pub watch: bool,
}

impl Default for QuakeAssetPlugin {
    /// QuakeSpasm in the current folder; watches in debug builds.
    fn default() -> Self {
        QuakeAssetPlugin {
            engine: Engine::default(),
            base: ".".into(),
            games: Vec::new(),
            watch: cfg!(debug_assertions),
        }
    }
}

impl Plugin for QuakeAssetPlugin {
    fn build(&self, app: &mut App) {
        let builder = SearchPath::builder(&self.base).engine(self.engine);
        let mounted = self.games.iter().fold(builder, quakefs::Builder::game).mount();
        add_source(app, mounted, self.watch);
    }
}

/// Adds the asset source `quake://` of any search path: with missions, a user directory, archives in memory,
/// your own rules. [`QuakeAssetPlugin`] calls it for the usual games.
pub fn add_source(app: &mut App, mounted: Result<SearchPath, Error>, watch: bool) {
    let assets = add_source_as(app, SOURCE, mounted, watch);
    app.insert_resource(assets);
}

/// Adds a search path as an asset source of another name, or as the default source, whose paths begin with no
/// name. Returns what a resource of your own may hold: the resource [`QuakeAssets`] is for `quake://`.
pub fn add_source_as(
    app: &mut App,
    source: impl Into<AssetSourceId<'static>>,
    mounted: Result<SearchPath, Error>,
    watch: bool,
) -> QuakeAssets {
    let source = source.into();
    let assets = QuakeAssets::new(source.clone(), mounted, watch);
    let reader = {
        let assets = assets.clone();
        move || -> Box<dyn ErasedAssetReader> { Box::new(QuakeReader(assets.clone())) }
    };
    let watcher = {
        let assets = assets.clone();
        move |sender| -> Option<Box<dyn AssetWatcher>> {
            assets.send_to(sender);
            Some(Box::new(Following))
        }
    };
    // files of a game need no processing
    let builder = AssetSourceBuilder::new(reader.clone())
        .with_processed_reader(reader)
        .with_watcher(watcher.clone())
        .with_processed_watcher(watcher);
    app.register_asset_source(source, builder);
    if !app.world().contains_resource::<Sources>() {
        app.init_resource::<Sources>().add_systems(First, follow);
    }
    app.world_mut().resource_mut::<Sources>().0.push(assets.clone());
    assets
}

/// Does nothing: the system [`follow`] sends the events.
struct Following;

impl AssetWatcher for Following {}
