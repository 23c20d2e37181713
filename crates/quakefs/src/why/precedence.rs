//! The rule that decides between two copies of a name.

use crate::archive::ArchiveKind;
use crate::findings::{OrderBy, Precedence};
use crate::rules::{ArchiveSet, LoosePosition, Order, Rules};
use crate::{File, Layer, SearchPath};

/// The rule that ranks `upper` above `lower`. Both are results of [`copies`](SearchPath::copies).
pub(crate) fn precedence(search_path: &SearchPath, upper: &File<'_>, lower: &File<'_>) -> Precedence {
    let (above, below) = (upper.layer(), lower.layer());
    if above.index() == below.index() {
        return Precedence::Row(search_path.rules().archives.duplicates);
    }
    if above.game_directory().is_none() {
        return Precedence::Pushed;
    }
    // a folder that belongs to a set is mounted as an archive
    let is_loose = |layer: &Layer| layer.kind() == ArchiveKind::Folder && layer.set().is_none();
    match search_path.loose().position {
        LoosePosition::Lowest if !is_loose(above) && is_loose(below) => {
            return Precedence::Loose(LoosePosition::Lowest);
        }
        LoosePosition::Highest if is_loose(above) && !is_loose(below) => {
            return Precedence::Loose(LoosePosition::Highest);
        }
        _ => {}
    }
    if above.game_directory() != below.game_directory() {
        return Precedence::GameDirectory { above: above.directory_name(), below: below.directory_name() };
    }
    match (is_loose(above), is_loose(below)) {
        (true, _) => Precedence::Loose(LoosePosition::Above),
        (_, true) => Precedence::Loose(LoosePosition::Below),
        _ => {
            let by = order_of(search_path.rules(), above, below);
            let file = |layer: &Layer| layer.name().rsplit('/').next().unwrap_or_default().to_owned();
            let (above, below) = (file(above), file(below));
            Precedence::ArchiveOrder { above, below, by }
        }
    }
}

/// The criterion that orders two archives of one directory.
fn order_of(rules: &Rules, above: &Layer, below: &Layer) -> OrderBy {
    let set = |layer: &Layer| layer.set().and_then(|set| rules.archives.sets.get(set));
    match (set(above), set(below)) {
        (above, below) if above == below => match above {
            Some(ArchiveSet::Numbered { .. }) => OrderBy::Number,
            Some(ArchiveSet::Others { order: Order::Bytes, .. }) => OrderBy::Name,
            Some(ArchiveSet::Others { order: Order::Listed, .. }) => OrderBy::Listed,
            Some(ArchiveSet::Others { order: Order::IgnoreCase | Order::Capitals, .. }) => {
                OrderBy::NameIgnoringCase
            }
            Some(ArchiveSet::Others { order: Order::NumberThenName, .. }) => OrderBy::NumberThenName,
            None => OrderBy::Sets,
        },
        _ if above.kind() != below.kind() => OrderBy::Kind,
        (Some(ArchiveSet::Others { .. }), Some(ArchiveSet::Numbered { .. })) => OrderBy::NumberedFirst,
        _ => OrderBy::Sets,
    }
}
