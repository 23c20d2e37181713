//! The rule that puts one copy above another.

use crate::findings::{OrderBy, Precedence};
use crate::rules::{Duplicates, LoosePosition};

use super::{Reader, Said, Say};

impl Say for Precedence {
    fn say_to(&self, _: Reader<'_>) -> Said {
        Said::without_help(match self {
            Precedence::Pushed => "the layer was put on top".to_owned(),
            Precedence::GameDirectory { above, below } => format!("{above} ranks above {below}"),
            Precedence::Loose(LoosePosition::Above) => "loose files rank above archives".to_owned(),
            Precedence::Loose(LoosePosition::Lowest) => {
                "archives of every game directory rank above loose files".to_owned()
            }
            Precedence::Loose(_) => "archives rank above loose files".to_owned(),
            Precedence::ArchiveOrder { above, below, by } => {
                format!("{above} is loaded after {below}, {}", order(*by))
            }
            Precedence::Row(Duplicates::First) => "the first of equal rows counts".to_owned(),
            Precedence::Row(Duplicates::Last) => "the last of equal rows counts".to_owned(),
            Precedence::Row(Duplicates::Searched) => {
                "of equal rows, the one that a binary search of the sorted names meets counts".to_owned()
            }
            Precedence::Spelling => "the requested spelling counts, else the first in byte order".to_owned(),
        })
    }
}

fn order(by: OrderBy) -> &'static str {
    match by {
        OrderBy::Number => "by number",
        OrderBy::Name => "by name",
        OrderBy::Listed => "in the order of the disk (quakefs sorts by name)",
        OrderBy::NameIgnoringCase => "by name without case",
        OrderBy::NumberThenName => "by number, then name",
        OrderBy::Kind => "by kind",
        OrderBy::NumberedFirst => "numbered archives first",
        _ => "in the order of the rules",
    }
}
