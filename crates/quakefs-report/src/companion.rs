//! Whether a file is a companion of a level, and whether the engine loads it for that level.

use quakefs::SearchPath;
use quakefs::pak_format::EntryNameBuf;
use quakefs::stack::CompanionCopy;

/// The level beside which the engine may load a file, and whether it does: [`CompanionCopy::because`]. `None` where the
/// engine's rules have no such companion, or where the level is not there.
#[must_use]
pub fn companion_of(stack: &SearchPath, name: impl AsRef<[u8]>) -> Option<(EntryNameBuf, CompanionCopy<'_>)> {
    let name = std::str::from_utf8(name.as_ref()).ok()?;
    let (path, extension) = name.rsplit_once('.')?;
    let ends_so = |pattern: &str| pattern.rsplit('.').next() == Some(extension);
    let mut patterns = stack.rules().companions.iter().flat_map(|companion| &*companion.names);
    if !patterns.any(|pattern| ends_so(pattern)) {
        return None;
    }
    let level = path.rsplit('/').next()?.split('@').next()?;
    let level = format!("maps/{level}.bsp");
    let companions = stack.companions(&level);
    companions.level.as_ref()?;
    let of_name = |copy: &CompanionCopy<'_>| copy.name.as_bytes().eq_ignore_ascii_case(name.as_bytes());
    Some((level.as_bytes().into(), companions.copies.into_iter().find(of_name)?))
}
