//! The picture of the page for the README: `cargo run --bin picture -- docs/images/report.png`.
//!
//! The game is the sample of the page.

use std::path::PathBuf;
use std::time::Duration;

use quakefs_browser::{browse, report};
use testutils::{Folder, sample};

fn main() {
    let Some(file) = std::env::args_os().nth(1).map(PathBuf::from) else { panic!("picture FILE") };
    let game = game();
    let page = game.path().join("report.html").into_std_path_buf();
    report(&["--basedir", game.path().as_str(), "--engine", "fte", "--game", "cellar"], &page);
    browse(&page, async |page| {
        page.screen(1120, 1140).await;
        let conflict = "[...document.querySelectorAll('#conflicts details')].find((one) => \
            one.innerText.includes('conback'))";
        page.run(&format!("{conflict}.open = true")).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        page.screenshot(&file).await;
    });
}

fn game() -> Folder {
    let folder = Folder::new();
    for (path, bytes) in sample::files() {
        folder.write(path, bytes);
    }
    folder
}
