//! `engines`: the rules of all engines side by side, or those of one in sentences.

use quakefs::rules::Evidence;
use quakefs::why::words::Sentence;
use quakefs::{Engine, Rules};
use serde::Serialize;

use crate::args::{Engines, own_rules};
use crate::console::{Console, Exit, Failure, Message};
use crate::line::print_names;
use crate::output;
use crate::text::printable;

#[derive(Serialize)]
struct JsonEngine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'static str>,
    #[serde(flatten)]
    rules: &'a Rules,
    sentences: Vec<JsonSentence>,
}

#[derive(Serialize)]
struct JsonSentence {
    topic: &'static str,
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
        let rules = engine.rules().to_toml();
        write!(
            console.out,
            "# The rules of {engine}: change them, and name this file by --rules.\n\
             # A file may also begin with inherit = \"{engine}\" and hold only the keys that differ.\n{rules}"
        )?;
        return Ok(Exit::Done);
    }
    if let Some(file) = &args.rules {
        tell(&own_rules(file)?, None, console.json, console)?;
    } else if let Some(engine) = args.name {
        tell(engine.rules(), Some(engine.evidence()), console.json, console)?;
    } else if console.json {
        for engine in Engine::ALL {
            tell(engine.rules(), Some(engine.evidence()), console.json, console)?;
        }
    } else if let Some(end) = args.names.end() {
        print_names(Engine::ALL.iter().map(|engine| engine.name()), end, console)?;
    } else {
        print_table(console)?;
    }
    Ok(Exit::Done)
}

/// Prints the rules of one engine.
fn tell(
    rules: &Rules,
    evidence: Option<Evidence>,
    in_json: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let sentences = quakefs::why::words::sentences(rules);
    if in_json {
        let sentence = |Sentence { topic, text, .. }| JsonSentence { topic, text };
        let sentences = sentences.into_iter().map(sentence).collect();
        let evidence = evidence.map(Evidence::name);
        return output::json(console, "engine", &JsonEngine { evidence, rules, sentences });
    }
    writeln!(console.out, "{}", printable(&rules.name))?;
    if let Some(evidence) = evidence {
        writeln!(console.out, "  {evidence}")?;
    }
    let mut last = "";
    for Sentence { topic, text, .. } in &sentences {
        if *topic != last {
            writeln!(console.out, "\n{topic}")?;
            last = topic;
        }
        writeln!(console.out, "  {}", printable(text))?;
    }
    Ok(())
}

fn print_table(console: &mut Console<'_>) -> Result<(), Failure> {
    let rows = Engine::ALL.iter().flat_map(|engine| {
        let short = quakefs::why::words::in_short(engine.rules());
        let mut archives = short.archives.into_iter();
        let first = archives.next().unwrap_or_else(|| "none".to_owned());
        let row =
            [engine.to_string(), short.directories, first, short.loose.to_owned(), short.case.to_owned()];
        // further sets of archives stand in lines of their own
        let further = archives.map(|line| ["", "", &line, "", ""].map(str::to_owned));
        std::iter::once(row).chain(further).map(Vec::from).collect::<Vec<_>>()
    });
    let titles = ["engine", "game directories", "archives, low to high", "loose", "case"];
    output::table(console, &titles, &[], rows)?;
    console.out.write_all(LEGEND.as_bytes())?;
    let documented = Engine::ALL.iter().filter(|engine| engine.evidence() == Evidence::Documented);
    let documented: Vec<_> = documented.map(|engine| engine.name()).collect();
    writeln!(
        console.out,
        "Known from documents and source: {}.\n\
         Every answer of the other engines was recorded, and is a test.",
        documented.join(", ")
    )?;
    Ok(())
}

const LEGEND: &str = "
game directories: low to high; missions are the directories of flags such as -hipnotic
archives: pakN is pak0, pak1 and so on; pak0 to pak9 may have gaps; pak+pk3: both kinds in one order
loose: above or below the archives of their directory; lowest: below the archives of all
case: how names in archives compare: exact, or any case
`quakefs engines NAME` says all rules of one engine in sentences.
";
