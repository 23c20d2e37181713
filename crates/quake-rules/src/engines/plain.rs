//! Rules for a game that is not of the Quake family: no facts of an engine.

use super::prelude::*;

impl Rules {
    /// Rules for a game of one's own: one base folder with this name, and above it any number of mods.
    ///
    /// Each folder has its `.pak` and `.pk3` archives, sorted by name, below its loose files. Names ignore
    /// case, also on Linux, so a game finds the same files on every system. A request is relative, with `/`
    /// or a backslash between its parts. Change the fields for anything else.
    ///
    /// ```
    /// use quake_rules::{ArchiveSet, CommandLine, LoosePosition, Probe, Rules, Spelling};
    /// let mut rules = Rules::plain("mygame");
    /// rules.loose.position = LoosePosition::Below;
    /// rules.archives.sets = vec![ArchiveSet::others(["zip"])].into();
    /// assert!(rules.validate().is_empty());
    ///
    /// let line = CommandLine::read(&rules, ["-game", "mymod"]);
    /// let planned = rules.directories.plan(&line, &rules.stops)?;
    /// assert!(planned.directories.iter().map(|directory| &*directory.name).eq(["mygame", "mymod"]));
    /// let files = ["b.zip", "A.ZIP", "c.pak"].map(str::to_owned).to_vec();
    /// let order = rules.archives.load_order(files, false, Spelling::Exact, |_| Probe::Usable);
    /// assert!(order.archives.iter().map(|loaded| &*loaded.file).eq(["A.ZIP", "b.zip"]));
    /// # Ok::<(), quake_rules::BadGame>(())
    /// ```
    #[must_use]
    pub fn plain(name: impl Into<Text>) -> Rules {
        let mut rules = PLAIN;
        rules.name = name.into();
        rules.directories.base = vec![rules.name.clone()].into();
        rules
    }
}

const PLAIN: Rules = Rules {
    name: Borrowed(""),
    directories: Directories {
        base: texts![],
        stand_ins: list![],
        games: Games::Every,
        default_game: None,
        game_option: texts!["-game"],
        most_games: None,
        game_case: Case::Ignored,
        base_case: Case::Exact,
        odd_games: list![],
        game_folders: texts!["{}"],
        suffixes: texts![],
        read_only: texts![],
        created: texts![],
        engine_folders: texts![],
        named_again: DuplicateMention::MovesUp,
        missions: list![],
        missions_taken: MissionsTaken::Every,
        base_games: Games::Ignored,
        settings: list![],
        listed_by: texts![],
        more_bases: MoreBases::Above,
        program_folder: None,
    },
    archives: Archives {
        sets: list![others(texts!["pak", "pk3"], Case::Ignored, Order::IgnoreCase)],
        own: list![],
        skips_hidden: true,
        prefixes: list![],
        skipped_entries: texts![],
        loose_instead: texts![],
        nested_paks: NestedPaks::Ignored,
        wrong_ends_directory: false,
        case: Case::Ignored,
        duplicates: Duplicates::First,
    },
    paks: Paks {
        layout: None,
        refuses_partial_row: true,
        refuses_cut_directory: true,
        furthest_entry: None,
        parts: NameParts::Slashes,
        unterminated: Unterminated::Whole,
    },
    zips: Zips {
        refused: list![],
        dropped: list![],
        longest_name: None,
        lower_cased: false,
        parts: NameParts::Slashes,
    },
    loose: Loose {
        position: LoosePosition::Above,
        case: LooseCase::Ignored,
        skips_hidden: true,
        only_ascii: false,
        hides: ONLY_UNREADABLE,
    },
    requests: Requests {
        backslash: Backslash::Slash,
        leading_slash: PathRule::Refused,
        hidden_component: PathRule::Refused,
        trailing_slash: PathRule::Refused,
        ..CLEANED
    },
    limits: Limits { entries: None, name: 255, path: None, archives: None },
    needed: Known(Needed::NOTHING),
    stops: stops![],
    registered: None,
    user: None,
    companions: Known(list![]),
    text: None,
    substitutes: Known(NO_REPLACEMENTS),
    console: Known(None),
    // the game's own engine
    program: Program::Native,
    keys: Known(list![]),
    wads: Known(texts![]),
    loads: Unknown,
    requires_skins: false,
    player_model: None,
    studio_groups: StudioGroups::None,
    music_folders: None,
    family: None,
    titles: list![],
    executables: texts![],
    executables_in_stores: texts![],
};
