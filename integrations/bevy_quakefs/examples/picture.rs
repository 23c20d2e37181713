//! Shows a picture of a game in a terminal with colours: `picture BASE [NAME]`

#![allow(
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::print_stdout,
    reason = "a program: it reads its arguments, has systems, and prints"
)]

use bevy_app::{App, AppExit, ScheduleRunnerPlugin, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle, LoadState};
use bevy_ecs::message::MessageWriter;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::Res;
use bevy_image::Image;
use bevy_quakefs::{QuakeAssetPlugin, QuakeTexturePlugin};
use quakefs::Engine;

/// The most columns of the terminal that are used.
const COLUMNS: u32 = 80;

#[derive(Resource)]
struct Shown(Handle<Image>);

fn show(
    shown: Res<'_, Shown>,
    images: Res<'_, Assets<Image>>,
    server: Res<'_, AssetServer>,
    mut exit: MessageWriter<'_, AppExit>,
) {
    if let LoadState::Failed(error) = server.load_state(&shown.0) {
        println!("{error}");
        exit.write(AppExit::error());
    }
    let Some(image) = images.get(&shown.0) else { return };
    let (width, pixels) = (image.width(), image.data.as_deref().unwrap_or_default());
    let step = width.div_ceil(COLUMNS).max(1);
    let colour = |x: u32, y: u32| {
        let at = (y * width + x) as usize * 4;
        let [red, green, blue] = pixels.get(at..)?.first_chunk()?;
        Some(format!("{red};{green};{blue}"))
    };
    // a character is two pixels high: the upper half in front, the lower half behind
    for y in (0..image.height()).step_by(2 * step as usize) {
        for x in (0..width).step_by(step as usize) {
            let (upper, lower) = (colour(x, y).unwrap_or_default(), colour(x, y + step).unwrap_or_default());
            print!("\x1b[38;2;{upper}m\x1b[48;2;{lower}m\u{2580}");
        }
        println!("\x1b[0m");
    }
    exit.write(AppExit::Success);
}

fn main() -> AppExit {
    let mut args = std::env::args().skip(1);
    let base = args.next().unwrap_or_else(|| "../testdata/game".to_owned());
    let name = args.next().unwrap_or_else(|| "gfx/conback.lmp".to_owned());
    let quake = QuakeAssetPlugin { engine: Engine::QuakeSpasm, base: base.into(), ..Default::default() };
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), quake, AssetPlugin::default(), QuakeTexturePlugin));
    app.add_plugins(ScheduleRunnerPlugin::default()).add_systems(Update, show);
    let shown = app.world().resource::<AssetServer>().load(format!("quake://{name}"));
    app.insert_resource(Shown(shown)).run()
}
