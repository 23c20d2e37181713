//! `pack`: all files that levels need, as an archive or a folder to release.

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::{Builder, EntryName, EntryNameBuf, Source};
use quakefs::content::ContentType;
use quakefs::findings::Severity;
use quakefs::rules::{ArchiveKind, ArchiveSet};
use quakefs::{Archive, File, Layer, Rules, SearchPath};
use quakefs_extract::ExtractPlan;
use quakefs_game::{FileRow, Game};
use quakefs_needs::{Closure, Levels};

use super::needs::{asked, missing};
use super::pak::write::{builder_of, check_output, check_target, is_stdout, print, write};
use crate::args::{GameArgs, Pack as Args, Writing, archives_folder};
use crate::caveats;
use crate::commands::ls::matching;
use crate::console::{Console, Exit, Failure, Message};
use crate::extraction::extract;
use crate::output::{self, Column, counted};
use crate::progress::Progress;
use crate::text::{command_line, printable};

pub(crate) fn run(game: &GameArgs, args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let output = &args.output;
    if ContentType::of(output.as_str().as_bytes()) == ContentType::TextureArchive && !is_folder(output) {
        let text = format!("{output}: a WAD contains only textures");
        return Err(Message::new(text, "name a .pak, a .pk3, or a folder that ends in /").into());
    }
    if !is_folder(output) && !args.dry_run {
        check_output(output, args.overwrite, console)?;
    }
    let mut game = game.open(console)?;
    caveats::list(&mut game, console);
    let search_path = &game.search_path;
    if !is_folder(output) && !is_stdout(output) {
        check_kind(output, search_path.rules())?;
    }
    let real = output.canonicalize_utf8().ok();
    if game.archives().iter().any(|archive| archive.canonicalize_utf8().ok() == real && real.is_some()) {
        let text = format!("{output} is one of the archives to pack");
        return Err(Message::new(text, "name another file").into());
    }
    check_levels(&args.levels, &game)?;
    check_without(&args.without, search_path)?;
    let levels = Levels::new(search_path);
    let (names, exit) = asked(&game, &levels, &args.levels, console)?;
    if names.is_empty() {
        return Ok(exit);
    }
    // beside the base game's archives, loose levels are somebody's own
    let is_loose = |name: &EntryNameBuf| search_path.find(name).is_some_and(|file| file.entry().is_none());
    let mut directories = search_path.layers().filter_map(Layer::game_directory);
    let base = &search_path.rules().directories;
    let is_base = directories.all(|directory| base.is_in(&[&*directory.game]));
    let is_without = |layer: &Layer| {
        layer.game_directory().is_some_and(|directory| args.without.contains(&directory.name))
    };
    let is_left_out =
        |name: &&EntryNameBuf| search_path.find(name).is_some_and(|file| is_without(file.layer()));
    let left_out: Vec<_> = names.iter().filter(is_left_out).collect();
    if let Some(level) = left_out.iter().find(|name| !is_loose(name)) {
        let text = format!("{level}: it is itself in a game directory that --without names");
        return Err(Message::new(text, "leave out --without, or name another game directory").into());
    }
    let has_archives = is_base && names.iter().all(is_loose);
    let players_have = |layer: &Layer| match layer.archive() {
        Some(_) if args.without.is_empty() => has_archives || !levels.is_own(layer),
        None if args.without.is_empty() => !levels.is_own(layer),
        Some(_) => is_without(layer),
        // the files beside a loose level are its author's
        None => is_without(layer) && left_out.is_empty(),
    };
    let mut closure = levels.closure(&names, args.exits, players_have);
    let (also, found) =
        if args.also.is_empty() { (Vec::new(), Exit::Done) } else { matching(&game, &args.also, console)? };
    let also = also.iter().map(|file| (EntryNameBuf::from(file.name()), file.clone()));
    closure.files.extend(also);
    // an archive that players take whole, from the web server that has the list beside it
    let listed = args.list && !is_folder(output) && !levels.listed_archives().is_empty();
    let lists = if args.list { lists(&closure, &levels, listed.then_some(output))? } else { Vec::new() };
    let (inside, beside) = if listed { (Vec::new(), lists) } else { (lists, Vec::new()) };
    closure.files.extend(inside);
    let mut troubles = closure.levels.iter().flat_map(|(_, needs)| &needs.troubles);
    let is_known = troubles.all(|trouble| trouble.severity() < Severity::Error);
    for (name, needs) in &closure.levels {
        super::needs::troubles(name, needs, console);
    }
    let is_complete = closure.missing().is_empty() && is_known && exit.max(found) == Exit::Done;
    let writes = is_complete || args.incomplete;
    let mut exit = if writes { found } else { Exit::NotFound };
    let replaced = output::size_of_replaced(output);
    if is_folder(output) && (writes || args.dry_run) {
        exit = exit.max(folder(&closure, output, game.archives(), args, console)?);
    } else if writes && !args.dry_run {
        let folder = output.parent().filter(|folder| !folder.as_str().is_empty());
        let folder = folder.unwrap_or(Utf8Path::new("."));
        for (name, _) in &beside {
            check_target(&folder.join(name.to_string()), args.overwrite)?;
        }
        archive(&closure, search_path.rules(), args, console)?;
        if !beside.is_empty() {
            let plan = ExtractPlan::for_folder(folder, beside.into_iter().map(|(_, list)| list));
            exit = exit.max(extract(&plan, folder, &writing(args), console)?);
        }
        if is_stdout(output) {
            return Ok(exit);
        }
    }
    report(&closure, writes, replaced, &game, args, console)?;
    if !writes {
        let why = if is_known {
            "files are missing"
        } else {
            "the needs of a level are not known, or a file cannot be loaded"
        };
        let text = format!("{output}: not written, because {why}");
        console.error(&Message::new(text, "--incomplete writes the other files"));
    }
    Ok(exit)
}

/// Refuses an archive that the engine would not load.
fn check_kind(output: &Utf8Path, rules: &Rules) -> Result<(), Failure> {
    let name = output.file_name().unwrap_or_default();
    let extension = output.extension().unwrap_or_default();
    let kind = |name: &str| ArchiveKind::of(name).filter(|kind| *kind != ArchiveKind::Folder);
    let loaded = rules.archives.sets.iter().flat_map(ArchiveSet::extensions);
    let loaded: Vec<_> = loaded.filter(|extension| kind(&format!(".{extension}")).is_some()).collect();
    let is_loaded = loaded.iter().any(|loaded| loaded.eq_ignore_ascii_case(extension));
    let text = match kind(name) {
        Some(_) if is_loaded => return Ok(()),
        Some(_) => format!("{output}: {} loads no .{extension}", rules.name),
        None => format!("{output}: the extension is of no known kind of archive"),
    };
    let mut known: Vec<String> = loaded.iter().map(|extension| format!(".{extension}")).collect();
    known.sort_unstable();
    known.dedup();
    let stem = output.with_extension("");
    let help = if extension.eq_ignore_ascii_case("zip") {
        let line = command_line(["quakefs", "pak", "create", output.as_str(), "-C", stem.as_str(), "."]);
        format!("for a download, pack with -o {}, then `{line}`", command_line([&*format!("{stem}/")]))
    } else {
        format!("name {}, or a folder that ends in /", known.join(", "))
    };
    Err(Message::new(text, help).into())
}

fn is_folder(output: &Utf8Path) -> bool {
    output.as_str().ends_with('/') || output.is_dir()
}

/// Refuses a folder in the place of a level, unless the game has a folder or a level of this name.
fn check_levels(levels: &[String], game: &Game) -> Result<(), Failure> {
    let is_known = |word: &[u8]| {
        game.search_path.is_dir(word) || game.search_path.find(&*game.level_path(word)).is_some()
    };
    let is_other = |word: &&String| Utf8Path::new(word).is_dir() && !is_known(word.as_bytes());
    let Some(folder) = levels.iter().find(is_other) else { return Ok(()) };
    let text = format!("{folder}: it is a folder, and `quakefs pack` packs what a level needs");
    Err(Message::new(text, archives_folder(folder)).into())
}

/// Refuses a `--without` that names no game directory, because it would have no effect.
fn check_without(without: &[String], search_path: &SearchPath) -> Result<(), Failure> {
    let is_there = |name: &String| {
        search_path
            .layers()
            .any(|layer| layer.game_directory().is_some_and(|directory| directory.name == *name))
    };
    match without.iter().find(|name| !is_there(name)) {
        Some(name) => {
            let text = format!("--without {name}: the game has no such directory");
            Err(Message::new(text, "`quakefs path` lists the game directories").into())
        }
        None => Ok(()),
    }
}

/// The lists beside levels without one, each as a file. They name the packed files, or the archive.
fn lists(
    closure: &Closure<'_>,
    levels: &Levels,
    archive: Option<&Utf8PathBuf>,
) -> Result<Vec<(EntryNameBuf, File<'static>)>, Failure> {
    let engine = &levels.search_path().rules().name;
    let archive = archive.map(|output| output.file_name().unwrap_or_default());
    let mut builder = Builder::zip();
    for (level, needs) in &closure.levels {
        let found = needs.needed.iter().filter_map(|need| need.find(levels.search_path()));
        let packed: Vec<_> =
            found.filter(|winner| closure.files.contains_key(winner.name().as_bytes())).collect();
        let list = match archive {
            Some(archive) => levels.server_list(level.as_name(), [EntryName::from(archive)]),
            None => levels.server_list(level.as_name(), packed.iter().map(File::name)),
        };
        let Some((name, text)) = list else {
            let text = format!("--list: {engine} reads no lists of files");
            return Err(Message::new(text, "name goldsrc, q2pro, q2rtx or yquake2 with --engine").into());
        };
        if let Some(archive) = archive.filter(|_| text.is_empty()) {
            let accepted = levels.listed_archives().iter().map(|extension| format!(".{extension}"));
            let accepted = accepted.collect::<Vec<_>>().join(", ");
            let text = format!("--list: players of {engine} get no archive {archive} from a list");
            let help = format!("name {accepted} with less than 64 letters, or a folder that ends in /");
            return Err(Message::new(text, help).into());
        }
        if !closure.files.contains_key(&name) {
            builder.push(&name, Source::bytes(text));
        }
    }
    let archive = Archive::from_data(builder.finish()?.into())?;
    Ok(archive.files("--list").map(|file| (file.name().into(), file)).collect())
}

fn folder(
    closure: &Closure<'_>,
    folder: &Utf8Path,
    kept: Vec<Utf8PathBuf>,
    args: &Args,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let files = closure.files.values().cloned().map(File::into_owned);
    let plan = ExtractPlan::for_folder(folder, files).keeping(kept);
    extract(&plan, folder, &writing(args), console)
}

fn writing(args: &Args) -> Writing {
    Writing { overwrite: args.overwrite, skip_existing: false, limit: None, dry_run: args.dry_run }
}

fn archive(
    closure: &Closure<'_>,
    rules: &Rules,
    args: &Args,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let output = &args.output;
    let is_pak = is_stdout(output) || ArchiveKind::of(output.as_str()) == Some(ArchiveKind::Pak);
    let layout = rules.paks.layout.filter(|_| is_pak);
    let mut builder = builder_of(output, layout, &args.encoding);
    for (name, file) in &closure.files {
        let read = move || Ok(Box::new(file.open().map_err(std::io::Error::from)?) as Box<dyn std::io::Read>);
        builder.push(name, Source::reader(file.size(), read));
    }
    if is_stdout(output) {
        return print(builder, console);
    }
    write(builder, output, args.overwrite, None, &Progress::of_bytes(console))?;
    Ok(())
}

fn report(
    closure: &Closure<'_>,
    writes: bool,
    replaced: Option<u64>,
    game: &Game,
    args: &Args,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let lost: Vec<_> = closure.missing().into_iter().map(|need| game.need(need)).collect();
    let packed = closure.files.iter().filter(|_| writes);
    let packed = packed.map(|(name, file)| FileRow::new(name.as_name(), file));
    output::answer(console, "packed", packed, |_| Ok(()))?;
    output::answer(console, "need", &lost, |console| {
        if args.dry_run && !is_folder(&args.output) {
            let row = |(name, found): (&EntryNameBuf, &File<'_>)| {
                vec![name.to_string(), output::cell(console, found.size()), found.layer().name().to_owned()]
            };
            let rows: Vec<_> = closure.files.iter().map(row).collect();
            output::table(
                console,
                &[Column::Copied("name"), Column::Number("size"), Column::Copied("layer")],
                rows,
            )?;
        }
        missing(&lost, console)?;
        if !writes {
            return Ok(());
        }
        let files = counted(closure.files.len() as u64, "file", "files");
        let players_have = match closure.players_have as u64 {
            0 => String::new(),
            count => {
                format!(", without {}", counted(count, "file that players have", "files that players have"))
            }
        };
        let levels = counted(closure.levels.len() as u64, "level", "levels");
        let (word, replaced) = if args.dry_run {
            ("would contain", output::replaced("would replace", replaced))
        } else {
            ("contains", output::replaced("replaced", replaced))
        };
        let output = printable(args.output.as_str());
        writeln!(console.out, "{output} {word} {files} for {levels}{players_have}{replaced}")?;
        Ok(())
    })
}
