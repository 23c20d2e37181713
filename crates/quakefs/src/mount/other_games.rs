//! Other games in the same base directories.

use std::collections::HashSet;

use super::given::folders_in;
use super::{keeping, mount};
use crate::content::is_content_folder;
use crate::rules::Case;
use crate::search_path::{Layer, LooseFiles, OtherGame, SearchPath};

impl SearchPath {
    /// The games in the same base directories that are not mounted, sorted by name. A file that is missing
    /// here may be in one of them.
    ///
    /// The first call opens their archives and keeps them. Call [`remount`](Self::remount) to look again.
    pub(crate) fn other_games(&self) -> &[OtherGame] {
        self.0.other_games.get_or_init(|| {
            let searched = searched(self);
            let mut folders: Vec<String> =
                self.roots().iter().flat_map(|root| folders_in(&**self.disk(), root)).collect();
            // names like these belong to settings and repositories, or are folders of a game's files
            folders.retain(|name| !name.starts_with('.') && !is_content_folder(name));
            folders.sort_unstable();
            folders.dedup();
            folders.into_iter().filter_map(|folder| other_game(self, &searched, folder)).collect()
        })
    }
}

/// The names of the directories that are searched, whether they exist or not.
fn searched(search_path: &SearchPath) -> Vec<String> {
    let (builder, rules) = (&search_path.0.mounted.builder, search_path.rules());
    let planned = rules.directories.plan(&builder.line, &rules.stops);
    let planned = planned.map(|planned| planned.directories).unwrap_or_default();
    planned.into_iter().map(|directory| directory.name).collect()
}

/// The game of a folder, if the engine would search the folder when started with it.
fn other_game(search_path: &SearchPath, searched: &[String], folder: String) -> Option<OtherGame> {
    let rules = search_path.rules();
    let case =
        if search_path.loose().case.is_ignored() { Case::Ignored } else { rules.directories.game_case };
    let as_compared = |name: &str| case.fold(name.as_bytes());
    let is_searched = |name: &str| searched.iter().any(|searched| as_compared(searched) == as_compared(name));
    if is_searched(&folder) {
        return None;
    }
    let _span = tracing::info_span!("another game", folder).entered();
    let mission = rules.directories.missions.iter().find(|mission| mission.directory == *folder);
    let mission = mission.map(|mission| mission.flag.to_string());
    let mut builder = search_path.0.mounted.builder.clone().without_games().loose_files(LooseFiles::Live);
    builder.pushed.clear();
    builder.is_one_of_many = true;
    let builder = match &mission {
        Some(mission) => builder.mission(mission),
        None => builder.game(&folder),
    };
    let with_game = mount(builder, &search_path.0.mounted.layers.0).ok()?;
    let is_other =
        |layer: &Layer| layer.game_directory().is_some_and(|directory| !is_searched(&directory.name));
    let others: HashSet<&str> = with_game.layers().filter(|layer| is_other(layer)).map(Layer::name).collect();
    let kept = keeping(&with_game.0.mounted, |layer| others.contains(layer.name())).ok()?;
    Some(OtherGame { directory: folder, mission, search_path: kept.0 })
}
