//! A browser of the merged tree: folders and files, each with its layer, and the findings about the game with
//! advice.
//!
//! `cargo run --example browse -- BASEDIR [GAME]`; without arguments it shows a small game with a gap in its
//! archives.

#![expect(clippy::disallowed_methods, reason = "a program reads its arguments")]

use std::env;
use std::error::Error;

use quakefs::sentences::{Help, counted};
use quakefs::tree::TreeNode;
use quakefs::why::{check, overridden};
use quakefs::{Builder, Engine, File, SearchPath};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let base = arguments.next();
    let game = if base.is_some() { arguments.next() } else { Some("gapmod".to_owned()) };
    let builder = SearchPath::builder(base.as_deref().unwrap_or(GAME)).engine(Engine::QuakeSpasm);
    let quake = game.into_iter().fold(builder, Builder::game).mount()?;

    println!("layers, the highest first");
    let (files, overridden): (Vec<_>, _) = (quake.files().collect(), overridden(&quake));
    for layer in quake.layers() {
        let is_in = |file: &&File<'_>| file.layer().index() == layer.index();
        let serves = files.iter().filter(is_in).count();
        let overridden = overridden.iter().filter(|pair| is_in(&&pair.copy)).count();
        println!("  {:18} {serves} served, {overridden} overridden", layer.name());
    }

    println!("\nfiles");
    // the tree borrows nothing: a window can keep it
    let tree = quake.tree();
    print(tree.root(), 1);
    for without_path in tree.without_path() {
        println!("  not shown: {}: {}", without_path.file.name(), without_path.because);
    }

    println!("\nfindings");
    for finding in check(&quake) {
        println!("  {}: {finding}", finding.severity);
        if let Some(help) = finding.help(None) {
            println!("    {help}");
        }
    }
    Ok(())
}

fn print(folder: TreeNode<'_>, depth: usize) {
    for child in folder.children() {
        let (indent, name) = ("  ".repeat(depth), child.name);
        match child.file {
            Some(file) => {
                let from = file.layer().name();
                println!("{indent}{name:w$} {:>6}  {from}", file.size(), w = 30 - indent.len());
            }
            None => {
                let counts = child.counts;
                println!("{indent}{name}/ ({})", counted(counts.files, "file", "files"));
                print(child, depth + 1);
            }
        }
    }
}
