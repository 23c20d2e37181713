//! The system that an engine runs on.

use serde::{Deserialize, Serialize};

/// The system that an engine is asked to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Host {
    /// Linux and other systems like Unix.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Host {
    /// Every system.
    pub const ALL: &[Host] = &[Host::Linux, Host::MacOs, Host::Windows];

    /// The system that this program was built for.
    ///
    /// ```
    /// use quake_rules::Host;
    /// assert_eq!(Host::here() == Host::Windows, cfg!(windows));
    /// ```
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
}

/// How a folder compares the names of its files. This is a fact of the folder, not of the system: Linux mounts disks of
/// Windows, and Windows has folders whose names compare exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spelling {
    /// `A` and `a` are two files.
    Exact,
    /// `A` and `a` are one file.
    IgnoresCase,
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
        }
    }
}
