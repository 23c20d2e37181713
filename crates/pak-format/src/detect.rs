//! Detects the layout of an archive.
//!
//! SiN and HROT have different magics. Quake and Daikatana share `PACK`, but their rows differ in size. If
//! the size of the directory fits both, the layout in which every row makes sense wins.

use core::fmt;

use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::record::{Header, Row};

/// How the layout of an archive was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The caller named it.
    Named,
    /// No other layout has this magic.
    Magic,
    /// The archive has no rows, so Quake's layout is assumed.
    Empty,
    /// The size of the directory fits only this layout.
    Size,
    /// Every row makes sense only in this layout: a printable name, a payload inside the archive, a known
    /// compression.
    Rows,
    /// The rows make sense in both layouts, but all names look like paths only in this one.
    Names,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Named => "named by the caller",
            Reason::Magic => "by its magic",
            Reason::Empty => "it has no rows",
            Reason::Size => "by the size of its directory",
            Reason::Rows => "by its rows",
            Reason::Names => "by its names",
        })
    }
}

/// Detects the layout from the header and the bytes of the directory.
///
/// # Errors
/// [`ErrorKind::PartialRow`] if the size of the directory fits no layout, and [`ErrorKind::AmbiguousLayout`]
/// if two layouts fit equally well. The caller then has to name one.
pub fn detect(header: &Header, directory: &[u8], image_size: u64) -> Result<(Layout, Reason), Error> {
    let mut with_magic = Layout::with_magic(header.magic);
    let (first, second) = (with_magic.next(), with_magic.next());
    let Some(first) = first else {
        return Err(ErrorKind::UnknownMagic { found: header.magic }.into());
    };
    if second.is_none() {
        whole_rows(directory, first)?;
        return Ok((first, Reason::Magic));
    }
    if directory.is_empty() {
        return Ok((Layout::Quake, Reason::Empty));
    }
    let divides = |layout: Layout| directory.len().is_multiple_of(layout.row_size());
    let of = |layout, reason| Ok((layout, reason));
    match (divides(Layout::Quake), divides(Layout::Daikatana)) {
        (true, false) => return of(Layout::Quake, Reason::Size),
        (false, true) => return of(Layout::Daikatana, Reason::Size),
        (false, false) => {
            return Err(ErrorKind::PartialRow { size: header.directory_size, layout: None }.into());
        }
        (true, true) => {}
    }
    let quake = Fit::of(Layout::Quake, directory, image_size);
    let daikatana = Fit::of(Layout::Daikatana, directory, image_size);
    let only = |quake: bool, daikatana: bool| match (quake, daikatana) {
        (true, false) => Some(Layout::Quake),
        (false, true) => Some(Layout::Daikatana),
        _ => None,
    };
    if let Some(layout) = only(quake.fits, daikatana.fits) {
        return of(layout, Reason::Rows);
    }
    if let Some(layout) = only(quake.plausible_names, daikatana.plausible_names) {
        return of(layout, Reason::Names);
    }
    let rows = |layout: Layout| directory.len() / layout.row_size();
    Err(ErrorKind::AmbiguousLayout {
        rows_quake: rows(Layout::Quake),
        rows_daikatana: rows(Layout::Daikatana),
    }
    .into())
}

pub(crate) fn whole_rows(directory: &[u8], layout: Layout) -> Result<(), Error> {
    if directory.len().is_multiple_of(layout.row_size()) {
        return Ok(());
    }
    let size = u32::try_from(directory.len()).unwrap_or(u32::MAX);
    Err(ErrorKind::PartialRow { size, layout: Some(layout) }.into())
}

/// How well the rows of a directory fit one layout.
struct Fit {
    fits: bool,
    plausible_names: bool,
}

impl Fit {
    fn of(layout: Layout, directory: &[u8], image_size: u64) -> Fit {
        let mut reading = Fit { fits: true, plausible_names: true };
        for row in directory.chunks_exact(layout.row_size()).filter_map(|bytes| Row::parse(layout, bytes)) {
            let name = row.name.split(|&byte| byte == 0).next().unwrap_or_default();
            let printable = name.iter().all(|&byte| byte >= b' ' && byte != 127);
            // any bytes may follow the NUL, so only the name itself counts; a real one is a path
            reading.plausible_names &= printable && looks_like_a_path(name);
            reading.fits &= printable && extent_fits(&row, image_size) && compression_fits(layout, &row);
        }
        reading
    }
}

fn looks_like_a_path(name: &[u8]) -> bool {
    name.is_ascii() && name.iter().any(|&byte| byte == b'.' || byte == b'/' || byte == b'\\')
}

fn extent_fits(row: &Row<'_>, image_size: u64) -> bool {
    u64::from(row.offset) + u64::from(row.stored_size()) <= image_size
}

fn compression_fits(layout: Layout, row: &Row<'_>) -> bool {
    !layout.compresses()
        || match row.compression {
            0 => row.compressed_size == 0 || row.compressed_size == row.size,
            1 => u64::from(row.size) <= u64::from(row.compressed_size) * crate::daikatana::MAX_EXPANSION,
            _ => false,
        }
}
