//! The cost of mounting and lookups for more archives and entries.

use std::hint::black_box;

use quakefs::{Builder, SearchPath};

use crate::games::{self, Game, shuffled};
use crate::measure::{Entrant, Role, duration, medians};
use crate::{IN_USE, entrant};

pub fn scale() {
    println!(
        "\n| archives × entries | mount | file, in use | file, any | miss | memory an entry \
            |\n|---|---|---|---|---|---|"
    );
    let sizes = [(1, 1000), (10, 1000), (100, 1000), (1000, 1000), (1, 10_000), (1, 100_000), (1, 1_000_000)];
    for (archives, entries) in sizes {
        row(archives, entries);
    }
}

fn row(archives: usize, entries: usize) {
    let game = games::paks(archives, entries, &[]);
    let before = allocated();
    let quake = mount(&game, archives);
    let bytes = allocated().abs_diff(before) as f64 / (archives * entries) as f64;

    let mut names = shuffled(archives, entries);
    names.truncate(1 << 17);
    let in_use = &names[..IN_USE.min(names.len())];
    let misses: Vec<_> = in_use.iter().map(|name| format!("{name}x")).collect();
    let find = |name: &String| quake.find(name).is_some();
    let mut entrants = [
        Entrant::new("mount", Role::Quakefs, 1, || drop(black_box(mount(&game, archives)))),
        entrant("in use", Role::Quakefs, 64, in_use, find),
        entrant("any", Role::Quakefs, 1, &names, find),
        entrant("miss", Role::Quakefs, 64, &misses, |name| !find(name)),
    ];
    let times: Vec<_> = medians(7, &mut entrants).into_iter().map(duration).collect();
    println!("| {archives} × {entries} | {} | {bytes:.1} bytes |", times.join(" | "));
}

fn mount(game: &Game, archives: usize) -> SearchPath {
    let paths = game.archives(archives, "pak").into_iter();
    paths.fold(Builder::new(), |builder, path| builder.archive(path)).mount().unwrap()
}

/// The allocated bytes.
fn allocated() -> usize {
    // SAFETY: the function only reads counters.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}
