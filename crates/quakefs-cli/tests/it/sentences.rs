//! The sentence and advice of each kind. Read this snapshot aloud after a change.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::samples::{Sample, by_name, literal_length, samples};

#[test]
#[cfg_attr(windows, ignore = "some sentences need a disk that compares case")]
fn every_sentence_and_every_advice() {
    let mut text = String::new();
    for Sample { subject, name, sentence, cause, help, help_in_shell, .. } in samples() {
        let _ = writeln!(text, "{subject} [{name}]\n  {sentence}");
        for (word, line) in [("cause", cause), ("help", help), ("in a shell", help_in_shell)] {
            let _ = line.map(|line| writeln!(text, "    {word}: {line}"));
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn sentences_begin_small_and_end_without_a_full_stop() {
    for Sample { name, sentence, cause, help, help_in_shell, .. } in samples() {
        for text in [Some(sentence), cause, help, help_in_shell].into_iter().flatten() {
            assert!(!text.ends_with(['.', ' ', ':', ',']) || text.ends_with("..."), "{name}: {text}");
            assert!(!text.contains("  ") && !text.contains(" ,"), "{name}: {text}");
        }
    }
}

#[test]
fn a_known_sentence_becomes_the_name_of_its_kind() {
    assert_eq!(
        by_name("warning  id1/pak2.pak: skipped: pak1.pak is missing\n  help: put a file into it\n"),
        "warning  id1/pak2.pak: [gap after-gap]\n  help: […]\n"
    );
}

/// A kind whose sentence contains an error or another sentence, with the kind of an example.
const EXAMPLES: [(&str, &str, &str); 7] = [
    ("companion-skipped", "companion", "below-level"),
    ("damaged", "archive error", "expansion"),
    ("damaged-archive", "archive error", "directory-outside"),
    ("not-an-archive", "archive error", "unknown-magic"),
    ("not-unpacked", "no path", "same-path"),
    ("unreadable", "error", "io permissions"),
    ("wrong-archive", "archive error", "unknown-magic"),
];

/// The table of `docs/findings.md`: each kind with its severity, the first of its sentences and its advice.
fn rows_of_findings() -> String {
    let number = regex::Regex::new("900[0-9]").unwrap();
    let samples = samples();
    let mut rows = BTreeMap::new();
    for found in samples.iter().filter(|sample| sample.subject == "finding") {
        let kind = found.name.split(' ').next().unwrap();
        let example = EXAMPLES.iter().find(|(of, ..)| *of == kind).map(|(_, subject, name)| {
            let is_example = |sample: &&Sample| (sample.subject, &*sample.name) == (*subject, *name);
            samples.iter().find(is_example).unwrap()
        });
        let inner = example.map(|example| example.sentence.trim_start_matches("read failed: "));
        let sentence = found.sentence.replace("‹reason›", inner.unwrap_or("‹reason›"));
        let sentence = sentence.replace("‹because›", inner.unwrap_or_default());
        if literal_length(&sentence) == 0 {
            // a row of the table for findings of another crate, or another sample of the kind has the words
            continue;
        }
        let help = match found.help.as_deref() {
            Some("‹help›") => example.and_then(|example| example.help.as_deref()),
            help => help,
        };
        let severity = found.severity.unwrap_or(quakefs::findings::Severity::Warning);
        let row = format!("| `{kind}` | {severity} | {sentence} | {} |", help.unwrap_or("-"));
        let row = number.replace_all(&row, "‹number›").replace(" (os error 13)", "");
        rows.entry(kind.to_owned()).or_insert(row + "\n");
    }
    rows.into_values().collect()
}

#[test]
#[cfg_attr(windows, ignore = "some sentences need a disk that compares case")]
fn the_page_of_findings_has_each_kind() {
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/findings.md");
    let page = std::fs::read_to_string(place).unwrap();
    let (text, rows) = page.split_once("|---|---|---|---|\n").unwrap();
    if testutils::update() {
        std::fs::write(place, format!("{text}|---|---|---|---|\n{}", rows_of_findings())).unwrap();
    } else {
        assert_eq!(
            rows,
            rows_of_findings(),
            "`UPDATE=1 cargo test -p quakefs-cli --test it sentences` writes it"
        );
    }
}
