//! Archives where the engine does not look.

use std::path::Path;

use crate::archive::ArchiveEntry;
use crate::search_path::Hidden;
use crate::why::overridden::decode_budget;
use crate::{Archive, Layer, SearchPath};

/// How many archives inside subfolders, and how many inside other archives, are opened at most.
const MOST_ARCHIVES: usize = 64;

/// The archives in direct subfolders of the game directories, then those inside other archives. The first
/// call opens them and keeps their names.
pub(super) fn hidden_archives(search_path: &SearchPath) -> &[Hidden] {
    search_path.0.hidden.get_or_init(|| {
        let case = search_path.rules().archives.case;
        let hidden = |opened: &Archive, archive: String, folder: &str, directory: &str| {
            let names = opened.entries().map(|entry| case.fold(entry.name().as_bytes())).collect();
            Hidden { archive, folder: folder.to_owned(), directory: directory.to_owned(), names }
        };
        let below = in_subfolders(search_path).take(MOST_ARCHIVES).filter_map(|(layer, folder, file)| {
            let opened = search_path.open_skipped(&layer.system_path()?.join(&folder).join(&file)).ok()?;
            let folder = format!("{}{folder}/", layer.name());
            Some(hidden(&opened, format!("{folder}{file}"), &folder, layer.name()))
        });
        let mut budget = decode_budget(search_path);
        let packed = search_path
            .layers()
            .flat_map(|layer| packed_archives(search_path, layer).map(move |entry| (layer, entry)));
        let packed = packed.take(MOST_ARCHIVES).filter_map(|(layer, entry)| {
            let bytes = budget.take(entry.size()).then(|| entry.read().ok())??;
            let opened = Archive::from_data(bytes).ok()?;
            let name = format!("{}/{}", layer.name(), entry.name());
            Some(hidden(&opened, name, layer.name(), folder_of(layer)))
        });
        below.chain(packed).collect()
    })
}

/// The archives in direct subfolders of the game directories: the directory's layer, the folder, the file.
fn in_subfolders(search_path: &SearchPath) -> impl Iterator<Item = (&Layer, String, String)> {
    let names = |folder: &Path| {
        let items = search_path.disk().list(folder).unwrap_or_default();
        let mut names: Vec<_> =
            items.into_iter().filter_map(|item| String::from_utf8(item.name).ok()).collect();
        names.sort_unstable();
        names
    };
    let layers = search_path.layers().filter(|layer| layer.game_directory().is_some());
    let folders = layers.filter(|layer| layer.archive().is_none());
    let folders = folders.filter_map(|layer| Some((layer, layer.system_path()?)));
    folders.flat_map(move |(layer, path)| {
        names(path.as_std_path()).into_iter().flat_map(move |folder| {
            let files = names(path.join(&folder).as_std_path()).into_iter();
            let archives = files.filter(|file| search_path.rules().archives.is_archive_name(file));
            archives.map(move |file| (layer, folder.clone(), file))
        })
    })
}

/// The entries of an archive that have names of archives but are not layers.
pub(crate) fn packed_archives<'s>(
    search_path: &'s SearchPath,
    layer: &'s Layer,
) -> impl Iterator<Item = ArchiveEntry<'s>> {
    let of_game = layer.archive().filter(|_| layer.game_directory().is_some());
    let entries = of_game.into_iter().flat_map(Archive::entries);
    entries.filter(move |entry| {
        let name = entry.name();
        let is_layer = || {
            search_path.layers().any(|other| {
                let below = other.name().strip_prefix(layer.name()).and_then(|rest| rest.strip_prefix('/'));
                below == name.to_str()
            })
        };
        let is_archive =
            search_path.rules().archives.is_archive_name(name.as_bytes()) && name.to_str().is_some();
        is_archive && !entry.row().is_folder && !is_layer()
    })
}

/// The folder of an archive, named like a layer.
pub(crate) fn folder_of(layer: &Layer) -> &str {
    let name = layer.name();
    name.rfind('/').and_then(|slash| name.get(..=slash)).unwrap_or(name)
}
