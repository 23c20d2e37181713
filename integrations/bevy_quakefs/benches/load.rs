//! Compares loading through the source with Bevy's own reader of plain files: medians of one run.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::io::file::FileAssetReader;
use bevy_asset::io::{AssetSourceId, ErasedAssetReader, Reader};
use bevy_asset::{
    Asset, AssetApp as _, AssetLoader, AssetMetaCheck, AssetPlugin, AssetServer, Handle, LoadContext,
};
use bevy_quakefs::QuakeAssetPlugin;
use bevy_reflect::TypePath;
use pak_format::Layout;
use quakefs::Engine;
use testutils::{Folder, pack, zip_deflated};

const FILES: usize = 1000;
const SIZE: usize = 20 * 1024;
const ROUNDS: usize = 21;

#[derive(Asset, TypePath)]
struct Bytes(#[expect(dead_code, reason = "loaded, and no more")] Vec<u8>);

#[derive(Default, TypePath)]
struct BytesLoader;

impl AssetLoader for BytesLoader {
    type Asset = Bytes;
    type Settings = ();
    type Error = std::io::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<Bytes, std::io::Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(Bytes(bytes))
    }
}

fn name(number: usize) -> String {
    format!("progs/{number:04}.mdl")
}

fn app(base: &Folder) -> App {
    let mut app = App::new();
    let quake = QuakeAssetPlugin {
        engine: Engine::DarkPlaces,
        base: base.path().into(),
        watch: false,
        ..Default::default()
    };
    let plugin = AssetPlugin {
        file_path: base.join("id1").into_string(),
        meta_check: AssetMetaCheck::Never,
        ..AssetPlugin::default()
    };
    app.add_plugins((TaskPoolPlugin::default(), quake, plugin));
    app.init_asset::<Bytes>().register_asset_loader(BytesLoader);
    app
}

/// The time per read, in a round of all files.
fn reads(reader: &dyn ErasedAssetReader) -> Duration {
    let start = Instant::now();
    for number in 0..FILES {
        let path = PathBuf::from(name(number));
        bevy_tasks::block_on(async {
            let mut bytes = Vec::new();
            reader.read(Path::new(&path)).await.unwrap().read_to_end(&mut bytes).await.unwrap();
            assert_eq!(bytes.len(), SIZE);
        });
    }
    start.elapsed() / u32::try_from(FILES).unwrap()
}

/// The time per file until the asset server has loaded all files.
fn loads(app: &mut App, prefix: &str) -> Duration {
    let start = Instant::now();
    let server = app.world().resource::<AssetServer>().clone();
    let handles: Vec<Handle<Bytes>> =
        (0..FILES).map(|number| server.load(format!("{prefix}{}", name(number)))).collect();
    while !handles.iter().all(|handle| server.is_loaded(handle)) {
        app.update();
    }
    let time = start.elapsed() / u32::try_from(FILES).unwrap();
    drop(handles);
    app.update();
    app.update();
    time
}

/// Alternates rounds of the source and of plain files, so that other work of the machine slows both.
fn compare(what: &str, mut ours: impl FnMut() -> Duration, mut plain: impl FnMut() -> Duration) {
    let mut times: Vec<_> = (0..=ROUNDS).map(|_| (ours(), plain())).skip(1).collect();
    let mut ratios: Vec<_> =
        times.iter().map(|(ours, plain)| ours.as_secs_f64() / plain.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    let mut median = |of: fn(&(Duration, Duration)) -> Duration| {
        times.sort_by_key(of);
        times.get(ROUNDS / 2).map(of).unwrap()
    };
    let (ours, plain) = (median(|times| times.0), median(|times| times.1));
    println!("{what:44} {ours:>9.1?} {plain:>9.1?} {:.2} x", ratios.get(ROUNDS / 2).unwrap());
}

fn main() {
    let content: Vec<u8> =
        b"the words of a file, again and again. ".iter().copied().cycle().take(SIZE).collect();
    let files: Vec<_> = (0..FILES).map(|number| (name(number), content.clone())).collect();
    let (loose, paks, pk3s) = (Folder::new(), Folder::new(), Folder::new());
    for (name, content) in &files {
        loose.write(&format!("id1/{name}"), content);
    }
    let entries = || files.iter().map(|(name, content)| (name.as_str(), content.as_slice()));
    paks.write("id1/pak0.pak", pack(Layout::Quake, entries()));
    pk3s.write("id1/pak0.pk3", zip_deflated(entries()));
    println!("{:44} {:>9} {:>9}", "a file of 20 KiB", "quakefs", "plain");
    let plain = FileAssetReader::new(loose.join("id1"));
    for (what, base) in [("an entry of a pak", &paks), ("loose", &loose), ("deflated in a pk3", &pk3s)] {
        let mut app = app(base);
        let server = app.world().resource::<AssetServer>().clone();
        let source = server.get_source(AssetSourceId::from("quake")).unwrap();
        compare(&format!("read, {what}"), || reads(source.reader()), || reads(&plain));
        // this app's default source is the folder of plain files
        let mut other = self::app(&loose);
        compare(&format!("load, {what}"), || loads(&mut app, "quake://"), || loads(&mut other, ""));
    }
}
