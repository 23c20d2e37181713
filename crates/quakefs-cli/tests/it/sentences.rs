//! The sentence and advice of each kind. Read this snapshot aloud after a change.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::samples::{Sample, by_name, samples};

#[test]
#[cfg_attr(windows, ignore = "some sentences need a disk that compares case")]
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
        by_name("warning  id1/pak2.pak: skipped: pak1.pak is missing\n  help: remove the link\n"),
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
#[cfg_attr(windows, ignore = "some sentences need a disk that compares case")]
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
