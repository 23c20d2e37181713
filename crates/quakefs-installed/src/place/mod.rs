//! The place of a download in a base directory, and the options that start it.

mod download;
mod folders;
mod misplaced;
mod nothing;
mod placement;
mod placer;
mod signs;
mod texts;
#[cfg(feature = "fs")]
mod write;

use std::borrow::Cow;

use camino::Utf8PathBuf;
use quakefs::Rules;

pub use self::download::Download;
use self::folders::is_folder;
pub use self::misplaced::{Misplaced, MisplacedKind, misplaced};
pub use self::nothing::Nothing;
pub use self::placement::{By, Note, Options, Part, Placed, Placement, Start};
use self::placer::Placer;

/// Finds where the files of a download go, from its names, its texts and the first bytes of levels and
/// models.
///
/// The strongest evidence decides: a folder that holds files of a game; the author's text; levels without a
/// folder, which go into the base game; the file name of the download, which is a guess. What lies around a
/// game's folder stays in the download. An archive in the download is opened unless a folder or a text shows
/// that the download is one mod: levels beside archives are a collection. The ZIPs of such a folder can be
/// [`downloads`](Placement::downloads) of their own.
///
/// ```
/// use quakefs::Archive;
/// use quakefs_installed::{Download, PlaceOptions, place};
/// # let files = [("progs_dump-3.0.1/pd/progs.dat", "x"), ("progs_dump-3.0.1/readme.txt", "x")];
/// # let zip = testutils::zip(files);
/// let archive = Archive::from_data(zip.into())?;
/// let placement = place(&Download::archive(&archive, "progs_dump-3.0.1.zip"), &PlaceOptions::default());
/// let part = &placement.parts[0];
/// assert_eq!((&*part.from, &*part.to, part.by.name()), ("progs_dump-3.0.1/pd/", "pd/", "folder"));
/// assert_eq!(placement.starts[0].words(&placement.family), ["-game", "pd"]);
/// # Ok::<(), quakefs::Error>(())
/// ```
#[must_use]
pub fn place(download: &Download, options: &Options<'_>) -> Placement {
    let size = download.size;
    let download = download.as_loaded(options.directories);
    let own = if options.splits { download.own_downloads() } else { Vec::new() };
    let download =
        &*if own.is_empty() { Cow::Borrowed(download) } else { Cow::Owned(download.without(&own)) };
    let mut placement = Placer::new(download, options).placement();
    if let Some((first, error)) = download.undecodable.first() {
        placement.go_nowhere(Nothing::Undecodable);
        let (first, error, more) = (first.clone(), error.clone(), download.undecodable.len() - 1);
        placement.notes.push(Note::Undecodable { first, error, more });
        return placement;
    }
    if let Some(engine) = download.engine().filter(|_| options.name.is_none()) {
        placement.go_nowhere(Nothing::Engine(engine));
        return placement;
    }
    let is_loaded = |rules: &Rules| rules.archives.loads(&download.name);
    if download.within.is_some()
        && !options.engine.is_some_and(is_loaded)
        && let Some(why) = download.why_nothing()
    {
        placement.go_nowhere(why);
        return placement;
    }
    if options.name.is_some_and(|name| !is_folder(name)) {
        placement.go_nowhere(Nothing::BadName);
        return placement;
    }
    let paths = own.iter().filter_map(|found| Utf8PathBuf::from_path_buf(found.on_disk.clone()).ok());
    placement.downloads.extend(paths);
    let is_collection = placement.parts.iter().all(|part| part.by == By::Levels);
    if is_collection && own.is_empty() {
        for (archive, opened) in download.inner() {
            match opened {
                Ok(inner) => {
                    let found = Placer::new(&inner, options).placement();
                    if !found.parts.is_empty() {
                        placement.add(found, &archive);
                    }
                }
                Err(error) => placement.notes.push(Note::Unread { archive, error }),
            }
        }
    }
    placement.size = size;
    let why = || download.why_nothing().unwrap_or_else(|| Nothing::of(&placement.left));
    placement.nothing = (placement.parts.is_empty() && own.is_empty()).then(why);
    if !matches!(placement.nothing, None | Some(Nothing::Unknown)) {
        // the reason tells more than the fault
        placement.notes.retain(|note| !matches!(note, Note::Unread { .. }));
    }
    placement
}
