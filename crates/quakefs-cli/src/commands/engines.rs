//! `engines`: the rules of each engine, side by side.

use quakefs::rules::{
    ArchiveSet, Case, Duplicates, EmptyArchive, Engine, Evidence, Games, Gaps, LooseCase, LoosePosition,
    Order, Rules, ZipNames,
};
use serde::Serialize;

use crate::args::Engines;
use crate::console::{Console, Exit, Failure};
use crate::output;

#[derive(Serialize)]
struct JsonEngine<'a> {
    evidence: &'static str,
    #[serde(flatten)]
    rules: &'a Rules,
}

pub(crate) fn run(args: &Engines, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if let Some(engine) = args.toml {
        let rules = engine.rules().to_toml();
        write!(
            console.out,
            "# The rules of {engine}: change them, and name this file by --rules.\n\
             # A file may also begin with inherit = \"{engine}\" and hold only the keys that differ.\n{rules}"
        )?;
        return Ok(Exit::Done);
    }
    if json {
        for engine in Engine::ALL {
            let line = JsonEngine { evidence: evidence(*engine), rules: engine.rules() };
            output::json(console, "engine", &line)?;
        }
        return Ok(Exit::Done);
    }
    let rows = Engine::ALL.iter().map(|engine| {
        let rules = engine.rules();
        let mark = if engine.evidence() == Evidence::Documented { "*" } else { "" };
        let duplicates = match rules.duplicates {
            Duplicates::First => "first",
            Duplicates::Last => "last",
        };
        vec![
            format!("{engine}{mark}"),
            directories(rules),
            archives(rules),
            loose(rules),
            names(rules).to_owned(),
            duplicates.to_owned(),
        ]
    });
    let titles = ["engine", "directories", "archives, low to high", "loose", "names", "twice"];
    console.out.write_all(output::table(&titles, &[], rows).as_bytes())?;
    console.out.write_all(LEGEND.as_bytes())?;
    Ok(Exit::Done)
}

const LEGEND: &str = "
pakN: up to the first gap; pak0-9: gaps are skipped; !: an empty archive is a gap; !1: but not the
  first; *.PAK: in any case; ~: sorted without case; ^: as the disk lists them;
  a+b: both in one order; a|b: all of a, then all of b; a..e: five kinds, one after the other
loose: above or below the archives of their directory; /lower: the name, then in lower case;
  /any: in any case; /exact: as spelled, but another spelling hides the layers below
names: how they compare; exact+: a ZIP's in lower case; twice: which of two equal rows counts
*: known from documents; each answer of the others was recorded, and is a test
";

/// A rule that this command has no word for.
const UNKNOWN: &str = "?";

fn evidence(engine: Engine) -> &'static str {
    match engine.evidence() {
        Evidence::Recorded => "recorded",
        Evidence::Documented => "documented",
        _ => UNKNOWN,
    }
}

fn directories(rules: &Rules) -> String {
    // where a mission stands among the base directories
    let flags = |name: &str| if name == "{}" { "flags".to_owned() } else { name.to_owned() };
    let mut words: Vec<String> = rules.directories.base.iter().map(|name| flags(name)).collect();
    if !rules.directories.missions.is_empty() && !words.iter().any(|word| word == "flags") {
        words.push("flags".to_owned());
    }
    words.extend(match rules.directories.games {
        Games::Ignored => None,
        Games::First => Some("1st game".to_owned()),
        Games::Last => Some("game".to_owned()),
        Games::Every => Some("games".to_owned()),
        _ => Some(UNKNOWN.to_owned()),
    });
    words.join(" ")
}

/// The sets of archives. Neighbours that differ in their extension alone are one word.
fn archives(rules: &Rules) -> String {
    let mut words: Vec<(String, Vec<String>, String)> = Vec::new();
    for set in &*rules.archives {
        let (before, extension, after) = archive_set(set);
        match words.last_mut() {
            Some((start, extensions, end)) if *start == before && *end == after => extensions.push(extension),
            _ => words.push((before, vec![extension], after)),
        }
    }
    let word = |(before, extensions, after): (String, Vec<String>, String)| {
        let extensions = match &extensions[..] {
            [first, .., last] if extensions.len() > 3 => format!("{first}..{last}"),
            _ => extensions.join("|"),
        };
        format!("{before}{extensions}{after}")
    };
    words.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

/// What stands before the extensions of a set, the extensions, and what stands after them.
fn archive_set(set: &ArchiveSet) -> (String, String, String) {
    match set {
        ArchiveSet::Numbered { extensions, count, gaps, empty } => {
            let number = match (count, gaps) {
                (Some(count), Gaps::Skip) => format!("0-{}", count.saturating_sub(1)),
                (None, Gaps::Skip) => "0-".to_owned(),
                (Some(count), Gaps::Stop) => format!("N<{count}"),
                (None, Gaps::Stop) => "N".to_owned(),
                _ => UNKNOWN.to_owned(),
            };
            let empty = match empty {
                EmptyArchive::Loaded => "",
                EmptyArchive::EndsRun => "!",
                EmptyArchive::EndsRunUnlessFirst => "!1",
                _ => UNKNOWN,
            };
            (format!("pak{number}."), extensions.join("+"), empty.to_owned())
        }
        ArchiveSet::Others { extensions, extension_case, order, .. } => {
            let extensions = extensions.join("+");
            let extensions = match extension_case {
                Case::Exact => extensions,
                Case::Ignored => extensions.to_ascii_uppercase(),
            };
            let order = match order {
                Order::Bytes => "",
                Order::IgnoreCase => "~",
                Order::NumberThenName => "~, pakN first",
                Order::Listed => "^",
                _ => UNKNOWN,
            };
            ("*.".to_owned(), extensions, order.to_owned())
        }
        _ => (UNKNOWN.to_owned(), String::new(), String::new()),
    }
}

fn loose(rules: &Rules) -> String {
    let case = match rules.loose.case {
        LooseCase::Exact => "",
        LooseCase::ExactThenLower => "/lower",
        LooseCase::Ignored => "/any",
        LooseCase::ExactHidesOthers => "/exact",
        _ => UNKNOWN,
    };
    let position = match rules.loose.position {
        LoosePosition::Below => "below",
        LoosePosition::Above => "above",
    };
    format!("{position}{case}")
}

fn names(rules: &Rules) -> &'static str {
    match (rules.case, rules.zip_names) {
        (Case::Exact, ZipNames::AsStored) => "exact",
        (Case::Exact, ZipNames::LowerCased) => "exact+",
        (Case::Ignored, _) => "any",
        _ => UNKNOWN,
    }
}
