//! Finds conditions in `stops` that can never occur under the other rules.

use crate::fault::Faults;
use crate::{ArchiveKind, ArchiveSet, EngineStop, GameText, Games, OddGame, Rules};

const NO_GAMES: &str = "directories.games is ignored";

/// Reports the stops that an engine with these rules can never reach.
pub(crate) fn of_stops(rules: &Rules, faults: &mut Faults) {
    faults.twice("stops", &rules.stops);
    faults.no_effects("stops", &rules.stops, |stop| never(*stop, rules));
    let stops = rules.stops.contains(&EngineStop::WrongArchive);
    let goes_on = rules.archives.kinds().any(|kind| kind != ArchiveKind::Pak);
    if stops && !goes_on && rules.archives.wrong_ends_directory {
        faults.no_effect("archives.wrong-ends-directory", "wrong-archive is in stops");
    }
}

impl Rules {
    /// Removes the stops that an engine with these rules can never reach.
    #[cfg(feature = "toml")]
    pub(crate) fn drop_impossible_stops(&mut self) {
        let mut stops = std::mem::take(&mut self.stops).into_owned();
        stops.retain(|stop| never(*stop, self).is_none());
        self.stops = stops.into();
    }
}

/// The reason why the engine can never reach a stop. Returns `None` if it can.
fn never(stop: EngineStop, rules: &Rules) -> Option<&'static str> {
    let directories = &rules.directories;
    let registered = rules.registered.as_ref();
    let loads = |kind| rules.archives.kinds().any(|found| found == kind);
    let is_numbered = |set: &ArchiveSet| matches!(set, ArchiveSet::Numbered { .. });
    let (impossible, why) = match stop {
        EngineStop::OddGame
            if directories.games == Games::Ignored && directories.base_games == Games::Ignored =>
        {
            (true, NO_GAMES)
        }
        EngineStop::OddGame => {
            let refused = |odd: &OddGame| matches!(odd, OddGame::Refused(_));
            (!directories.odd_games.iter().any(refused), "directories.odd-games refuses no name")
        }
        EngineStop::OtherGame => (directories.listed_by.is_empty(), "directories.listed-by is empty"),
        EngineStop::MissingGame | EngineStop::UnreadableGame => {
            (directories.games == Games::Ignored, NO_GAMES)
        }
        EngineStop::MissingGameInfo => {
            (!matches!(rules.text, Some(GameText::GameInfo { .. })), "text is no game-info")
        }
        EngineStop::MissingFirstArchive | EngineStop::NotAFile => {
            (!rules.archives.sets.iter().any(is_numbered), "archives.sets has no numbered set")
        }
        EngineStop::CutDirectory if !rules.paks.refuses_cut_directory => {
            (true, "paks.refuses-cut-directory is false")
        }
        EngineStop::TooManyEntries if rules.limits.entries.is_none() => (true, "limits.entries is none"),
        EngineStop::TooManyArchives => (rules.limits.archives.is_none(), "limits.archives is none"),
        EngineStop::FarEntry if rules.paks.furthest_entry.is_none() => (true, "paks.furthest-entry is none"),
        EngineStop::LongZipName if rules.zips.longest_name.is_none() => (true, "zips.longest-name is none"),
        EngineStop::WrongArchive
        | EngineStop::TooManyEntries
        | EngineStop::NegativeDirectory
        | EngineStop::CutDirectory
        | EngineStop::FarEntry
        | EngineStop::CutEntry => (!loads(ArchiveKind::Pak), "no PACK archive is loaded"),
        EngineStop::BytesInFront | EngineStop::LongZipName | EngineStop::BadZipEntry => {
            (!loads(ArchiveKind::Zip), "no ZIP archive is loaded")
        }
        EngineStop::EmptyArchive | EngineStop::EntryOutside => {
            (rules.archives.kinds().next().is_none(), "no archive is loaded")
        }
        EngineStop::Unregistered | EngineStop::WrongRegistered if registered.is_none() => {
            (true, "registered is none")
        }
        EngineStop::WrongRegistered => {
            let any = registered.is_some_and(|file| file.size.is_none() && file.crc32.is_none());
            (any, "registered takes any content")
        }
        EngineStop::Unregistered
        | EngineStop::OddFileName
        | EngineStop::EmptyFile
        | EngineStop::FolderAsFile
        | EngineStop::Pipe
        | EngineStop::LinkLoop => (false, ""),
    };
    impossible.then_some(why)
}

#[cfg(test)]
mod tests {
    use crate::documented::{Documented as _, Shape};
    use crate::fault::tests::check;
    use crate::{Engine, EngineStop, Games, Rules};

    #[test]
    fn a_stop_that_the_engine_never_comes_to_is_a_fault() {
        let only = |stop| {
            move |rules: &mut Rules| {
                *rules = Engine::DarkPlaces.rules().clone();
                rules.stops = vec![stop].into();
            }
        };
        let Shape::Words(words) = EngineStop::SHAPE else { panic!("a stop is a word") };
        for word in words {
            let stop: EngineStop = serde_json::from_value(word.key().into()).unwrap();
            let expected = match stop {
                EngineStop::MissingFirstArchive | EngineStop::NotAFile => "archives.sets has no numbered set",
                EngineStop::MissingGameInfo => "text is no game-info",
                EngineStop::TooManyArchives => "limits.archives is none",
                EngineStop::FarEntry => "paks.furthest-entry is none",
                EngineStop::WrongRegistered => "registered takes any content",
                EngineStop::OtherGame => "directories.listed-by is empty",
                _ => {
                    check(only(stop), &[]);
                    continue;
                }
            };
            check(only(stop), &[&format!("stops[0]: no effect, because {expected}")]);
        }
    }

    #[test]
    fn a_stop_needs_the_rule_that_it_belongs_to() {
        let with = |stop, change: fn(&mut Rules), why: &str| {
            let change = move |rules: &mut Rules| {
                rules.stops = vec![stop].into();
                change(rules);
            };
            check(change, &[&format!("stops[0]: no effect, because {why}")]);
        };
        with(EngineStop::OddGame, |_| {}, "directories.odd-games refuses no name");
        with(
            EngineStop::OddGame,
            |rules| rules.directories.games = Games::Ignored,
            "directories.games is ignored",
        );
        with(
            EngineStop::MissingGame,
            |rules| rules.directories.games = Games::Ignored,
            "directories.games is ignored",
        );
        with(EngineStop::CutDirectory, |_| {}, "paks.refuses-cut-directory is false");
        with(EngineStop::TooManyEntries, |rules| rules.limits.entries = None, "limits.entries is none");
        with(EngineStop::LongZipName, |_| {}, "zips.longest-name is none");
        with(EngineStop::BadZipEntry, |_| {}, "no ZIP archive is loaded");
        with(
            EngineStop::NegativeDirectory,
            |rules| rules.archives.sets = Vec::new().into(),
            "no PACK archive is loaded",
        );
        with(
            EngineStop::EmptyArchive,
            |rules| rules.archives.sets = Vec::new().into(),
            "no archive is loaded",
        );
        with(EngineStop::Unregistered, |rules| rules.registered = None, "registered is none");
        check(
            |rules| rules.stops = vec![EngineStop::Pipe, EngineStop::Pipe].into(),
            &["stops[1]: no effect, because it is in the list already"],
        );
        check(
            |rules| rules.archives.wrong_ends_directory = true,
            &["archives.wrong-ends-directory: no effect, because wrong-archive is in stops"],
        );
    }
}
