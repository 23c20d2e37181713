//! What a row is true of: a version of the engine, and for each aspect whether it was run.

use std::fmt;

use super::Engine;
use crate::{ArchiveKind, Rules, SubstituteKind};

/// The version of an engine that its rules describe, and the evidence for them.
///
/// ```
/// use quake_rules::Engine;
/// let as_of = Engine::QssM.as_of();
/// assert_eq!((as_of.version, as_of.commit, as_of.date), ("QSS-M after 1.5.5", "46a47195", "2024-10-23"));
/// let aspects = Engine::QssM.aspects();
/// assert!(aspects.contains(&("archives", true)) && aspects.contains(&("user", false)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsOf {
    /// The program and its version: `MVDSV 0.35`.
    pub version: &'static str,
    /// The start of the commit's hash in the engine's repository; empty if the source is not public or has no
    /// commit.
    pub commit: &'static str,
    /// The date of the commit or of the release, such as `2022-07-31`, or only its year.
    pub date: &'static str,
    /// The kinds of layouts on which the engine was run, each with the keys of the rules that they test.
    /// Every answer is a test of this project. Other rules were only read in the engine's source or its
    /// documents.
    pub run: &'static [&'static [&'static str]],
}

/// Random layouts: `testdata/conformance/NAME.json.gz`.
pub(super) const RANDOM: &[&str] = &["directories", "archives", "loose", "requests"];

/// Layouts made by hand, many of them damaged: `testdata/conformance/wide` and `releases`.
pub(super) const BY_HAND: &[&str] = &["paks", "zips", "limits", "stops", "registered", "user"];

/// Levels with files beside them: `testdata/conformance/companions`.
pub(super) const COMPANIONS: &[&str] = &["companions"];

/// Games with a text that changes the search path: `testdata/conformance/texts`.
pub(super) const TEXT: &[&str] = &["text"];

/// Levels with replaced textures and skies: `testdata/conformance/images`, or the engines themselves.
pub(super) const SUBSTITUTES: &[&str] = &["substitutes"];

/// Games without a file that the engine needs: `testdata/conformance/starts`, or the engine itself.
pub(super) const STARTS: &[&str] = &["needed"];

/// Games that are changed at the console: `testdata/conformance/console`.
pub(super) const CONSOLE: &[&str] = &["console"];

/// How a rule of a row is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// The engine was run, and its answers are tests.
    Run,
    /// It was read in the engine's source or its documents.
    Read,
    /// It is not known.
    Unknown,
}

impl Evidence {
    /// A stable word: `run`, `read` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Evidence::Run => "run",
            Evidence::Read => "read",
            Evidence::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for AsOf {
    /// `MVDSV 0.35, 2022-07-31`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.version, self.date)
    }
}

impl Engine {
    /// The engine that has these rules, also for another system; `None` if a caller changed them.
    #[must_use]
    pub fn of(rules: &Rules) -> Option<Engine> {
        let engine: Engine = rules.name.parse().ok()?;
        (*engine.rules().for_host(rules.requests.host) == *rules).then_some(engine)
    }

    /// What quakefs can answer for this engine, and how it is known: `files`, which file a name finds;
    /// `start`, what the engine needs to start; `needs`, which files a level names; `music`, which file a
    /// track is; `place`, where a download of its game goes.
    #[must_use]
    pub fn depth(self) -> [(&'static str, Evidence); 5] {
        let rules = self.rules();
        let of = |key: &str, is_known: bool| {
            if !is_known {
                Evidence::Unknown
            } else if self.was_run_for(key) {
                Evidence::Run
            } else {
                Evidence::Read
            }
        };
        let names_files = rules.program.quake_c().is_some() || !rules.keys.is_unknown();
        let has_music = rules.substitute(SubstituteKind::Music, b"").is_some();
        [
            ("files", of("directories", true)),
            ("start", of("needed", !rules.needed.is_unknown())),
            ("needs", of("program", names_files)),
            ("music", of("substitutes", has_music)),
            ("place", of("family", rules.family.is_some() || !rules.titles.is_empty())),
        ]
    }

    /// The keys of [`Rules`] that have an effect in this engine, each with whether it was run for them. If
    /// not, they were only read in its source or its documents.
    #[must_use]
    pub fn aspects(self) -> Vec<(&'static str, bool)> {
        let Rules {
            name: _,
            directories: _,
            archives,
            paks: _,
            zips: _,
            loose: _,
            requests: _,
            limits: _,
            needed,
            stops,
            registered,
            user,
            companions,
            text,
            substitutes,
            music_folders: _,
            console,
            program,
            keys,
            wads,
            loads: _,
            requires_skins: _,
            player_model: _,
            studio_groups: _,
            family: _,
            titles: _,
            executables: _,
            executables_in_stores: _,
        } = self.rules();
        let loads =
            |kind| archives.extensions().any(|extension| ArchiveKind::of_extension(extension) == Some(kind));
        let aspects = [
            ("directories", true),
            ("archives", true),
            ("paks", loads(ArchiveKind::Pak)),
            ("zips", loads(ArchiveKind::Zip)),
            ("loose", true),
            ("requests", true),
            ("limits", true),
            (
                "needed",
                needed
                    .known()
                    .is_some_and(|needed| !(needed.to_start.is_empty() && needed.to_play.is_empty())),
            ),
            ("stops", !stops.is_empty()),
            ("registered", registered.is_some()),
            ("user", user.is_some()),
            ("companions", !companions.items().is_empty()),
            ("text", text.is_some()),
            ("substitutes", !substitutes.items().is_empty()),
            ("console", console.known().is_some_and(Option::is_some)),
            ("program", program.quake_c().is_some()),
            ("keys", !keys.items().is_empty()),
            ("wads", !wads.items().is_empty()),
            ("loads", !self.rules().loads.is_unknown()),
        ];
        let present = aspects.into_iter().filter(|(_, has)| *has);
        present.map(|(key, _)| (key, self.was_run_for(key))).collect()
    }

    fn was_run_for(self, key: &str) -> bool {
        self.as_of().run.iter().any(|keys| keys.contains(&key))
    }
}
