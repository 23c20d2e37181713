//! Whether a Quake is a registered copy or the shareware.

use flate2::Crc;

use crate::rules::Shareware;
use crate::{Archive, Layer, SearchPath};

/// What the file that marks a registered copy says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Registration {
    /// The file is there and right.
    Registered,
    /// The file is not there. The id engines then refuse a game, and some pass over loose files whose names contain `/`:
    /// [`Shareware::loose`].
    Shareware,
    /// A file of that name is there and holds other bytes: the engines of id stop.
    Corrupt,
}

impl Registration {
    /// The word for it: `registered`, `shareware` or `corrupt`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Registration::Registered => "registered",
            Registration::Shareware => "shareware",
            Registration::Corrupt => "corrupt",
        }
    }
}

/// Whether this is a registered copy of the game; `None` for engines that do not ask, and where there is no game
/// directory. The rules name the file: [`Rules::registered`](crate::Rules::registered).
#[must_use]
pub fn registration(stack: &SearchPath) -> Option<Registration> {
    let registered = stack.rules().registered.as_ref()?;
    stack.layers().find(|layer| layer.game_directory().is_some())?;
    let Some(hit) = stack.find(registered.file.as_bytes()) else { return Some(Registration::Shareware) };
    let right_size = registered.size.is_none_or(|size| hit.size() == u64::from(size));
    let right_bytes =
        || registered.crc32.is_none_or(|expected| hit.read().is_ok_and(|bytes| crc32(&bytes) == expected));
    Some(if right_size && right_bytes() { Registration::Registered } else { Registration::Corrupt })
}

/// Whether the lowest archive has as many entries as that of the shareware.
pub(crate) fn is_shareware(stack: &SearchPath) -> bool {
    shareware(stack).is_some()
}

/// Whether the shareware's own archive is there, and no other.
pub(crate) fn is_whole_shareware(stack: &SearchPath) -> bool {
    let is_own = |(pak, shareware): (&Archive, Shareware)| {
        pak.bytes(pak.directory_range()).is_ok_and(|rows| crc16(&rows) == shareware.crc)
    };
    of_game(stack).count() == 1 && shareware(stack).is_some_and(is_own)
}

fn shareware(stack: &SearchPath) -> Option<(&Archive, Shareware)> {
    let shareware = stack.rules().registered.as_ref()?.shareware?;
    let lowest = of_game(stack).next_back()?;
    let pak = lowest.archive().filter(|archive| archive.layout().is_some())?;
    (pak.rows() == shareware.entries).then_some((pak, shareware))
}

/// The archives of the game, and those on top of it.
fn of_game(stack: &SearchPath) -> impl DoubleEndedIterator<Item = &Layer> {
    stack.layers().filter(|layer| layer.archive().is_some() && stack.rank(layer) > 0)
}

/// The CRC-16 of the polynomial 0x1021 from 0xffff on.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, byte| {
        (0..8).fold(
            crc ^ u16::from(*byte) << 8,
            |crc: u16, _| {
                if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 }
            },
        )
    })
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
