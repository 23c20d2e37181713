//! `pak extract`: the entries of archives, as files below a folder.

use crate::output;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use pak_format::verify::DecodeBudget;
use quake_content::Palette;
use quakefs::{Archive, Error, ErrorKind, File, Layer};
use quakefs_extract::ExtractPlan;
use quakefs_game::plain;

use super::selection::{SelectedArchive, Selection};
use super::write::is_stdout;
use super::{cat, wad};
use crate::args::{ExtractArchives, Writing};
use crate::console::{Console, Exit, Failure, Message};
use crate::extraction;
use crate::progress::Progress;
use crate::text::printable;

pub(super) fn run(args: &ExtractArchives, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let ExtractArchives { archives, output, writing, .. } = args;
    let output = output.as_deref();
    let form = ExtractedForm { raw: args.raw, palette: wad::named_palette(args.palette.as_deref())? };
    let selection = Selection::named(archives, console)?.strict(&args.strict);
    if output.is_some_and(is_stdout) {
        return cat::print(&selection, None, console);
    }
    let below = output.unwrap_or(Utf8Path::new(""));
    let mut folders = match (output, selection.many) {
        (Some(folder), false) => vec![folder.to_owned()],
        _ => folders(selection.collection.archives()).into_iter().map(|folder| below.join(folder)).collect(),
    };
    let count = if selection.many { check_sum(&selection, below, writing, &form)? } else { 0 };
    // an interrupt before this ends the process, because nothing is written yet
    let progress = Progress::of_files(console);
    progress.begin(count);
    folders.reverse();
    let mut places = selection.collection.archives().iter().zip(folders.into_iter().rev());
    // by position, because pages of a map count as memory of the process and each payload is read once
    selection.each(console, |opened, console| {
        // archives arrive in order, without the ones that have no selected entry
        let Some((_, folder)) = places.find(|(archive, _)| **archive == opened.path) else {
            return Ok(Exit::Failed);
        };
        if output.is_none() && !writing.replaces() && !writing.dry_run && is_taken(&folder) {
            console.error(&Message::new(
                format!("{}: not extracted: the folder {folder} exists and is not empty", opened.name()),
                "name a folder with -o, or continue with --overwrite or --skip-existing",
            ));
            return Ok(Exit::Failed);
        }
        if selection.many && writing.dry_run {
            output::for_people(console, |console| {
                let (name, folder) = (printable(opened.name()), printable(folder.as_str()));
                Ok(writeln!(console.out, "{name}, to {folder}:")?)
            })?;
        }
        let files = files(opened, &form);
        let plan =
            if args.flat { ExtractPlan::flat(&folder, files) } else { ExtractPlan::unpacked(&folder, files) };
        if !selection.many {
            return extraction::extract(&plan, &folder, writing, console);
        }
        match extraction::extract_part(&plan, &folder, writing, &writing.options(), &progress, console) {
            Ok(Exit::Failed) if progress.is_interrupted() => {
                let message = extraction::interrupted(&progress);
                Err(message.about(opened.name()).into())
            }
            // a failing archive does not stop the others
            Err(Failure::Error(message)) => {
                console.error(&message.about(opened.name()));
                Ok(Exit::Failed)
            }
            done => done,
        }
    })
}

/// Options for extracting WADs and levels.
struct ExtractedForm {
    raw: bool,
    palette: Option<Palette>,
}

/// Only files: a folder is created together with a file in it.
fn files(opened: &SelectedArchive, form: &ExtractedForm) -> Vec<File<'static>> {
    let shown = wad::shown(&opened.archive, form.raw, form.palette.as_ref());
    let layer = Layer::of_archive(opened.name(), Archive::clone(&shown));
    let entries = opened.entries().filter_map(|entry| shown.entry(entry.index()));
    let files = entries.filter(|entry| !entry.row().is_folder);
    files.filter_map(|entry| Some(layer.file(entry.index())?.into_owned())).collect()
}

/// Refuses archives that together claim more than the limit, before anything is written. Returns the number
/// of their files.
fn check_sum(
    selection: &Selection,
    below: &Utf8Path,
    writing: &Writing,
    form: &ExtractedForm,
) -> Result<u64, Failure> {
    let (mut count, mut claimed, mut source_size) = (0, 0_u64, 0_u64);
    let (mut out, mut err) = (std::io::sink(), std::io::sink());
    let mut unheard = Console::plain(&mut out, &mut err);
    selection.each(&mut unheard, |opened, _| {
        let files = files(opened, form);
        count += files.len() as u64;
        let sizes = files.iter().filter(|file| file.check().is_ok()).map(File::size);
        claimed = sizes.fold(claimed, u64::saturating_add);
        source_size = source_size.saturating_add(opened.archive.size());
        Ok(Exit::Done)
    })?;
    let most = writing.limit.unwrap_or(DecodeBudget::for_archive(source_size).limit());
    if claimed > most {
        let error = Error::from(ErrorKind::TooManyBytes { claimed, most, source_size });
        return Err(extraction::refused(&error, below, writing).into());
    }
    Ok(count)
}

fn is_taken(folder: &Utf8Path) -> bool {
    folder.read_dir_utf8().is_ok_and(|mut entries| entries.next().is_some())
}

/// A folder for each archive: its path without the extension, below the folder that all archives share. If
/// two would be equal, the extension stays.
fn folders(archives: &[Utf8PathBuf]) -> Vec<Utf8PathBuf> {
    let whole: Vec<Vec<String>> = archives.iter().map(|archive| components(archive)).collect();
    let shared = whole.iter().map(|parts| parts.len().saturating_sub(1)).min().unwrap_or(0);
    let shared = (0..shared).take_while(|&index| {
        let part = whole.first().and_then(|parts| parts.get(index));
        whole.iter().all(|parts| parts.get(index) == part)
    });
    let shared = shared.count();
    let below: Vec<Utf8PathBuf> = whole.iter().map(|parts| parts.iter().skip(shared).collect()).collect();
    let stems: Vec<Utf8PathBuf> = below.iter().map(|path| path.with_extension("")).collect();
    let mut sorted: Vec<&Utf8PathBuf> = stems.iter().collect();
    sorted.sort_unstable();
    let is_alone = |stem: &Utf8PathBuf| {
        let first = sorted.partition_point(|other| *other < stem);
        sorted.get(first + 1).is_none_or(|next| *next != stem)
    };
    let name = |(path, stem): (&Utf8PathBuf, &Utf8PathBuf)| match path.extension() {
        Some(extension) if !is_alone(stem) => format!("{stem}-{extension}").into(),
        _ => stem.clone(),
    };
    below.iter().zip(&stems).map(name).collect()
}

/// The names in the absolute path.
fn components(path: &Utf8Path) -> Vec<String> {
    let whole = plain(&camino::absolute_utf8(path).unwrap_or_else(|_| path.to_owned()));
    let names = whole.components().filter(|part| matches!(part, Utf8Component::Normal(_)));
    names.map(|name| name.as_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_have_a_folder_each() {
        let folders = |archives: &[&str]| {
            let archives: Vec<_> = archives.iter().map(Utf8PathBuf::from).collect();
            let folders = folders(&archives).into_iter().map(Utf8PathBuf::into_string);
            folders.map(|folder| folder.replace('\\', "/")).collect::<Vec<_>>()
        };
        assert_eq!(folders(&["id1/pak0.pak"]), ["pak0"]);
        assert_eq!(folders(&["id1/pak0.pak", "id1/pak1.pak"]), ["pak0", "pak1"]);
        assert_eq!(folders(&["id1/pak0.pak", "hipnotic/pak0.pak"]), ["id1/pak0", "hipnotic/pak0"]);
        assert_eq!(folders(&["/a/b/c/x.pak", "/a/b/y.pk3"]), ["c/x", "y"]);
        assert_eq!(folders(&["x.pak", "x.pk3", "y.pak"]), ["x-pak", "x-pk3", "y"]);
        assert_eq!(folders(&["/a/../../b/x.pak", "/b/y.pak"]), ["x", "y"]);
        // the same file twice
        assert_eq!(folders(&["x.pak", "./x.pak"]), ["x-pak", "x-pak"]);
    }
}
