//! The user directory.

use super::directories::NOTHING_BETWEEN;
use super::host::Host;
use crate::documented::documented;
use crate::fault::Faults;
use crate::{List, Text};

documented! {
    /// Where an engine looks for the user directory.
    ///
    /// The places are folders below the home folder, with `/`. The engine uses the first that exists, or the
    /// first in the list if none exists. An empty list means that the engine has no user directory on that
    /// system, or that it is unknown.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct UserDirectory {
        /// The places on Linux and other systems like Unix.
        pub linux: List<Text>,
        /// The places on macOS.
        pub macos: List<Text>,
        /// The places on Windows.
        pub windows: List<Text>,
        /// When the engine uses it.
        pub looked_at: UserLookedAt,
        /// Other places for a game that the engine finds in a store; none if they are the same.
        pub in_store with "crate::forms::or_none": Option<InStore>,
    }
}

documented! {
    /// The user directory of a game from a store: a folder below the home folder on each system. `{}` is
    /// [`ORIGINAL`] or [`RERELEASE`].
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct InStore {
        /// The place on Linux and other systems like Unix.
        pub linux: Text,
        /// The place on macOS.
        pub macos: Text,
        /// The place on Windows.
        pub windows: Text,
    }
}

impl InStore {
    fn place(&self, host: Host) -> &Text {
        host.pick(&self.linux, &self.macos, &self.windows)
    }
}

/// The word in [`InStore`] for the game as first sold.
pub const ORIGINAL: &str = "original";

/// The word in [`InStore`] for Nightdive's edition.
pub const RERELEASE: &str = "rerelease";

impl UserDirectory {
    /// The place for an edition from a store: [`ORIGINAL`] or [`RERELEASE`]. Returns `None` if it is one of
    /// [`places`](Self::places).
    #[must_use]
    pub fn place_in_store(&self, host: Host, edition: &str) -> Option<String> {
        Some(self.in_store.as_ref()?.place(host).replace("{}", edition))
    }

    /// The places on a system.
    #[must_use]
    pub fn places(&self, host: Host) -> &[Text] {
        host.pick(&self.linux, &self.macos, &self.windows)
    }

    pub(crate) fn validate(&self, faults: &mut Faults) {
        for host in Host::ALL {
            for (index, place) in self.places(*host).iter().enumerate() {
                faults.below(format!("user.{}[{index}]", host.name()), place, "home folder");
            }
        }
        for host in Host::ALL {
            let Some(place) = self.in_store.as_ref().map(|in_store| in_store.place(*host)) else { continue };
            let key = format!("user.in-store.{}", host.name());
            faults.parts(&key, place, NOTHING_BETWEEN);
            faults.below(key, place, "home folder");
        }
        if Host::ALL.iter().all(|host| self.places(*host).is_empty()) {
            faults.no_effect("user.looked-at", "no system has a place");
        }
    }
}

documented! {
    /// When an engine uses the user directory.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum UserLookedAt {
        /// Always.
        Always,
        /// Only in builds with this option, such as a distribution's.
        InSomeBuilds,
        /// Only if it exists, as in fte. Otherwise the engine writes to the base directory.
        WhereThere,
    }
}

#[cfg(test)]
mod tests {
    use crate::fault::tests::check;
    use crate::{Engine, Host, InStore, RERELEASE, UserDirectory, UserLookedAt};

    #[test]
    fn each_system_has_its_places() {
        let words = |word: &'static str| vec![word.into()].into();
        let user = UserDirectory {
            linux: words("a"),
            macos: words("b"),
            windows: words("c"),
            looked_at: UserLookedAt::Always,
            in_store: None,
        };
        assert_eq!(Host::ALL.iter().map(|host| &*user.places(*host)[0]).collect::<String>(), "abc");
    }

    #[test]
    fn a_game_from_a_store_may_have_a_place_of_its_own() {
        let place = |engine: Engine| engine.rules().user.as_ref()?.place_in_store(Host::Linux, RERELEASE);
        assert_eq!(place(Engine::Ironwail).unwrap(), ".ironwail/.rerelease");
        assert_eq!(place(Engine::VkQuake).unwrap(), ".local/share/vkQuake");
        assert_eq!(place(Engine::VkQuake135), None);
    }

    #[test]
    fn a_place_outside_the_home_folder_and_no_place_are_faults() {
        let user = |places: &[&'static str]| {
            let linux: Vec<_> = places.iter().map(|place| (*place).into()).collect();
            let (macos, windows) = (Vec::new().into(), Vec::new().into());
            let in_store = None;
            Some(UserDirectory {
                linux: linux.into(),
                macos,
                windows,
                looked_at: UserLookedAt::Always,
                in_store,
            })
        };
        check(
            |rules| rules.user = user(&[".quake", "../other"]),
            &[r#"user.linux[1]: the directory "../other" is not below the home folder"#],
        );
        check(
            |rules| {
                let windows = "../other".into();
                let in_store = InStore { linux: "a/{edition}".into(), macos: "b/{}".into(), windows };
                rules.user = user(&[".quake"]);
                rules.user.as_mut().unwrap().in_store = Some(in_store);
            },
            &[
                r#"user.in-store.linux: "{edition}" is not a part of a name: expected {}"#,
                r#"user.in-store.windows: the directory "../other" is not below the home folder"#,
            ],
        );
        check(|rules| rules.user = user(&[]), &["user.looked-at: no effect, because no system has a place"]);
    }
}
