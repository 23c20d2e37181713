//! The folders of music that an engine reads beside its search path.

use super::mount;
use crate::rules::{DuplicateMention, PLACEHOLDER};
use crate::search_path::{Core, LooseFiles, SearchPath};

impl SearchPath {
    /// The folders of music as a search path of their own; `None` if none is there. The first call looks at
    /// the disk.
    pub(crate) fn music(&self) -> Option<&Core> {
        let found = self.0.music.get_or_init(|| {
            let rules = self.rules();
            let folders = rules.music_folders.as_ref()?;
            let mut of_music = rules.clone();
            let (of_game, always): (Vec<_>, Vec<_>) =
                folders.folders.iter().cloned().partition(|folder| folder.contains(PLACEHOLDER));
            of_music.directories.base = always.into();
            of_music.directories.game_folders = of_game.into();
            of_music.directories.default_game = Some(folders.game.clone());
            of_music.directories.named_again = DuplicateMention::MovesUp;
            of_music.loose.case = folders.case;
            of_music.archives.sets = Vec::new().into();
            of_music.archives.own = Vec::new().into();
            of_music.stops = Vec::new().into();
            of_music.text = None;
            of_music.registered = None;
            let mut builder = self.0.mounted.builder.clone().loose_files(LooseFiles::Live).rules(of_music);
            builder.pushed.clear();
            builder.is_one_of_many = true;
            Some(mount(builder, &[]).ok()?.0)
        });
        found.as_deref()
    }
}
