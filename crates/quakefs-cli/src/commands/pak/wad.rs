//! WADs: converts files to entries, and entries to files.

use std::borrow::Cow;

use camino::Utf8Path;
use pak_format::folder::CollectedFile;
use pak_format::{Builder, Layout, Source};
use quake_content::{Palette, WadVersion};
use quakefs::content::ContentType;
use quakefs::{Archive, File};
use quakefs_archives::{Lump, LumpError, MissingColours, WadContents, lumps, wad_builder};

use crate::args::{NewWad, Textures};
use crate::bounded;
use crate::console::{Console, Failure, Message};
use crate::output::{counted, grouped};
use crate::text::printable;

/// Whether a new archive of this name is a WAD.
pub(super) fn is_wad(file: &Utf8Path, layout: Option<Layout>) -> bool {
    layout.is_none() && ContentType::of(file.as_str().as_bytes()) == ContentType::TextureArchive
}

/// The most bytes of a file with a palette. A PCX has a picture too.
const PALETTE_SIZE: u64 = 16 << 20;

/// The most bytes of a picture that tells where it comes from.
const PICTURE_SIZE: u64 = 64 << 20;

/// The palette in the named file, if a file is named.
pub(super) fn named_palette(path: Option<&Utf8Path>) -> Result<Option<Palette>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let bytes = bounded::read(path, PALETTE_SIZE)
        .map_err(|error| Message::new(format!("{path}: {error}"), "name a file with 256 colours"))?;
    let palette = Palette::from_pcx(&bytes).or_else(|| Palette::from_lump(&bytes));
    let found = palette.ok_or_else(|| {
        let text = format!("{path}: {} bytes are not a palette of 256 colours", bytes.len());
        Message::new(text, "name a file such as gfx/palette.lmp, which has 768 bytes, or a PCX")
    })?;
    Ok(Some(found))
}

fn palette(textures: &Textures) -> Result<Palette, Failure> {
    Ok(named_palette(textures.palette.as_deref())?.unwrap_or_else(Palette::quake))
}

/// The version of the WAD that the first file which tells was extracted from.
pub(super) fn version_of(files: &[CollectedFile]) -> Option<WadVersion> {
    let told = |file: &CollectedFile| {
        let path = Utf8Path::from_path(&file.path)?;
        let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        // the name of any other file tells
        let bytes = if is_png { bounded::read(path, PICTURE_SIZE).ok()? } else { Vec::new() };
        Lump::version_of_file(file.name.as_bytes(), &bytes)
    };
    files.iter().find_map(told)
}

/// Converts files to entries. Reports every file that cannot become one.
pub(super) fn of_files(
    files: &[CollectedFile],
    version: WadVersion,
    textures: &Textures,
    console: &mut Console<'_>,
) -> Result<Vec<Lump>, Failure> {
    let palette = palette(textures)?;
    let made = files.iter().map(|file| {
        let bytes = file.source().read().map_err(quakefs::Error::from)?;
        Lump::of_file(named_as_file(file).as_bytes(), &bytes, version, &palette)
    });
    checked(made.zip(files.iter().map(|file| file.path.display().to_string())), console)
}

/// The name in the archive with the extension of the file, which `--as` may leave out.
fn named_as_file(file: &CollectedFile) -> Cow<'_, str> {
    let name = Cow::from(&*file.name);
    if name.contains('.') {
        return name;
    }
    let extension = file.path.file_name().and_then(|name| name.to_str()?.split_once('.'));
    extension.map_or(name, |(_, extension)| format!("{}.{extension}", file.name).into())
}

/// Converts standard input to the entry of a file of this name.
pub(super) fn of_stdin(
    name: &str,
    bytes: &[u8],
    version: WadVersion,
    textures: &Textures,
    console: &mut Console<'_>,
) -> Result<Lump, Failure> {
    let made = Lump::of_file(name.as_bytes(), bytes, version, &palette(textures)?);
    let mut found = checked([(made, name.to_owned())].into_iter(), console)?;
    found.pop().ok_or_else(|| Message::without_help("nothing was written").into())
}

/// Converts files of archives and folders to entries of a WAD. Its version is the named one, or else the
/// version of the first WAD or level.
pub(super) fn of_entries(
    files: &[File<'static>],
    wad: &NewWad,
    console: &mut Console<'_>,
) -> Result<(WadVersion, Vec<Lump>), Failure> {
    let of_first = || {
        files.iter().find_map(|file| WadContents::of(file.layer().archive()?)).map(|found| found.version())
    };
    let version = wad.version().or_else(of_first).unwrap_or(WadVersion::Wad2);
    let made = lumps(files, version, &palette(&wad.textures)?);
    let names = files.iter().map(|file| file.location().to_string());
    Ok((version, checked(made.into_iter().zip(names), console)?))
}

/// Reports files that cannot become entries, and colours missing from the palette. Of many, it prints only
/// the first.
fn checked(
    made: impl Iterator<Item = (Result<Lump, LumpError>, String)>,
    console: &mut Console<'_>,
) -> Result<Vec<Lump>, Failure> {
    const PRINTED: usize = 20;
    let (mut found, mut beyond, mut failed) = (Vec::new(), 0, 0);
    for (lump, path) in made {
        let path = printable(&path);
        match lump {
            Ok(lump) => {
                if let Some(lacks) = lump.missing_colours {
                    beyond += 1;
                    if beyond <= PRINTED {
                        console.warn(&missing_colours(lacks, &path));
                    }
                }
                found.push(lump);
            }
            Err(error) => {
                failed += 1;
                if failed <= PRINTED {
                    console.error(&Message::new(format!("{path}: {error}"), error.help()));
                }
            }
        }
    }
    let more = |count: usize| count.checked_sub(PRINTED).filter(|more| *more > 0);
    if let Some(more) = more(beyond) {
        console.warn(&Message::without_help(format!("and {} more like this", grouped(more as u64))));
    }
    if failed == 0 {
        return Ok(found);
    }
    let text = match more(failed) {
        Some(more) => format!("and {} more; nothing was written", grouped(more as u64)),
        None => "nothing was written".to_owned(),
    };
    Err(Message::without_help(text).into())
}

fn missing_colours(missing: MissingColours, path: &str) -> Message {
    let colours = counted(missing.colours as u64, "colour is", "colours are");
    let (pixels, of) = (grouped(missing.pixels as u64), grouped(missing.of as u64));
    Message::new(
        format!("{path}: {colours} not in the palette: {pixels} of {of} pixels get the nearest colour"),
        "name another palette with --palette, or use only its colours",
    )
}

/// The names of the entries. Files in two folders can have the same name, because names in a WAD have no
/// folder.
pub(super) fn names(lumps: &[Lump]) -> Vec<String> {
    lumps.iter().map(|lump| String::from_utf8_lossy(&lump.name).into_owned()).collect()
}

/// A WAD of these entries.
pub(super) fn builder<'a>(version: WadVersion, lumps: Vec<Lump>) -> Builder<'a> {
    let mut builder = wad_builder(version);
    builder.unique_names(true);
    for lump in lumps {
        builder.push(&lump.name, Source::bytes(lump.bytes)).kind(lump.kind);
    }
    builder
}

/// The archive in the form in which it is extracted: textures and pictures as PNG, or with `raw` the stored
/// bytes.
pub(super) fn shown(archive: &Archive, raw: bool, palette: Option<&Palette>) -> Archive {
    let contents = if raw { None } else { WadContents::of(archive) };
    contents.map_or_else(|| archive.clone(), |contents| contents.as_pictures(palette))
}
