//! `fix`: renames files so that they load on Linux too.

use std::fs;
use std::io::Write as _;

use atomic_file::{AtomicFile, Options};
use camino::{Utf8Path, Utf8PathBuf};
use quakefs::rules::Host;
use quakefs::why::Rename;
use serde::{Deserialize, Serialize};

use crate::args::Fix;
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, counted};
use crate::text::command_line;

/// A rename, in JSON output and in the file for `--undo`.
#[derive(Serialize, Deserialize)]
struct JsonRename {
    from: String,
    to: String,
}

pub(crate) fn run(args: &Fix, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if let Some(file) = &args.undo {
        return undo(file, console);
    }
    let search_path = args.game.mount_on(Some(Host::Windows), console)?;
    let fix = quakefs::why::fix(&search_path).map_err(|error| Message::from(&error))?;
    let roots = search_path.roots();
    let root = roots.first().map(|root| &**root);
    let taken = fix.taken.iter().map(|rename| (rename, Some(taken_by(rename))));
    if fix.renames.is_empty() && fix.taken.is_empty() {
        if !console.json {
            writeln!(console.out, "nothing to rename")?;
        }
        return Ok(Exit::Done);
    }
    if !args.write {
        let listed: Vec<_> = fix.renames.iter().map(|rename| (rename, None)).chain(taken).collect();
        print(&listed, root, false, console)?;
        if !console.json && !fix.renames.is_empty() {
            console.note(format!("`{} --write` renames them", args.game.suggest("fix")));
        }
        return Ok(Exit::NotFound);
    }
    let undo = undo_file(root, &fix.renames)?;
    let done: Vec<_> = renamed(&fix.renames).chain(taken).collect();
    print(&done, root, true, console)?;
    if let Some(undo) = undo {
        console.note(format!("`{}` undoes this", command_line(["quakefs", "fix", "--undo", undo.as_str()])));
    }
    Ok(exit_of(&done))
}

/// Renames files, and returns each with its error.
fn renamed(renames: &[Rename]) -> impl Iterator<Item = (&Rename, Option<String>)> {
    renames.iter().map(|rename| {
        let error = atomic_file::rename(&rename.from, &rename.to).err();
        (rename, error.map(|error| error.to_string()))
    })
}

fn exit_of(done: &[(&Rename, Option<String>)]) -> Exit {
    if done.iter().all(|(_, error)| error.is_none()) { Exit::Done } else { Exit::NotFound }
}

fn taken_by(rename: &Rename) -> String {
    format!("{} already exists", rename.to.file_name().unwrap_or_default())
}

/// Writes the file for `--undo` beside the game, before the first rename.
fn undo_file(root: Option<&Utf8Path>, renames: &[Rename]) -> Result<Option<Utf8PathBuf>, Failure> {
    let Some(first) = renames.first() else { return Ok(None) };
    let folder = root.or_else(|| first.from.parent()).unwrap_or(Utf8Path::new("."));
    let lines = renames.iter().map(|rename| {
        let line = JsonRename { from: rename.from.to_string(), to: rename.to.to_string() };
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    });
    let text: String = lines.collect();
    for number in 1.. {
        let path = folder.join(format!("quakefs-fix-{number}.jsonl"));
        let unwritable = |error: std::io::Error| {
            Message::new(format!("{path}: cannot be written: {error}"), "no file was renamed")
        };
        let mut file = match AtomicFile::create(&path, &Options::new().replace(false)) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(unwritable(error).into()),
        };
        file.write_all(text.as_bytes()).map_err(unwritable)?;
        file.commit().map_err(|error| unwritable(error.into_cause()))?;
        return Ok(Some(path));
    }
    Ok(None)
}

/// Undoes renames, the last one first.
fn undo(file: &Utf8Path, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let help = "name a file that `quakefs fix --write` wrote";
    let text = fs::read_to_string(file)
        .map_err(|error| Message::new(format!("{file}: cannot be read: {error}"), help))?;
    let mut renames = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let rename: JsonRename = serde_json::from_str(line).map_err(|error| {
            Message::new(format!("{file}: line {}: not a rename: {error}", number + 1), help)
        })?;
        let (from, to) = (Utf8Path::new(&rename.from), Utf8Path::new(&rename.to));
        let name = from.file_name().unwrap_or_default();
        if to.parent() != from.parent() || name.is_empty() {
            let text = format!("{file}: line {}: the two paths are in different folders", number + 1);
            return Err(Message::new(text, help).into());
        }
        renames.push(Rename::new(to, name));
    }
    renames.reverse();
    let done: Vec<_> = renamed(&renames).collect();
    let folder = camino::absolute_utf8(file).ok();
    print(&done, folder.as_deref().and_then(Utf8Path::parent), true, console)?;
    Ok(exit_of(&done))
}

/// Prints renames, with paths relative to a folder if possible.
fn print(
    renames: &[(&Rename, Option<String>)],
    root: Option<&Utf8Path>,
    done: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    if console.json {
        for (rename, error) in renames {
            let pairs = [
                ("from", rename.from.as_str().into()),
                ("to", rename.to.as_str().into()),
                ("done", (done && error.is_none()).into()),
                ("error", error.clone().into()),
            ];
            output::pairs(console, "rename", &pairs)?;
        }
        return Ok(());
    }
    let any_error = renames.iter().any(|(_, error)| error.is_some());
    let mut titles = vec!["path", "new name"];
    titles.extend(any_error.then_some("problem"));
    let rows = renames.iter().map(|(rename, error)| {
        let name = rename.to.file_name().unwrap_or_default().to_owned();
        let problem = any_error.then(|| error.clone().unwrap_or_else(|| "-".to_owned()));
        let path = root.and_then(|root| rename.from.strip_prefix(root).ok()).unwrap_or(&rename.from);
        [path.to_string(), name].into_iter().chain(problem).collect()
    });
    output::table(console, &titles, &[], rows)?;
    let count = renames.iter().filter(|(_, error)| error.is_none()).count();
    let verb = if done { "renamed" } else { "to rename" };
    writeln!(console.out, "\n{} {verb}", counted(count as u64, "name", "names"))?;
    Ok(())
}
