//! `pak diff`: the differences between two archives, folders or games.

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::findings::FindingKind;
use quakefs::rules::Skipped;
use quakefs::watch::{Change, ChangeKind};
use quakefs::{EntryName, File, Rules};
use quakefs_archives::{Collection, Contents, Diff as Comparison};
use serde::Serialize;

use crate::args::{Diff, by_position};
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::text::{escaped, with_slashes};

#[derive(Serialize)]
struct JsonDifference {
    kind: &'static str,
    name: String,
    old: Option<JsonFile>,
    new: Option<JsonFile>,
}

#[derive(Serialize)]
struct JsonFile {
    name: String,
    from: String,
    size: u64,
}

/// The sum of a comparison.
#[derive(Serialize)]
struct DiffRow {
    old: String,
    new: String,
    same: u64,
    added: usize,
    removed: usize,
    changed: usize,
    moved: usize,
    not_compared: usize,
    unreadable: usize,
}

impl JsonFile {
    fn of(file: &File<'_>) -> JsonFile {
        JsonFile { name: escaped(file.name()), from: file.location().to_string(), size: file.size() }
    }
}

pub(super) fn run(args: &Diff, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let rules = args.engine.rules(&console.environment)?;
    let old = contents(&args.old, args, &rules, console)?;
    let new = contents(&args.new, args, &rules, console)?;
    let mut diff = Comparison::new(&old, &new, args.decode.limit());
    let mut changes: Vec<(String, Change)> =
        diff.changes.drain(..).map(|change| (String::new(), change)).collect();
    for inside in in_both(args, console) {
        let [old, new] = [&args.old, &args.new].map(|path| Utf8PathBuf::from(format!("{path}/{inside}")));
        let (old, new) = (contents(&old, args, &rules, console), contents(&new, args, &rules, console));
        // one that is not an archive is compared as a file
        let (Ok(old), Ok(new)) = (old, new) else { continue };
        let within = Comparison::new(&old, &new, args.decode.limit());
        changes.extend(within.changes.into_iter().map(|change| (format!("{inside}/"), change)));
        diff.same += within.same;
        diff.not_compared.extend(within.not_compared);
        diff.faults.extend(within.faults);
    }
    for (inside, change) in &changes {
        let (old, new) = (change.before.as_ref(), change.after.as_ref());
        let kind = change.kind;
        let row = || {
            Ok(JsonDifference {
                kind: kind.name(),
                name: format!("{inside}{}", escaped(change.name())),
                old: old.map(JsonFile::of),
                new: new.map(JsonFile::of),
            })
        };
        output::one(console, "entry-difference", row, |console| {
            let what = match (kind, old, new) {
                (ChangeKind::Moved, Some(old), Some(_)) => format!("from {}", old.name()),
                (_, Some(old), Some(new)) if old.size() == new.size() => {
                    format!("{}, which differ", output::bytes(new.size()))
                }
                (_, Some(old), Some(new)) => {
                    format!("{}, before {}", output::bytes(new.size()), output::bytes(old.size()))
                }
                (_, old, new) => output::bytes(old.or(new).map_or(0, File::size)),
            };
            Ok(writeln!(console.out, "{:<7}  {inside}{}: {what}", kind.name(), change.name())?)
        })?;
    }
    console.errors(&diff.faults);
    if let Some(first) = diff.not_compared.first() {
        let files = output::counted(diff.not_compared.len() as u64, "file", "files");
        let text = format!(
            "{}: not compared, because the archives claim too many bytes: {files} like this",
            first.location()
        );
        console.error(&Message::new(text, "allow more with --max-output"));
    }
    print_sum(args, &diff, &changes, console)?;
    Ok(if diff.not_compared.len() + diff.faults.len() > 0 || old.is_damaged() || new.is_damaged() {
        Exit::Failed
    } else if changes.is_empty() {
        Exit::Done
    } else {
        Exit::NotFound
    })
}

/// The archives inside both, if they are to be compared too: the paths below them.
fn in_both(args: &Diff, console: &mut Console<'_>) -> Vec<String> {
    if !args.nested.nested || args.old.is_dir() || args.new.is_dir() {
        return Vec::new();
    }
    let mut inside = [&args.old, &args.new].map(|path| {
        let options = by_position().layout(args.layout);
        let archives = Collection::search([path]).nested(&options, args.decode.limit());
        console.errors(archives.faults());
        let below =
            |archive: &Utf8PathBuf| archive.as_str().strip_prefix(&*format!("{path}/")).map(str::to_owned);
        archives.archives().iter().filter_map(below).collect::<Vec<_>>()
    });
    let [old, new] = &mut inside;
    old.retain(|path| new.contains(path));
    std::mem::take(old)
}

fn contents(
    path: &Utf8Path,
    args: &Diff,
    rules: &Rules,
    console: &mut Console<'_>,
) -> Result<Contents, Failure> {
    let contents = Contents::of(path, rules, &by_position().layout(args.layout))?;
    // an archive that no engine loads here is compared as a file
    let is_whole = |kind: &FindingKind| {
        matches!(
            kind,
            FindingKind::Skipped(Skipped::OtherKind | Skipped::NoneLoaded | Skipped::NotNumbered { .. })
        )
    };
    output::warn_of(console, contents.findings.iter().filter(|finding| !is_whole(&finding.kind)));
    Ok(contents)
}

fn print_sum(
    args: &Diff,
    diff: &Comparison,
    changes: &[(String, Change)],
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let count = |kind| changes.iter().filter(|(_, change)| change.kind == kind).count();
    let kinds = [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Moved];
    let kinds = kinds.map(|kind| (kind.name(), count(kind)));
    let path = |path: &Utf8Path| escaped(EntryName::from(&*with_slashes(path.as_str())));
    let [added, removed, different, moved] = kinds.map(|(_, count)| count);
    let row = DiffRow {
        old: path(&args.old),
        new: path(&args.new),
        same: diff.same,
        added,
        removed,
        changed: different,
        moved,
        not_compared: diff.not_compared.len(),
        unreadable: diff.faults.len(),
    };
    output::answer(console, "diff", [row], |console| {
        let kinds = kinds.into_iter().filter(|(_, count)| *count > 0);
        let mut words: Vec<_> =
            kinds.map(|(kind, count)| format!("{} {kind}", output::grouped(count as u64))).collect();
        let same = output::counted(diff.same, "file is", "files are");
        if words.is_empty() && diff.not_compared.len() + diff.faults.len() == 0 {
            writeln!(console.out, "no difference: {same} the same")?;
        } else {
            words.push(format!("{same} the same"));
            writeln!(console.out, "{}", words.join(", "))?;
        }
        Ok(())
    })
}
