//! `engines`: the rules of all engines side by side, or all rules of one as a rule file with comments.

use std::collections::BTreeMap;

use quakefs::rules::{
    ArchiveSet, AsOf, Case, EmptyArchive, Family, Games, Gaps, LoosePosition, Order, PLACEHOLDER, Text, USER,
};
use quakefs::{Engine, Rules};
use serde::Serialize;

use crate::args::{Engines, own_rules};
use crate::console::{Console, Exit, Failure, Message};
use crate::line::print_names;
use crate::output::{self, named};

#[derive(Serialize)]
struct JsonEngine<'a> {
    #[serde(flatten)]
    evidence: Option<JsonEvidence>,
    #[serde(flatten)]
    rules: &'a Rules,
    sentences: Vec<JsonSentence>,
}

impl<'a> JsonEngine<'a> {
    fn of(rules: &'a Rules, engine: Option<Engine>) -> Self {
        let sentences = sentences(&rules.to_toml());
        JsonEngine { evidence: engine.map(JsonEvidence::of), rules, sentences }
    }
}

#[derive(Serialize)]
struct JsonEvidence {
    /// `recorded` if the engine was run at all, or else `documented`.
    evidence: &'static str,
    version: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    commit: &'static str,
    as_of: &'static str,
    /// The keys of the rules for which the engine was run, and the others.
    run: Vec<&'static str>,
    read: Vec<&'static str>,
    /// What is known: `run`, `read` or `unknown` for each of `files`, `start`, `needs`, `music`, `place`.
    depth: BTreeMap<&'static str, &'static str>,
    /// What the next version changes.
    #[serde(skip_serializing_if = "str::is_empty")]
    next: &'static str,
}

impl JsonEvidence {
    fn of(engine: Engine) -> Self {
        let AsOf { version, commit, date: as_of, .. } = engine.as_of();
        let [run, read] = [true, false].map(|was_run| aspects(engine, was_run));
        let evidence = if run.is_empty() { "documented" } else { "recorded" };
        let depth = engine.depth().map(|(what, evidence)| (what, evidence.name())).into();
        JsonEvidence { evidence, version, commit, as_of, run, read, depth, next: engine.next() }
    }
}

/// The keys of the rules for which the engine was run, or those that were only read.
fn aspects(engine: Engine, was_run: bool) -> Vec<&'static str> {
    engine.aspects().into_iter().filter(|(_, run)| *run == was_run).map(|(key, _)| key).collect()
}

#[derive(Serialize)]
struct JsonSentence {
    /// The table of the rule file.
    topic: String,
    /// A key with its value, and its documentation.
    text: String,
}

pub(crate) fn run(args: &Engines, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if let Some(engine) = args.toml {
        if console.json {
            let text = "--toml prints TOML, and --json objects";
            return Err(
                Message::new(text, format!("leave one out: `quakefs --json engines {engine}`")).into()
            );
        }
        print_file(engine.rules(), Some(engine), console)?;
        return Ok(Exit::Done);
    }
    if let Some(file) = &args.rules {
        print(&own_rules(file)?, None, console)?;
    } else if let Some(engine) = args.name {
        print(engine.rules(), Some(engine), console)?;
    } else {
        let rows = Engine::ALL.iter().map(|engine| JsonEngine::of(engine.rules(), Some(*engine)));
        output::answer(console, "engine", rows, |console| match args.names.end(console) {
            None if args.depth => print_depth(console),
            Some(end) => Ok(print_names(Engine::ALL.iter().map(|engine| engine.name()), end, console)?),
            None => print_table(console),
        })?;
    }
    Ok(Exit::Done)
}

/// Prints one set of rules: a JSON object or a rule file.
fn print(rules: &Rules, engine: Option<Engine>, console: &mut Console<'_>) -> Result<(), Failure> {
    let row = || Ok(JsonEngine::of(rules, engine));
    output::one(console, "engine", row, |console| print_file(rules, engine, console))
}

fn print_file(rules: &Rules, engine: Option<Engine>, console: &mut Console<'_>) -> Result<(), Failure> {
    if let Some(engine) = engine {
        let AsOf { version, commit, date, .. } = engine.as_of();
        let commit = if commit.is_empty() { String::new() } else { format!(", commit {commit}") };
        writeln!(console.out, "# As of: {version}{commit}, {date}.")?;
        for (was_run, text) in
            [(true, "Run, and every answer is a test"), (false, "Read in source or documents")]
        {
            let keys = aspects(engine, was_run).join(", ");
            if !keys.is_empty() {
                writeln!(console.out, "# {text}: {keys}.")?;
            }
        }
        if !engine.next().is_empty() {
            writeln!(console.out, "# Next: {}.", engine.next())?;
        }
        let unknown = rules.unknown().join(", ");
        if !unknown.is_empty() {
            writeln!(console.out, "# Not known: {unknown}.")?;
        }
        writeln!(
            console.out,
            "# To make rules of your own, change a copy of this file and name it with --rules.\n\
             # A file may also begin with inherit = \"{engine}\" and contain only the keys that differ.\n",
        )?;
    }
    Ok(console.out.write_all(rules.to_toml().as_bytes())?)
}

/// The keys of a printed rule file, each with its value and then its documentation.
fn sentences(file: &str) -> Vec<JsonSentence> {
    let mut topic = "engine";
    let mut sentences = Vec::new();
    let (mut value, mut docs) = (String::new(), Vec::new());
    for line in file.lines() {
        if let Some(doc) = line.trim_start().strip_prefix("# ") {
            docs.push(doc);
        } else if line.starts_with('[') {
            topic = line.trim_matches(['[', ']']);
            docs.clear();
        } else if !line.is_empty() {
            value.push_str(line.trim_start());
            // a list with one item per line ends on a separate line
            if !line.starts_with(' ') && !line.ends_with('[') {
                let text = [&*value].into_iter().chain(docs.drain(..)).collect::<Vec<_>>().join(" ");
                sentences.push(JsonSentence { topic: topic.to_owned(), text });
                value.clear();
            }
        }
    }
    sentences
}

/// Rows of a table of engines, grouped by the game that they play.
fn by_game(rows_of: impl Fn(Engine) -> Vec<Vec<String>>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (family, engines) in Family::engines() {
        let game = family.map_or("one game alone", |family| &family.name);
        rows.push(vec![game.to_owned()]);
        for engine in engines {
            for mut row in rows_of(engine) {
                if let Some(first) = row.first_mut() {
                    first.insert(0, ' ');
                }
                rows.push(row);
            }
        }
    }
    rows
}

fn print_table(console: &mut Console<'_>) -> Result<(), Failure> {
    let rows = by_game(|engine| {
        let rules = engine.rules();
        let mut archives = archives(rules).into_iter();
        let first = archives.next().unwrap_or_else(|| "none".to_owned());
        let loose = match rules.loose.position {
            LoosePosition::Below => "below",
            LoosePosition::Above => "above",
            LoosePosition::Lowest => "lowest",
            LoosePosition::Highest => "top",
        };
        let case = match rules.archives.case {
            Case::Exact => "exact",
            Case::Ignored => "any",
        };
        // the day does not fit
        let date = engine.as_of().date;
        let month = date.get(..7).unwrap_or(date).to_owned();
        let row = [engine.to_string(), directories(rules), first, loose.to_owned(), case.to_owned(), month];
        // each further set of archives has its own line
        let further = archives.map(|line| ["", "", &line, "", "", ""].map(str::to_owned));
        std::iter::once(row).chain(further).map(Vec::from).collect()
    });
    let titles = named("engine", &["game directories", "archives, low to high", "loose", "case", "as of"]);
    output::table(console, &titles, rows)?;
    console.out.write_all(LEGEND.as_bytes())?;
    let documented = Engine::ALL.iter().filter(|engine| engine.as_of().run.is_empty());
    let documented: Vec<_> = documented.map(|engine| engine.name()).collect();
    writeln!(
        console.out,
        "Known from documents and source:\n  {}.\n\
         The other engines were run; `quakefs engines NAME` tells for which rules.",
        // for a terminal of 100 columns
        documented.chunks(8).map(|names| names.join(", ")).collect::<Vec<_>>().join(",\n  ")
    )?;
    Ok(())
}

fn print_depth(console: &mut Console<'_>) -> Result<(), Failure> {
    let rows = by_game(|engine| {
        let known = engine.depth().map(|(_, evidence)| evidence.to_string());
        vec![std::iter::once(engine.to_string()).chain(known).collect()]
    });
    let titles = named("engine", &["files", "start", "needs", "music", "place"]);
    output::table(console, &titles, rows)?;
    Ok(console.out.write_all(DEPTH.as_bytes())?)
}

const DEPTH: &str = "
files: which file a name finds; start: what the engine needs to start; needs: which files a level names
music: which file a track is; place: where a download of its game goes
run: the engine answered, and its answers are tests; read: known from its source or from documents
";

const LEGEND: &str = "
game directories: low to high; flags are the directories of mission flags such as -hipnotic
archives: pakN is pak0, pak1 and so on; pak0 to pak9 may have gaps; pak+pk3: both kinds in one order
loose: above or below the archives of their directory; lowest, top: below or above all archives
case: how names in archives compare: exact, or any case
as of: the month of the version that the rules describe
`quakefs engines NAME` prints all rules of one engine, with comments.
";

/// The game directories of the table, low to high.
fn directories(rules: &Rules) -> String {
    let named = |name: &Text| match &**name {
        PLACEHOLDER => "flags".to_owned(),
        USER => "user".to_owned(),
        name => name.to_owned(),
    };
    let directories = &rules.directories;
    let mut words: Vec<String> = directories.base.iter().map(named).collect();
    if !directories.missions.is_empty() && !directories.base.iter().any(|base| base == PLACEHOLDER) {
        words.push("flags".to_owned());
    }
    words.extend(match directories.games {
        Games::Ignored => None,
        Games::First => Some("1st game".to_owned()),
        Games::Last => Some("game".to_owned()),
        Games::Every => Some("games".to_owned()),
    });
    words.join(" ")
}

/// The archives of the table, low to high. Sets that differ only in their extensions share a line.
fn archives(rules: &Rules) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for (place, set) in rules.archives.sets.iter().enumerate() {
        let which = match set {
            ArchiveSet::Numbered { stem, count, gaps, .. } => {
                let end = match gaps {
                    Gaps::Skip => "",
                    Gaps::Stop { empty: EmptyArchive::Loaded } => " to the gap",
                    Gaps::Stop { empty: EmptyArchive::EndsRun | EmptyArchive::EndsRunUnlessFirst } => {
                        " to a gap or empty"
                    }
                };
                match count {
                    Some(count) => format!("{stem}0 to {stem}{}{end}", count.saturating_sub(1)),
                    None => format!("{stem}N{end}"),
                }
            }
            ArchiveSet::Others { order, .. } => {
                let numbered = |set: &ArchiveSet| matches!(set, ArchiveSet::Numbered { .. });
                let others = rules.archives.sets.iter().take(place).any(numbered);
                let order = match order {
                    Order::Bytes => "by bytes",
                    Order::Listed => "in disk order",
                    Order::IgnoreCase => "by name",
                    Order::Capitals => "by capitals",
                    Order::NumberThenName => "by number",
                };
                format!("{} {order}", if others { "others" } else { "all" })
            }
        };
        let extensions = set.extensions().join("+");
        match lines.last_mut() {
            Some((last, sets)) if *last == which => sets.push(extensions),
            _ => lines.push((which, vec![extensions])),
        }
    }
    let wrapped = lines.into_iter().flat_map(|(which, sets)| {
        let line = format!("{which}: {}", sets.join(", "));
        if line.len() <= WIDEST {
            return vec![line];
        }
        let together = sets.join(", ");
        let below = if together.len() + 2 <= WIDEST { vec![together] } else { sets };
        std::iter::once(format!("{which}:")).chain(below.iter().map(|sets| format!("  {sets}"))).collect()
    });
    wrapped.collect()
}

/// The widest column of the table, which has to fit a terminal of 100 columns.
const WIDEST: usize = 29;
