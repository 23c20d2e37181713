//! `companions`: the files that the engine loads beside a level.

use quakefs::search_path::{CompanionBecause, CompanionCopy};
use quakefs::sentences::Help as _;
use quakefs::{EntryName, SearchPath};
use serde::Serialize;

use crate::args::{Companions, Game, name_bytes};
use crate::console::{Console, Exit, Failure};
use crate::missing::missing;
use crate::output::{self, JsonCopy};
use crate::text::{escaped, printable};

#[derive(Serialize)]
struct JsonCompanion {
    level: String,
    name: String,
    #[serde(flatten)]
    copy: JsonCopy,
    /// Whether the engine loads the copy for this level.
    loaded: bool,
    /// Why it is loaded or ignored.
    because: String,
    /// The name of that reason.
    reason: &'static str,
    /// The setting that the engine needs to load such a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    setting: Option<String>,
}

/// Prints a copy as an object.
pub(crate) fn print_json(
    level: EntryName<'_>,
    copy: &CompanionCopy<'_>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let line = JsonCompanion {
        level: escaped(level),
        name: escaped(copy.name.as_name()),
        copy: (&copy.hit).into(),
        loaded: copy.because == CompanionBecause::Loaded,
        because: copy.to_string(),
        reason: copy.because.name(),
        setting: copy.setting.clone(),
    };
    output::json(console, "companion", &line)
}

pub(crate) fn run(game: &Game, args: &Companions, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let mut exit = Exit::Done;
    for level in &args.levels {
        exit = exit.max(of_level(game, &search_path, &name_bytes(level), console)?);
    }
    Ok(exit)
}

fn of_level(
    game: &Game,
    search_path: &SearchPath,
    level: &[u8],
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let name = EntryName::from_bytes(level);
    let companions = search_path.companions(level);
    let Some(served) = &companions.level else {
        console.error(&missing(game, search_path, level));
        return Ok(Exit::NotFound);
    };
    if let Some(error) = &companions.unread {
        console.error(&error.into());
    }
    if !console.json {
        writeln!(console.out, "{name}: {}", served.layer().name())?;
        if companions.copies.is_empty() {
            writeln!(console.out, "  it has no companions")?;
        }
    }
    for copy in &companions.copies {
        if console.json {
            print_json(name, copy, console)?;
            continue;
        }
        let layer = copy.hit.layer().name();
        let help = copy.help(None).map(|help| format!("; {help}")).unwrap_or_default();
        let text = format!("{copy}{help}");
        writeln!(console.out, "  {} ({layer}): {}", copy.name.as_name(), printable(&text))?;
    }
    Ok(if companions.unread.is_some() { Exit::Failed } else { Exit::Done })
}
