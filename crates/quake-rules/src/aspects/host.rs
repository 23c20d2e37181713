//! The system that an engine runs on, and how its disks compare names.

use std::borrow::Cow;
use std::str::FromStr;

#[cfg(feature = "unicode")]
use super::letters;
use super::names::UnknownName;

/// The system that an engine runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Host {
    /// Linux and other systems like Unix.
    #[default]
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Host {
    /// Every system.
    pub const ALL: &[Host] = &[Host::Linux, Host::MacOs, Host::Windows];

    /// The system that this program is built for.
    #[must_use]
    pub const fn here() -> Host {
        if cfg!(windows) {
            Host::Windows
        } else if cfg!(target_os = "macos") {
            Host::MacOs
        } else {
            Host::Linux
        }
    }

    /// The word for the system: `linux`, `macos` or `windows`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Host::Linux => "linux",
            Host::MacOs => "macos",
            Host::Windows => "windows",
        }
    }

    /// The value of this system.
    pub(super) fn pick<T>(self, linux: T, macos: T, windows: T) -> T {
        match self {
            Host::Linux => linux,
            Host::MacOs => macos,
            Host::Windows => windows,
        }
    }

    /// How most players' disks on this system compare names.
    #[must_use]
    pub const fn usual_spelling(self) -> Spelling {
        match self {
            Host::Linux => Spelling::Exact,
            Host::MacOs => Spelling::IgnoresCaseAndForm,
            Host::Windows => Spelling::IgnoresCase,
        }
    }
}

impl FromStr for Host {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Host, UnknownName> {
        let found = Host::ALL.iter().find(|host| host.name().eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| {
            UnknownName(format!("no system is called \"{name}\": expected linux, macos or windows"))
        })
    }
}

/// How a folder compares the names of its files. This is a property of the folder, not of the system: Linux
/// mounts Windows disks, and Windows has case-sensitive folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Spelling {
    /// `A` and `a` are two files.
    Exact,
    /// `A` and `a` are one file, as on NTFS, exFAT and FAT.
    IgnoresCase,
    /// Like `IgnoresCase`, and in addition `é` as one character and as two are the same name, as on APFS and
    /// HFS+.
    IgnoresCaseAndForm,
}

impl Spelling {
    /// Whether `A` and `a` are one file.
    #[must_use]
    pub fn ignores_case(self) -> bool {
        self != Spelling::Exact
    }

    /// Converts a name to a form that is equal for all names of the same file.
    ///
    /// If Unicode has a capital of one character for a letter, the letter compares as this capital, as in
    /// NTFS's table (`$UpCase`). Names that are not UTF-8, and all names without the feature `unicode`,
    /// ignore case only in the letters A to Z.
    #[must_use]
    pub fn fold(self, name: &[u8]) -> Cow<'_, [u8]> {
        if self == Spelling::Exact {
            return Cow::Borrowed(name);
        }
        let text = if name.is_ascii() { None } else { std::str::from_utf8(name).ok() };
        let folded = match text {
            #[cfg(feature = "unicode")]
            Some(text) if self == Spelling::IgnoresCaseAndForm => {
                letters::capitals(&letters::decomposed(text)).into_bytes()
            }
            #[cfg(feature = "unicode")]
            Some(text) => letters::capitals(text).into_bytes(),
            _ => name.to_ascii_uppercase(),
        };
        Cow::Owned(folded)
    }

    /// Whether two names belong to the same file.
    #[must_use]
    pub fn same(self, one: &[u8], other: &[u8]) -> bool {
        match self {
            Spelling::Exact => one == other,
            _ if one.is_ascii() && other.is_ascii() => one.eq_ignore_ascii_case(other),
            _ => self.fold(one) == self.fold(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_its_name_in_a_file() {
        for host in Host::ALL {
            let json = serde_json::to_string(host).unwrap();
            assert_eq!(json, format!("\"{}\"", host.name()));
            assert_eq!(serde_json::from_str::<Host>(&json).unwrap(), *host);
            assert_eq!(host.name().parse(), Ok(*host));
        }
    }

    #[test]
    fn names_compare_as_on_the_disks_of_a_system() {
        let (linux, windows, macos) = (Host::Linux, Host::Windows, Host::MacOs);
        for (one, other, expected) in [
            ("pak0.pak", "pak0.pak", &[linux, windows, macos][..]),
            ("pak0.pak", "Pak0.PAK", &[windows, macos]),
            ("caf\u{e9}", "CAF\u{c9}", &[windows, macos]),
            ("caf\u{e9}", "cafe\u{301}", &[macos]),
            ("\u{df}", "SS", &[]),
        ] {
            for host in [linux, windows, macos] {
                let is_same = host.usual_spelling().same(one.as_bytes(), other.as_bytes());
                assert_eq!(is_same, expected.contains(&host), "{one} {other} {host:?}");
            }
        }
    }
}
