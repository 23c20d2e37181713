//! `.sav`: a saved game of Quake.

use crate::{Entities, Error};

/// A saved game, borrowed from its bytes (`Host_Savegame_f` of Quake).
///
/// ```
/// use quake_content::SavedGame;
/// let text = format!("5\nthe_Slipgate_Complex__kills:__7/_24\n{}2\ne1m1\n61.5\n", "0\n".repeat(16));
/// let game = SavedGame::parse(text.as_bytes())?;
/// assert_eq!((game.level, game.skill, game.seconds), (&b"e1m1"[..], 2, 61.5));
/// # Ok::<(), quake_content::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SavedGame<'a> {
    /// The line that menus show: the title of the level and the kills, with `_` for a space.
    pub comment: &'a [u8],
    /// The level, without folder and extension.
    pub level: &'a [u8],
    /// The skill, from 0 to 3.
    pub skill: u8,
    /// The time in the level in seconds.
    pub seconds: f64,
    /// Everything behind the time.
    rest: &'a [u8],
}

impl<'a> SavedGame<'a> {
    /// Reads the lines before the variables.
    ///
    /// # Errors
    /// The bytes are not a saved game, or a line is missing.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let other = || Error::format("a saved game of Quake (its version in the first line)", bytes);
        let mut rest = bytes;
        let mut line = || {
            let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(other)?;
            let line = rest.get(..end).unwrap_or_default();
            rest = rest.get(end + 1..).unwrap_or_default();
            Ok::<_, Error>(line.trim_ascii())
        };
        if !matches!(line()?, b"5" | b"6") {
            return Err(other());
        }
        let comment = line()?;
        for _ in 0..16 {
            line()?;
        }
        let (skill, level, time) = (number(line()?), line()?, number(line()?));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it ends at 0 and 255")]
        let skill = skill.ok_or_else(other)?.round() as u8;
        Ok(SavedGame { comment, level, skill, seconds: time.ok_or_else(other)?, rest })
    }

    /// The variables of the program, then the entities, as they are in the text.
    #[must_use]
    pub fn entities(&self) -> Entities<'a> {
        let start = self.rest.iter().position(|byte| *byte == b'{').unwrap_or(self.rest.len());
        Entities::new(self.rest.get(start..).unwrap_or_default())
    }
}

fn number(line: &[u8]) -> Option<f64> {
    std::str::from_utf8(line).ok()?.parse().ok().filter(|number: &f64| number.is_finite())
}
