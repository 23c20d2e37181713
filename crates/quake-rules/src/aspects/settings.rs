//! Named settings of an engine's command line that change the search path.

use super::command_line::CommandLine;
use super::names::UnknownName;
use crate::Text;
use crate::documented::documented;

documented! {
    /// A setting that a command line gives as `+set NAME VALUE`. The text is its name, in any case. An empty
    /// value counts as none.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum Setting {
        /// A game, like `-game`.
        Game(Text),
        /// The directory that replaces `base`.
        Base(Text),
        /// A game directory above `base` and below the games.
        AboveBase(Text),
        /// A game directory above the games.
        AboveGames(Text),
        /// A further base directory. `more-bases` tells its position; of several settings, a later one is
        /// higher.
        BaseDirectory(Text),
        /// A number other than 0 puts loose files above the archives of their directory.
        LooseAbove(Text),
    }
}

impl Setting {
    /// The name: `fs_basegame`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Setting::Game(name)
            | Setting::Base(name)
            | Setting::AboveBase(name)
            | Setting::AboveGames(name)
            | Setting::BaseDirectory(name)
            | Setting::LooseAbove(name) => name,
        }
    }

    /// Whether the setting has this name, in any case.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name)
    }
}

impl CommandLine {
    /// The values of the settings that `is` accepts, in the order of the list. Of two values for one setting,
    /// the last counts.
    ///
    /// ```
    /// use quake_rules::{CommandLine, Engine, Setting};
    /// let rules = Engine::IoQuake3.rules();
    /// let line = CommandLine::read(rules, "+set fs_basegame mod +set fs_steampath /steam".split(' '));
    /// let is_base = |setting: &Setting| matches!(setting, Setting::BaseDirectory(_));
    /// assert!(line.values(&rules.directories.settings, is_base).eq(["/steam"]));
    /// ```
    pub fn values<'a>(
        &'a self,
        settings: &'a [Setting],
        is: impl Fn(&Setting) -> bool + 'a,
    ) -> impl Iterator<Item = &'a str> {
        settings.iter().filter(move |setting| is(setting)).filter_map(|setting| {
            let (_, value) = self.settings.iter().rfind(|(name, _)| setting.is_called(name))?;
            Some(&**value).filter(|value| !value.is_empty())
        })
    }

    /// Whether a setting that `is` accepts has a number other than 0.
    pub fn is_on(&self, settings: &[Setting], is: impl Fn(&Setting) -> bool) -> bool {
        self.values(settings, is).any(|value| is_on(value.trim()))
    }

    /// Checks that each setting of the command line is one of these.
    ///
    /// # Errors
    /// Fails with a sentence that lists them.
    pub fn check_settings(&self, settings: &[Setting]) -> Result<(), UnknownName> {
        let is_known = |name: &str| settings.iter().any(|setting| setting.is_called(name));
        let Some((name, _)) = self.settings.iter().find(|(name, _)| !is_known(name)) else { return Ok(()) };
        let known: Vec<_> = settings.iter().map(Setting::name).collect();
        let near = crate::spelling::nearest(name, known.iter().copied());
        let near = near.map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
        let known = match &*known {
            [] => "it has none".to_owned(),
            known => format!("expected {}", known.join(", ")),
        };
        Err(UnknownName(format!("the engine has no setting \"{name}\"{near}: {known}")))
    }
}

/// Whether a text is a number other than 0. The library's conversion would be 17 KB of the web page's module.
fn is_on(text: &str) -> bool {
    fn unsigned(text: &str) -> &str {
        text.strip_prefix(['+', '-']).unwrap_or(text)
    }
    let text = unsigned(text);
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits(whole)
        && are_digits(fraction)
        && !exponent.is_empty()
        && are_digits(unsigned(exponent))
        && number.contains(|digit| matches!(digit, '1'..='9'))
}

#[cfg(test)]
mod tests {
    use super::is_on;

    #[test]
    fn a_setting_is_on_with_a_number_other_than_0() {
        for on in ["1", "-1", "+0.5", ".5", "2.", "1e3", "1E-3", "01"] {
            assert!(is_on(on), "{on}");
        }
        for off in ["", "0", "-0", "0.0", "0e5", ".", "on", "1x", "1e", "1.2.3", "--1", "inf", "nan"] {
            assert!(!is_on(off), "{off}");
        }
    }
}
