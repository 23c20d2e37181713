//! Compares quakefs with other readers of archives, and with the floors, on the same files, in one run, in
//! turn.

mod by_hand;
mod games;
mod measure;
#[cfg(feature = "physfs")]
mod physfs;
mod scale;

#[cfg(feature = "physfs")]
use std::ffi::CString;
use std::fs::File;
use std::hint::black_box;
use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use assets_manager::source::{DirEntry, Source as _, Zip};
use qpak_lib::PakFile;
use quakefs::{Engine, LooseFiles, SearchPath};
use vfs::{MemoryFS, OverlayFS, PhysicalFS, VfsPath};
use walkdir::WalkDir;
use zip::{CompressionMethod, ZipArchive};

use crate::by_hand::ByHand;
use crate::games::{Game, name, shuffled};
use crate::measure::{Entrant, Role, compare};

const ARCHIVES: usize = 8;
const ENTRIES: usize = 20_000;
/// The number of names in use: about as many as a level with its models and sounds.
const IN_USE: usize = 1024;
/// The number of rounds.
const ROUNDS: usize = 31;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let tables: [(&str, fn()); 5] = [
        ("mount", mounting),
        ("lookup", lookup),
        ("read", reading),
        ("list", listing),
        ("scale", scale::scale),
    ];
    println!("| what | quakefs | to the best other | others | floors |\n|---|---|---|---|---|");
    for (what, table) in tables {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == what) {
            table();
        }
    }
}

fn quakefs(base: &Path, engine: Engine) -> SearchPath {
    SearchPath::builder(base).engine(engine).loose_files(LooseFiles::Listed).mount().unwrap()
}

fn zips(paths: &[PathBuf]) -> Vec<ZipArchive<File>> {
    paths.iter().map(|path| ZipArchive::new(File::open(path).unwrap()).unwrap()).collect()
}

fn assets(paths: &[PathBuf]) -> Vec<Zip> {
    paths.iter().map(|path| Zip::open(path).unwrap()).collect()
}

/// A name for assets_manager: with `.` between parts, and the extension separate.
fn asset(name: &str) -> (String, String) {
    let (stem, extension) = name.rsplit_once('.').unwrap();
    (stem.replace('/', "."), extension.to_owned())
}

/// Sets of archives of the same names and contents.
struct Both {
    paks: Game,
    pk3s: Game,
    archives: usize,
}

impl Both {
    fn new(archives: usize, entries: usize, content: &[u8], method: CompressionMethod) -> Self {
        let paks = games::paks(archives, entries, content);
        Both { paks, pk3s: games::pk3s(archives, entries, content, method), archives }
    }

    fn paks(&self) -> Vec<PathBuf> {
        self.paks.archives(self.archives, "pak")
    }

    fn pk3s(&self) -> Vec<PathBuf> {
        self.pk3s.archives(self.archives, "pk3")
    }
}

fn mounting() {
    for (what, archives, entries, times) in
        [("mount of 1 × 10 entries", 1, 10, 50), ("mount of 8 × 20,000", ARCHIVES, ENTRIES, 1)]
    {
        let game = Both::new(archives, entries, &[0; 16], CompressionMethod::Stored);
        let (paks, pk3s) = (game.paks(), game.pk3s());
        let again = |work: &dyn Fn()| (0..times).for_each(|_| work());
        #[cfg_attr(not(feature = "physfs"), expect(unused_mut))]
        let mut entrants = vec![
            Entrant::new("quakefs", Role::Quakefs, times, || {
                again(&|| {
                    let base = game.paks.base();
                    black_box(SearchPath::builder(base).engine(Engine::WinQuake).mount().unwrap());
                });
            }),
            Entrant::new("a `HashMap` by hand", Role::Peer, times, || {
                again(&|| drop(black_box(ByHand::mount(&paks))));
            }),
            Entrant::new("qpak, no index", Role::Peer, times, || {
                again(&|| paks.iter().for_each(|pak| drop(black_box(PakFile::from_file_sync(pak).unwrap()))));
            }),
            Entrant::new("zip", Role::Peer, times, || again(&|| drop(black_box(zips(&pk3s))))),
            Entrant::new("assets_manager", Role::Peer, times, || again(&|| drop(black_box(assets(&pk3s))))),
            Entrant::new("the directories read", Role::Floor, times, || {
                again(&|| paks.iter().for_each(|pak| drop(black_box(directory(pak)))));
            }),
        ];
        #[cfg(feature = "physfs")]
        entrants.push(Entrant::new("PhysicsFS", Role::Peer, times, || {
            again(&|| drop(black_box(physfs::mount(&paks))));
        }));
        compare(what, if entries == ENTRIES { 7 } else { ROUNDS }, entrants);
    }
}

/// The bytes of the rows of a pak.
fn directory(pak: &Path) -> Vec<u8> {
    let file = File::open(pak).unwrap();
    let mut header = [0; 12];
    file.read_exact_at(&mut header, 0).unwrap();
    let field = |at: usize| u32::from_le_bytes(*header[at..].first_chunk().unwrap());
    let mut rows = vec![0; field(8) as usize];
    file.read_exact_at(&mut rows, field(4).into()).unwrap();
    rows
}

fn lookup() {
    let game = Both::new(ARCHIVES, ENTRIES, &[0; 16], CompressionMethod::Stored);
    let quake = quakefs(game.paks.base(), Engine::WinQuake);
    let by_hand = ByHand::mount(game.paks());
    let (zips, assets) = (zips(&game.pk3s()), assets(&game.pk3s()));
    let overlay = overlay();
    #[cfg(feature = "physfs")]
    let mounted = physfs::mount(game.paks());

    let files = shuffled(ARCHIVES, ENTRIES)[..IN_USE].to_vec();
    let misses: Vec<_> = files.iter().map(|name| format!("{name}x")).collect();
    for (what, names, is_there) in
        [("found, 1,024 names in use of 8 × 20,000", &files, true), ("not found, the same", &misses, false)]
    {
        let ids: Vec<_> = names.iter().map(|name| asset(name)).collect();
        #[cfg(feature = "physfs")]
        let c_names: Vec<_> = names.iter().map(|name| CString::new(&**name).unwrap()).collect();
        let mut entrants = vec![
            entrant("quakefs", Role::Quakefs, 64, names, |name| quake.find(name).is_some() == is_there),
            entrant("a `HashMap` by hand", Role::Peer, 64, names, |name| {
                by_hand.find(name.as_bytes()).is_some() == is_there
            }),
            entrant("zip, each tried", Role::Peer, 1, &names[..16], |name| {
                zips.iter().rev().any(|zip| zip.index_for_name(name).is_some()) == is_there
            }),
            entrant("assets_manager, each tried", Role::Peer, 8, &ids, |(id, extension)| {
                assets.iter().rev().any(|zip| zip.exists(DirEntry::File(id, extension))) == is_there
            }),
            entrant("vfs, overlay in memory", Role::Peer, 1, names, |name| {
                overlay.join(name).unwrap().exists().unwrap() == is_there
            }),
        ];
        #[cfg(feature = "physfs")]
        entrants.push(entrant("PhysicsFS", Role::Peer, 1, &c_names[..64], |name| {
            mounted.exists(name) == is_there
        }));
        if is_there {
            let size =
                entrant("quakefs", Role::Quakefs, 64, names, |name| quake.find(name).unwrap().size() == 16);
            compare(what, ROUNDS, entrants);
            compare("the same file and its size", ROUNDS, vec![size]);
        } else {
            compare(what, ROUNDS, entrants);
        }
    }
}

/// Looks up each name several times; `ask` returns whether the answer is right.
fn entrant<'a, T>(
    name: &'static str,
    role: Role,
    times: usize,
    names: &'a [T],
    ask: impl Fn(&T) -> bool + 'a,
) -> Entrant<'a> {
    Entrant::new(name, role, times * names.len(), move || {
        for _ in 0..times {
            for name in names {
                assert!(ask(black_box(name)), "{}", std::any::type_name::<T>());
            }
        }
    })
}

/// The names in eight file systems in memory, the highest last.
fn overlay() -> VfsPath {
    let layer = |archive| {
        let root = VfsPath::new(MemoryFS::new());
        for entry in 0..ENTRIES {
            let file = root.join(name(archive, entry)).unwrap();
            file.parent().create_dir_all().unwrap();
            file.create_file().unwrap();
        }
        root
    };
    let layers: Vec<_> = (0..ARCHIVES).rev().map(layer).collect();
    VfsPath::new(OverlayFS::new(&layers))
}

fn reading() {
    let content = games::text();
    let name = name(0, 500);
    let (id, extension) = asset(&name);
    #[cfg(feature = "physfs")]
    let c_name = CString::new(&*name).unwrap();
    let plain = games::loose(IN_USE, &content);
    let plain_path = plain.id1().join(&name);
    for (what, method, times) in [
        ("read of 20 KiB stored", CompressionMethod::Stored, 200),
        ("read of 20 KiB deflated", CompressionMethod::Deflated, 50),
    ] {
        let game = Both::new(1, IN_USE, &content, method);
        let is_stored = method == CompressionMethod::Stored;
        let quake = if is_stored {
            quakefs(game.paks.base(), Engine::WinQuake)
        } else {
            quakefs(game.pk3s.base(), Engine::Qss)
        };
        let (mut zips, assets) = (zips(&game.pk3s()), assets(&game.pk3s()));
        let by_hand = ByHand::mount(game.paks());
        #[cfg(feature = "physfs")]
        let mounted = physfs::mount(if is_stored { game.paks() } else { game.pk3s() });
        let again = move |check: &mut dyn FnMut() -> usize| {
            (0..times).for_each(|_| assert_eq!(black_box(check()), 20 * 1024));
        };
        let mut entrants = vec![
            Entrant::new("quakefs", Role::Quakefs, times, || again(&mut || quake.read(&name).unwrap().len())),
            Entrant::new("zip", Role::Peer, times, || {
                again(&mut || {
                    let mut file = zips[0].by_name(&name).unwrap();
                    let mut bytes = Vec::with_capacity(file.size() as usize);
                    file.read_to_end(&mut bytes).unwrap();
                    bytes.len()
                });
            }),
            Entrant::new("assets_manager", Role::Peer, times, || {
                again(&mut || assets[0].read(&id, &extension).unwrap().as_ref().len());
            }),
            Entrant::new("a plain file", Role::Floor, times, || {
                again(&mut || std::fs::read(&plain_path).unwrap().len());
            }),
        ];
        if is_stored {
            entrants.push(Entrant::new("a `HashMap` by hand, copied", Role::Peer, times, || {
                again(&mut || by_hand.read(name.as_bytes()).len());
            }));
        }
        #[cfg(feature = "physfs")]
        entrants.push(Entrant::new("PhysicsFS", Role::Peer, times, || {
            again(&mut || mounted.read(&c_name).len())
        }));
        compare(what, ROUNDS, entrants);
    }
}

fn listing() {
    let game = games::loose(ENTRIES, &[0; 16]);
    let quake = SearchPath::builder(game.base()).engine(Engine::WinQuake).mount().unwrap();
    let vfs = VfsPath::new(PhysicalFS::new(game.id1()));
    let files = || {
        WalkDir::new(game.id1()).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file())
    };
    #[cfg(feature = "physfs")]
    let mounted = physfs::mount([game.id1()]);
    let count = |work: &dyn Fn() -> usize| assert_eq!(work(), ENTRIES);
    let entrants = vec![
        Entrant::new("quakefs", Role::Quakefs, 1, || count(&|| quake.files().count())),
        #[cfg(feature = "physfs")]
        Entrant::new("PhysicsFS", Role::Peer, 1, || count(&|| mounted.count(c""))),
        Entrant::new("vfs", Role::Peer, 1, || {
            count(&|| {
                vfs.walk_dir().unwrap().filter(|path| path.as_ref().unwrap().is_file().unwrap()).count()
            });
        }),
        Entrant::new("walkdir", Role::Floor, 1, || count(&|| files().count())),
    ];
    compare("list of 20,000 loose files", ROUNDS, entrants);
    let entrants = vec![
        Entrant::new("quakefs", Role::Quakefs, 1, || {
            count(&|| quake.files().filter(|file| file.size() == 16).count())
        }),
        Entrant::new("walkdir", Role::Floor, 1, || {
            count(&|| files().filter(|entry| entry.metadata().unwrap().len() == 16).count());
        }),
    ];
    compare("the same with sizes", ROUNDS, entrants);
}
