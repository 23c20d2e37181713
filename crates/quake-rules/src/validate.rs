//! Rules that contradict themselves.

use super::directories::{PLACEHOLDER, is_below};
use super::{ArchiveSet, Rules};

/// A part of some rules that no engine could follow. Rules with a fault can still be used, except that a mount refuses
/// those with [`RulesFault::Outside`] and [`RulesFault::OutsideHome`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesFault {
    /// No directory is always searched, so nothing is found unless a game is named.
    #[error("directories.base is empty")]
    NoBaseDirectory,
    /// A directory is not a relative path below the base directory.
    #[error("the directory {directory:?} is not below the base directory")]
    Outside {
        /// The directory as the rules spell it.
        directory: String,
    },
    /// A place of the user's directory is not a relative path below the home folder.
    #[error("the directory {directory:?} is not below the home folder")]
    OutsideHome {
        /// The place as the rules spell it.
        directory: String,
    },
    /// An archive set has no extension, so it loads no archive.
    #[error("archives[{set}] has no extension")]
    NoExtension {
        /// The number of the set.
        set: usize,
    },
    /// An extension of an archive set has no format, so its archives are read as PACK archives.
    #[error("archives[{set}]: the extension {extension:?} has no format")]
    NoFormat {
        /// The number of the set.
        set: usize,
        /// The extension.
        extension: String,
    },
    /// A numbered set tries no number.
    #[error("archives[{set}]: count is 0")]
    NoNumber {
        /// The number of the set.
        set: usize,
    },
    /// The hash of the registered file is not one.
    #[error("registered-by.sha256 is not 64 hexadecimal digits")]
    NotSha256,
}

impl Rules {
    /// What is wrong with these rules. The row of every [`Engine`](super::Engine) is without faults.
    #[must_use]
    pub fn validate(&self) -> Vec<RulesFault> {
        let mut faults = Vec::new();
        let directories = &self.directories;
        if directories.base.is_empty() {
            faults.push(RulesFault::NoBaseDirectory);
        }
        let missions = directories.missions.iter().map(|mission| &mission.directory);
        for directory in directories.base.iter().chain(missions).chain(&*directories.game_folders) {
            if !is_below(&directory.replace(PLACEHOLDER, "game")) {
                faults.push(RulesFault::Outside { directory: directory.to_string() });
            }
        }
        if let Some(user) = &directories.user {
            for place in user.unix.iter().chain(&*user.macos).chain(&*user.windows) {
                if !is_below(place) {
                    faults.push(RulesFault::OutsideHome { directory: place.to_string() });
                }
            }
        }
        for (set, archives) in self.archives.iter().enumerate() {
            if archives.extensions().is_empty() {
                faults.push(RulesFault::NoExtension { set });
            }
            for extension in archives.extensions() {
                if self.archive_kind(&format!(".{extension}")).is_none() {
                    faults.push(RulesFault::NoFormat { set, extension: extension.to_string() });
                }
            }
            if let ArchiveSet::Numbered { count: Some(0), .. } = archives {
                faults.push(RulesFault::NoNumber { set });
            }
        }
        let sha256 = self.registered_by.as_ref().and_then(|registered| registered.sha256.as_deref());
        if sha256.is_some_and(|hex| hex.len() != 64 || !hex.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            faults.push(RulesFault::NotSha256);
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use crate::{Alike, ArchiveSet, EmptyArchive, LooseWithout, Registered};
    use crate::{Case, Engine, Games, Gaps, Order, Rules, UserDirectory, UserLookedAt};

    fn check(change: impl FnOnce(&mut Rules), expected: &[&str]) {
        let mut rules = Engine::WinQuake.rules().clone();
        change(&mut rules);
        let faults: Vec<_> = rules.validate().iter().map(ToString::to_string).collect();
        assert_eq!(faults, expected);
    }

    #[test]
    fn the_rows_of_the_engines_have_no_fault() {
        for engine in Engine::ALL {
            assert_eq!(engine.rules().validate(), [], "{engine}");
        }
    }

    #[test]
    fn each_fault_is_reported() {
        check(|rules| rules.directories.base = Vec::new().into(), &["directories.base is empty"]);
        check(
            |rules| {
                rules.directories.base = vec!["../id1".into(), ".".into()].into();
                rules.directories.game_folders = vec!["/{}".into(), "{}/custom".into()].into();
                rules.directories.games = Games::Every;
            },
            &[
                r#"the directory "../id1" is not below the base directory"#,
                r#"the directory "/{}" is not below the base directory"#,
            ],
        );
        check(
            |rules| {
                let unix = vec![".quake".into(), "../other".into()].into();
                let (macos, windows) = (Vec::new().into(), Vec::new().into());
                let looked_at = UserLookedAt::Always;
                rules.directories.user = Some(UserDirectory { unix, macos, windows, looked_at });
            },
            &[r#"the directory "../other" is not below the home folder"#],
        );
        let numbered = ArchiveSet::Numbered {
            extensions: Vec::new().into(),
            count: Some(0),
            gaps: Gaps::Skip,
            empty: EmptyArchive::Loaded,
        };
        let others = ArchiveSet::Others {
            extensions: vec!["ZIP".into(), "wad".into()].into(),
            extension_case: Case::Exact,
            alike: Alike::Loaded,
            order: Order::Bytes,
        };
        check(
            |rules| rules.archives = vec![numbered, others].into(),
            &[
                "archives[0] has no extension",
                "archives[0]: count is 0",
                r#"archives[1]: the extension "wad" has no format"#,
            ],
        );
        let registered = Registered {
            file: "a".into(),
            size: None,
            sha256: Some("59a7".into()),
            shareware: None,
            loose_without: LooseWithout::All,
        };
        check(
            |rules| rules.registered_by = Some(registered),
            &["registered-by.sha256 is not 64 hexadecimal digits"],
        );
    }
}
