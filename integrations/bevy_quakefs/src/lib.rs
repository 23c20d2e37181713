#![cfg_attr(feature = "textures", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "textures"),
    doc = "An asset source for Bevy: the files of a Quake engine's search path."
)]
#![cfg_attr(
    feature = "textures",
    expect(clippy::doc_markdown, reason = "the title of the README is the name of the crate")
)]

mod assets;
mod reader;
#[cfg(feature = "textures")]
mod textures;

use std::path::PathBuf;

use bevy_app::{App, First, Plugin};
use bevy_asset::AssetApp as _;
use bevy_asset::io::{AssetSourceBuilder, AssetWatcher, ErasedAssetReader};
use quakefs::{Engine, Error, SearchPath};

pub use assets::QuakeAssets;
use assets::follow;
use reader::QuakeReader;
#[cfg(feature = "textures")]
pub use textures::{QuakeTexturePlugin, TextureArchive, TextureError};

/// The name of the asset source: `quake://maps/start.bsp`.
pub const SOURCE: &str = "quake";

/// Adds the asset source `quake://` and the resource [`QuakeAssets`].
///
/// Add it *before* `AssetPlugin` or `DefaultPlugins`: that plugin builds the sources which are there by then.
///
/// A game that cannot be mounted stops nothing: what is loaded from the source then fails with the reason, which is also
/// logged, and [`QuakeAssets::swap`] may put another game in the place.
#[derive(Clone, Debug)]
pub struct QuakeAssetPlugin {
    /// The engine whose rules count.
    pub engine: Engine,
    /// The folder that holds `id1`.
    pub base: PathBuf,
    /// The games, as `-game` names them, in order.
    pub games: Vec<String>,
    /// Whether files that change on disk are loaded again.
    pub watch: bool,
}

impl Default for QuakeAssetPlugin {
    /// QuakeSpasm on the current folder, watched in a build for development.
    fn default() -> Self {
        QuakeAssetPlugin {
            engine: Engine::QuakeSpasm,
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

/// Adds the asset source of any search path: with missions, a user's directory, archives in memory, rules of your own.
/// [`QuakeAssetPlugin`] calls this for the usual ones.
pub fn add_source(app: &mut App, mounted: Result<SearchPath, Error>, watch: bool) {
    let assets = QuakeAssets::new(mounted, watch);
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
    // what a game brings is as it should be: in processed mode it is read as it is
    let source = AssetSourceBuilder::new(reader.clone())
        .with_processed_reader(reader)
        .with_watcher(watcher.clone())
        .with_processed_watcher(watcher);
    app.register_asset_source(SOURCE, source).insert_resource(assets).add_systems(First, follow);
}

/// The system [`follow`] sends what a watcher of Bevy's would.
struct Following;

impl AssetWatcher for Following {}
