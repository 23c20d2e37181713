//! Messages for a name that is not found.

use quakefs::findings::FindingKind;
use quakefs_game::{Game, WhichRow};

use crate::args::under_pak;
use crate::caveats;
use crate::console::{Console, Message};
use crate::text::{SHELL, command_line};
use crate::words::MayHaveIt;

/// The message for a name that is not found, with a suggestion, and whether nothing explains it.
pub(crate) fn missing(game: &Game, name: &[u8], console: &Console<'_>) -> (Message, bool) {
    let WhichRow { because, reason, mut help, advice, .. } = game.not_listed(name);
    if because == Some("archive")
        && let Some(path) = advice.first().and_then(|step| step.of.last())
        && let Some(line) = under_pak(&console.line, name, path)
    {
        let list = command_line(["quakefs", "pak", "list", path]);
        let which =
            if line.ends_with(" NAME") { format!("; `{list}` lists the names") } else { String::new() };
        help = Some(format!("for an archive it is `{line}`{which}"));
    }
    (Message { text: reason.unwrap_or_default(), help }, because == Some(UNEXPLAINED))
}

/// The cause of a name that nothing explains.
pub(crate) const UNEXPLAINED: &str = "not-there";

/// What was not found.
#[derive(Clone, Copy)]
pub(crate) enum Missed {
    /// A name. The reason tells if a skipped archive has it, unless nobody can read that archive.
    Name,
    /// A pattern, which is not looked for in skipped archives.
    Pattern,
}

/// Mentions the archives and folders that may have what is not found.
pub(crate) fn mention_skipped(missed: Missed, game: &Game, console: &mut Console<'_>) {
    let may_have_it = |kind: &FindingKind| match kind {
        FindingKind::Skipped(_) => matches!(missed, Missed::Pattern),
        kind => matches!(
            kind,
            FindingKind::WrongArchive { .. } | FindingKind::Damaged(_) | FindingKind::ManyLinks
        ),
    };
    let count = caveats::unreported(&game.search_path).filter(|finding| may_have_it(&finding.kind)).count();
    if count > 0 {
        console.warn(&Message::of(&MayHaveIt(count), game.shell().or(SHELL)));
    }
}
