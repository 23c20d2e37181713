//! What is said of each kind: read this snapshot aloud after a change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::samples::{Sample, by_name, samples};

#[test]
#[cfg_attr(windows, ignore = "some sentences are of disks that tell a from A")]
fn every_sentence_and_every_advice() {
    let mut text = String::new();
    for Sample { subject, name, sentence, cause, help, help_in_shell } in samples() {
        let _ = writeln!(text, "{subject} [{name}]\n  {sentence}");
        for (word, line) in [("cause", cause), ("help", help), ("in a shell", help_in_shell)] {
            let _ = line.map(|line| writeln!(text, "    {word}: {line}"));
        }
    }
    insta::assert_snapshot!(text);
}

/// The words that the functions called `name` of a source give.
fn names_in(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for part in source.split("fn name(").skip(1) {
        let body = part.split("\n    }\n").next().unwrap();
        let words = body.split('"').skip(1).step_by(2).map(str::to_owned);
        names.extend(words);
    }
    names
}

#[test]
fn each_kind_that_has_a_name_has_its_sentence() {
    let sources = [
        ("finding", include_str!("../../../quakefs/src/finding.rs")),
        ("precedence", include_str!("../../../quakefs/src/precedence.rs")),
        ("no path", include_str!("../../../quakefs/src/no_path.rs")),
        ("miss", include_str!("../../../quakefs/src/why/explain.rs")),
    ];
    // the names of severities stand in the same file
    let severities = ["note", "warning", "error"];
    for (subject, source) in sources {
        let samples: BTreeSet<_> = samples()
            .into_iter()
            .filter(|sample| sample.subject == subject)
            .map(|sample| sample.name.split(' ').next().unwrap().to_owned())
            .collect();
        let names = names_in(source);
        let without: Vec<_> = names
            .iter()
            .filter(|name| !samples.contains(*name) && !severities.contains(&name.as_str()))
            .collect();
        assert!(without.is_empty(), "no sample of {subject}: {without:?}");
    }
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
        by_name(
            "warning  id1/pak2.pak: the archive is not loaded: pak1.pak is missing\n  help: remove the link\n"
        ),
        "warning  id1/pak2.pak: [gap after-gap]\n  help: […]\n"
    );
}

/// The rows of `docs/findings.md`: each kind with the first of its sentences.
fn rows_of_findings() -> String {
    let mut rows = BTreeMap::new();
    for Sample { subject, name, sentence, .. } in samples() {
        if subject == "finding" {
            let kind = name.split(' ').next().unwrap().to_owned();
            rows.entry(kind).or_insert(sentence);
        }
    }
    let row =
        |(kind, sentence): (&String, &String)| format!("| `{kind}` | {} |\n", sentence.replace('|', "\\|"));
    rows.iter().map(row).collect::<Vec<_>>().concat()
}

#[test]
#[cfg_attr(windows, ignore = "some sentences are of disks that tell a from A")]
fn the_page_of_findings_has_each_kind() {
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/findings.md");
    let page = std::fs::read_to_string(place).unwrap();
    let (text, rows) = page.split_once("|---|---|\n").unwrap();
    if testutils::update() {
        std::fs::write(place, format!("{text}|---|---|\n{}", rows_of_findings())).unwrap();
    } else {
        assert_eq!(
            rows,
            rows_of_findings(),
            "`UPDATE=1 cargo test -p quakefs-cli --test it sentences` writes it anew"
        );
    }
}
