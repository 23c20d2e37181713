//! Findings: one test for each kind, and the findings of any archive compared with a slower search.

use std::cell::Cell;
use std::collections::BTreeSet;

use pak_format::record::{Header, Row};
use pak_format::verify::{DecodeBudget, names, verify_within};
use pak_format::{Archive, Builder, EntryName, Finding, FindingKind, Layout, Severity, verify};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use testutils::Pack;

use crate::{open, parse_as};

fn text(findings: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| format!("{} {}: {finding}", finding.severity(), finding.kind().name());
    findings.iter().map(line).collect()
}

/// Archives of `testdata/pak`, and below each its findings.
fn check(expected: &str) {
    let expected: Vec<_> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let files = expected.iter().filter(|line| !line.contains(": "));
    let found: Vec<_> =
        files.flat_map(|file| [vec![(*file).to_owned()], text(&verify(&open(file)))].concat()).collect();
    assert_eq!(found, expected);
}

/// The same for an archive of files that hold one byte each.
fn check_names(names: &[&str], expected: &[&str]) {
    let archive = parse_as(of_names(names), Layout::Quake).unwrap();
    assert_eq!(text(&verify(&archive)), expected, "{names:?}");
}

fn of_names<N: AsRef<[u8]>>(names: &[N]) -> Vec<u8> {
    let rows: Vec<_> = names.iter().zip(12..).map(|(name, offset)| (name.as_ref(), offset, 1)).collect();
    image(&vec![b'x'; names.len()], &rows)
}

/// Payloads, then rows of name, offset and size.
fn image(payload: &[u8], rows: &[(&[u8], u32, u32)]) -> Vec<u8> {
    let mut pack = Pack::new(Layout::Quake);
    pack.payload(payload);
    for &(name, offset, size) in rows {
        pack.row(name, offset, size);
    }
    pack.finish()
}

#[test]
fn an_archive_of_the_builder_has_no_finding() {
    for layout in Layout::ALL {
        let mut builder = Builder::new(layout);
        assert_eq!(verify(&parse_as(Builder::new(layout).finish().unwrap(), layout).unwrap()), []);
        builder.add("maps/e1m1.bsp", [7; 900]).unwrap();
        builder.add("maps/e1m2.bsp", [7; 900]).unwrap();
        builder.add("empty.txt", "").unwrap();
        builder.add([b'n'; 55], "as long as a name may be").unwrap();
        assert_eq!(verify(&Archive::parse(builder.finish().unwrap()).unwrap()), []);
    }
}

#[test]
fn archives_of_other_programs_have_few_findings() {
    check(
        r#"
        ok/daikatana-dkpak.pak
        ok/hrot.pak
        ok/quake2-minimal.pak
        ok/quake-directory-first.pak
        ok/quake-directory-first-2.pak
        ok/quake-one-entry.pak
        ok/quake-dot-names.pak
          warning dotted-name: entry 0 (./test_data/test.mdl): the name has an empty or "." component, so a request without that component does not find the entry
          warning dotted-name: entry 1 (./test_data/test.bsp): the name has an empty or "." component, so a request without that component does not find the entry
        ok/quake-zip-polyglot.pak
          note holes: 44 bytes between the payloads are unused (holes: 1)
          note tail: 158 bytes at the end are unused
        "#,
    );
}

#[test]
fn a_payload_that_is_cut_off_damaged_shared_or_unused_is_reported() {
    check(
        "
        malformed/payload-past-end-by-one.pak
          error outside: entry 1 (b): the payload ends past the end of the archive: expected at most 207, found offset 204 + size 4
          warning in-directory: entry 2 (c): the payload overlaps the directory
        malformed/payload-empty-past-end.pak
        malformed/codec-control-254.pak
          error damaged: entry 0 (packed.tga): the compressed payload is damaged: the control byte 254 is not assigned, at byte 3 of the stream, after 2 bytes of output
        malformed/codec-expansion-past-limit.pak
          error damaged: entry 0 (packed.tga): 2 compressed bytes decode to at most 130 bytes, but the row claims 131
        malformed/codec-copy-longer-than-its-distance.pak
        malformed/payload-in-header.pak
          warning in-header: entry 0 (a): the payload overlaps the header
        malformed/payload-over-directory.pak
          warning in-directory: entry 0 (a): the payload overlaps the directory
        malformed/payloads-overlap.pak
          warning overlap: entry 1 (b): the payload overlaps the payload of entry 0
        malformed/payloads-identical.pak
          note shared: 1 entry shares the payload of another, which saves 3 bytes; the first is entry 1
        malformed/payloads-with-holes-and-a-tail.pak
          note holes: 4 bytes between the payloads are unused (holes: 2)
          note tail: 4 bytes at the end are unused
        ",
    );
}

#[test]
fn names_that_meet_are_reported_once_each() {
    check_names(
        &["b", "a", "b", "b"],
        &[
            "warning duplicate: entry 2 (b): entry 0 has the same name, and programs differ in which of the \
                two they read",
            "warning duplicate: entry 3 (b): entry 0 has the same name, and programs differ in which of the \
                two they read",
        ],
    );
    check_names(
        &["maps/E1M1.bsp", "maps/e1m1.bsp", "Maps/e1m1.bsp", "maps/e1m1.bsp"],
        &[
            "warning same-without-case: entry 1 (maps/e1m1.bsp): the name differs from entry 0 only in case",
            "warning same-without-case: entry 2 (Maps/e1m1.bsp): the name differs from entry 0 only in case",
            "warning duplicate: entry 3 (maps/e1m1.bsp): entry 1 has the same name, and programs differ in \
                which of the two they read",
        ],
    );
    check_names(
        &["x", "readme. ", "README", "a./b"],
        &["warning same-on-windows: entry 2 (README): on Windows the name leads to the same file as entry 1"],
    );
}

#[test]
fn a_file_and_a_folder_of_one_name_are_reported() {
    let text = |entry| format!("the name is also a folder, which contains entry {entry}");
    check_names(
        &["a-b", "a/b", "a", "a.c", "a/b/c"],
        &[
            &format!("warning file-and-folder: entry 1 (a/b): {}", text(4)),
            &format!("warning file-and-folder: entry 2 (a): {}", text(1)),
        ],
    );
    check_names(&["MAPS", "maps/x"], &[&format!("warning file-and-folder: entry 0 (MAPS): {}", text(1))]);
}

#[test]
fn a_name_that_is_not_a_path_is_reported() {
    for (name, fault) in [
        ("../a", "the name has a \"..\" component"),
        ("/a", "the name is an absolute path"),
        ("maps\\a", "the name contains a backslash"),
        ("maps/nul.txt", "the name is reserved for a Windows device"),
        ("", "the name is empty"),
    ] {
        check_names(
            &[name],
            &[&format!("error unsafe-name: entry 0 ({name}): this entry cannot be extracted: {fault}")],
        );
    }
    check(
        r"
        malformed/name-fills-field.pak
          warning no-nul: entry 0 (nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn): the name has 56 bytes and fills its field: programs that expect a NUL read past the field
        malformed/name-not-utf8.pak
          note not-ascii: entry 0 (caf\xE9.wav): the name is not ASCII
        malformed/name-garbage-after-nul.pak
          note garbage-after-nul: 1 name field has bytes after the NUL, first in entry 0
        ",
    );
}

#[test]
fn claimed_content_past_the_budget_is_reported_and_not_decoded() {
    // 65 bytes of zeros a byte, as a whole file, under many names
    let stream = vec![127; 200_000];
    let rows = |directory: &mut Vec<u8>, count: u32| {
        for number in 0..count {
            let name = format!("{number}.tga");
            // not the same payload, or it would be decoded once
            let compressed_size = 200_000 - number;
            let row = Row {
                name: name.as_bytes(),
                offset: 12,
                size: compressed_size * 65,
                compressed_size,
                compression: 1,
            };
            row.encode(Layout::Daikatana, directory);
        }
    };
    let build = |count| {
        let mut directory = Vec::new();
        rows(&mut directory, count);
        let directory_size = u32::try_from(directory.len()).unwrap();
        let header = Header { magic: *b"PACK", directory_offset: 200_012, directory_size };
        parse_as([&header.encode()[..], &stream, &directory].concat(), Layout::Daikatana).unwrap()
    };
    let about_all = |findings: Vec<Finding>| {
        findings.into_iter().filter(|finding| finding.entry().is_none()).collect::<Vec<_>>()
    };
    assert_eq!(about_all(verify(&build(82))), []);
    assert_eq!(
        text(&about_all(verify(&build(90)))),
        [
            "warning expansion: the files have 1169739675 bytes, the archive only 206492 bytes",
            "warning not-decoded: 8 entries were not decoded because it would take too long",
        ]
    );
}

#[test]
fn a_smaller_budget_decodes_less() {
    let mut builder = Builder::new(Layout::Daikatana);
    for name in ["a.tga", "b.tga"] {
        builder.add(name, [7; 1000]).unwrap();
    }
    let archive = Archive::parse(builder.finish().unwrap()).unwrap();
    assert_eq!(verify_within(&archive, DecodeBudget::new(2000)), []);
    assert_eq!(
        text(&verify_within(&archive, DecodeBudget::new(1999))),
        [
            format!(
                "warning expansion: the files have 2000 bytes, the archive only {} bytes",
                archive.get_ref().len()
            ),
            "warning not-decoded: 1 entry was not decoded because it would take too long".to_owned(),
        ]
    );
}

#[test]
fn a_budget_is_spent_once_and_its_limit_does_not_wrap() {
    assert_eq!(DecodeBudget::for_archive(u64::MAX).limit(), u64::MAX);
    assert_eq!(DecodeBudget::for_archive(20 << 20).limit(), 2000 << 20);
    let mut budget = DecodeBudget::new(10);
    assert!(!budget.take(u64::MAX) && budget.take(4) && budget.take(6) && !budget.take(1) && budget.take(0));
    assert_eq!(budget.limit(), 10);
}

#[test]
fn names_of_another_archive_keep_their_numbers() {
    let entries = [(2, "a/b"), (5, "A"), (8, "a/b"), (9, "../up"), (11, "caf\u{e9}/./x")];
    let findings = names(entries.map(|(number, name)| (number, EntryName::from(name))));
    assert_eq!(
        text(&findings),
        [
            "warning file-and-folder: entry 5 (A): the name is also a folder, which contains entry 2",
            "warning duplicate: entry 8 (a/b): entry 2 has the same name, and programs differ in which of \
                the two they read",
            "error unsafe-name: entry 9 (../up): this entry cannot be extracted: the name has a \"..\" \
                component",
            "warning dotted-name: entry 11 (caf\u{e9}/./x): the name has an empty or \".\" component, so a \
                request without that component does not find the entry",
            "note not-ascii: entry 11 (caf\u{e9}/./x): the name is not ASCII",
        ]
    );
}

/// An image that another program rewrites all the time, as it can a mapped file.
struct Changing {
    images: [Vec<u8>; 2],
    calls: Cell<usize>,
}

impl AsRef<[u8]> for Changing {
    fn as_ref(&self) -> &[u8] {
        self.calls.set(self.calls.get() + 1);
        &self.images[self.calls.get() % 2]
    }
}

#[test]
fn an_archive_that_changes_meanwhile_does_not_make_verify_panic() {
    let image = |seed: usize| {
        let names: Vec<_> = (0..200).map(|number| format!("{}", number * seed % 211)).collect();
        of_names(&names)
    };
    // names of one length, so that the images have one too
    let resized = |mut image: Vec<u8>| {
        image.resize(20_000, 0);
        image
    };
    for seed in 2..20 {
        let images = [resized(image(1)), resized(image(seed))];
        let archive = parse_as(Changing { images, calls: Cell::new(0) }, Layout::Quake).unwrap();
        let _ = verify(&archive);
    }
}

#[test]
fn findings_come_in_the_order_of_the_rows() {
    let archive =
        Archive::parse(image(b"abc", &[(b"b", 12, 3), (b"\xff", 12, 3), (b"../b", 500, 3)])).unwrap();
    let findings = verify(&archive);
    let entries: Vec<_> = findings.iter().map(|finding| finding.entry().map(|(index, _)| index)).collect();
    assert_eq!(entries, [Some(1), Some(2), Some(2), None]);
    assert_eq!(findings.iter().map(Finding::severity).max(), Some(Severity::Error));
}

fn has(index: usize, name: &str, findings: &[Finding]) -> bool {
    findings.iter().any(|finding| {
        finding.entry().map(|(index, _)| index) == Some(index) && finding.kind().name() == name
    })
}

prop_compose! {
    fn small_images()(
        rows in vec((0..60_u32, 0..20_u32), 0..12),
        payload in 0..40_usize,
        tail in 0..3_usize,
    ) -> Vec<u8> {
        let names: Vec<_> = (0..rows.len()).map(|number| format!("file{number}")).collect();
        let rows: Vec<_> =
            rows.iter().zip(&names).map(|((offset, size), name)| (name.as_bytes(), *offset, *size)).collect();
        let mut image = image(&vec![1; payload], &rows);
        image.resize(image.len() + tail, 2);
        image
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn places_are_as_byte_after_byte_says(image in small_images()) {
        let archive = parse_as(&image, Layout::Quake).unwrap();
        let findings = verify(&archive);
        let mut used = vec![false; image.len()];
        used[..12].fill(true);
        used[archive.directory_range()].fill(true);
        let extents: Vec<_> = archive.entries().map(|entry| entry.extent().ok().unwrap_or(0..0)).collect();
        for (index, extent) in extents.iter().enumerate() {
            let bytes = |range: &std::ops::Range<u64>| range.clone().collect::<BTreeSet<_>>();
            let meets = |range: std::ops::Range<u64>| !bytes(extent).is_disjoint(&bytes(&range));
            let rows = archive.directory_range();
            prop_assert_eq!(has(index, "in-header", &findings), meets(0..12));
            prop_assert_eq!(has(index, "in-directory", &findings), meets(rows.start as u64..rows.end as u64));
            let is_outside = archive.entry(index).unwrap().extent().is_err();
            prop_assert_eq!(has(index, "outside", &findings), is_outside);
            extent.clone().for_each(|byte| used[usize::try_from(byte).unwrap()] = true);
        }
        let first = |index: usize| extents.iter().position(|other| *other == extents[index]);
        let is_first = |index: usize| first(index) == Some(index);
        let sharing = (0..extents.len()).filter(|index| !extents[*index].is_empty() && !is_first(*index));
        let bytes: u64 = sharing.clone().map(|index| extents[index].end - extents[index].start).sum();
        let expected = sharing.clone().next().map(|first| (sharing.count(), first, bytes));
        let shared = findings.iter().find_map(|finding| match finding.kind() {
            FindingKind::Shared { entries, first, bytes } => Some((*entries, *first, *bytes)),
            _ => None,
        });
        prop_assert_eq!(shared, expected);
        // one of each pair that overlaps is reported, and no other pair
        let overlap = |one: &std::ops::Range<u64>, other: &std::ops::Range<u64>| {
            one != other && one.start.max(other.start) < one.end.min(other.end)
        };
        let any = extents.iter().any(|one| extents.iter().any(|other| overlap(one, other)));
        prop_assert_eq!(any, findings.iter().any(|finding| finding.kind().name() == "overlap"));
        for finding in &findings {
            if let FindingKind::Overlap { other } = finding.kind() {
                prop_assert!(overlap(&extents[finding.entry().unwrap().0], &extents[*other]));
            }
        }
        let (mut holes, mut tail) = (0, 0);
        for finding in &findings {
            match finding.kind() {
                FindingKind::Holes { bytes, .. } => holes = *bytes,
                FindingKind::Tail { bytes } => tail = *bytes,
                _ => {}
            }
        }
        let last = used.iter().rposition(|used| *used).unwrap();
        prop_assert_eq!(tail, (image.len() - last - 1) as u64);
        // a few bytes in front of a multiple of 2, 4, 8 or 16 align what follows
        let (mut expected, mut start) = (0, 0);
        for end in (0..=last).filter(|at| used[*at]) {
            let size = end - start;
            let is_alignment = [2, 4, 8, 16].iter().any(|unit| size < *unit && end.is_multiple_of(*unit));
            expected += if is_alignment { 0 } else { size };
            start = end + 1;
        }
        prop_assert_eq!(holes, expected as u64);
    }

    #[test]
    fn names_meet_as_each_pair_says(
        names in vec(vec(select(b"aA./ \xe9".to_vec()), 0..5), 0..10),
    ) {
        let image = of_names(&names);
        let archive = parse_as(&image, Layout::Quake).unwrap();
        let findings = verify(&archive);
        let lower = |name: &[u8]| name.to_ascii_lowercase();
        let windows = |name: &[u8]| -> Vec<Vec<u8>> {
            let parts = name.split(|byte| *byte == b'/').filter(|part| ![&b""[..], b"."].contains(part));
            parts
                .map(|part| {
                    let ends = part.iter().rev().take_while(|byte| matches!(byte, b'.' | b' ')).count();
                    let end = if ends == part.len() { part.len() } else { part.len() - ends };
                    lower(&part[..end])
                })
                .collect()
        };
        for (index, name) in names.iter().enumerate() {
            let before = &names[..index];
            let duplicate = before.contains(name);
            let without_case = !duplicate && before.iter().any(|other| lower(other) == lower(name));
            let on_windows =
                !duplicate && !without_case && before.iter().any(|other| windows(other) == windows(name));
            prop_assert_eq!(has(index, "duplicate", &findings), duplicate);
            prop_assert_eq!(has(index, "same-without-case", &findings), without_case);
            prop_assert_eq!(has(index, "same-on-windows", &findings), on_windows);
            let this = windows(name);
            let folder = names.iter().map(|other| windows(other)).any(|other| {
                !this.is_empty() && other.len() > this.len() && other.starts_with(&this)
            });
            prop_assert_eq!(has(index, "file-and-folder", &findings), folder);
            let is_unsafe = EntryName::from_bytes(name).to_disk_path().is_err();
            prop_assert_eq!(has(index, "unsafe-name", &findings), is_unsafe);
        }
    }
}
