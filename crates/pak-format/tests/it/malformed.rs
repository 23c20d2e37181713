//! Archives with one defect each, which names the archive. The archives are made here and stored in
//! `testdata/pak/malformed`, each with the expected report. `UPDATE=1 cargo test -p pak-format --test it`
//! rewrites both.

use std::fmt::Write as _;

use pak_format::record::{Header, Row};
use pak_format::{Archive, ErrorKind, Layout, ParseOptions};

use crate::{line, listing, report};

/// Where payloads start in what `pak` makes.
const START: u32 = 12;

fn size_of(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap()
}

fn header(magic: &[u8; 4], directory_offset: u32, directory_size: u32) -> Vec<u8> {
    Header { magic: *magic, directory_offset, directory_size }.encode().to_vec()
}

/// The payloads after the header, then the rows.
fn pak(layout: Layout, payload: &[u8], rows: &[Row<'_>]) -> Vec<u8> {
    let mut directory = Vec::new();
    for row in rows {
        row.encode(layout, &mut directory);
    }
    with_directory(layout, payload, &directory)
}

fn with_directory(layout: Layout, payload: &[u8], directory: &[u8]) -> Vec<u8> {
    let mut image = header(&layout.magic(), START + size_of(payload), size_of(directory));
    image.extend_from_slice(payload);
    image.extend_from_slice(directory);
    image
}

fn row(name: &[u8], offset: u32, size: u32) -> Row<'_> {
    Row { name, offset, size, compressed_size: size, compression: 0 }
}

fn quake(payload: &[u8], rows: &[Row<'_>]) -> Vec<u8> {
    pak(Layout::Quake, payload, rows)
}

/// One entry of three bytes under this name.
fn named(name: &[u8]) -> Vec<u8> {
    quake(b"abc", &[row(name, START, 3)])
}

/// One compressed entry of this size, and one after it that is always whole.
fn codec(stream: &[u8], size: u32) -> Vec<u8> {
    let compressed_size = size_of(stream);
    let rows = [
        Row { name: b"packed.tga", offset: START, size, compressed_size, compression: 1 },
        row(b"whole.txt", START + compressed_size, 3),
    ];
    pak(Layout::Daikatana, &[stream, b"abc"].concat(), &rows)
}

/// A Daikatana row, and a correct row for comparison.
fn daikatana(payload: &[u8], odd: Row<'_>) -> Vec<u8> {
    pak(Layout::Daikatana, payload, &[odd, row(b"whole.txt", START, 3)])
}

/// Rows of one payload, under names of their number.
fn rows_of(layout: Layout, count: u32, size: u32) -> Vec<u8> {
    let mut directory = Vec::new();
    for number in 0..count {
        row(format!("maps/e1m{number}.bsp").as_bytes(), START, size).encode(layout, &mut directory);
    }
    directory
}

#[expect(clippy::too_many_lines, reason = "a table: one line for each archive")]
fn corpus() -> Vec<(&'static str, Vec<u8>)> {
    use Layout::{Daikatana, Hrot, Quake, Sin};
    let with_tail = |mut image: Vec<u8>, tail: &[u8]| {
        image.extend_from_slice(tail);
        image
    };
    let cut_off = {
        // the directory first, so that it survives; the last of nine payloads does not
        let mut directory = rows_of(Quake, 8, 3);
        row(b"maps/end.bsp", 12 + 576, 1000).encode(Quake, &mut directory);
        [header(b"PACK", 12, 576), directory, b"a start".to_vec()].concat()
    };
    let garbage = {
        let mut name = b"progs/ogre.mdl\0".to_vec();
        name.extend((0..41).map(|n| 0x80 + n));
        named(&name)
    };
    vec![
        ("header-0-bytes", vec![]),
        ("header-3-bytes", b"PAC".to_vec()),
        ("header-4-bytes", b"PACK".to_vec()),
        ("header-11-bytes", header(b"PACK", 12, 0)[..11].to_vec()),
        ("magic-one-letter-off", header(b"PAKK", 12, 0)),
        ("magic-lower-case", header(b"pack", 12, 0)),
        ("magic-of-a-zip", header(b"PK\x03\x04", 20, 0)),
        ("magic-of-a-wad", header(b"WAD2", 12, 0)),
        ("directory-ends-past-end", header(b"PACK", 12, 64).into_iter().chain([0; 63]).collect()),
        ("directory-starts-past-end", header(b"PACK", 1000, 64)),
        ("directory-end-overflows-u32", header(b"PACK", u32::MAX - 15, 64)),
        ("directory-size-is-largest-u32", header(b"PACK", 12, u32::MAX)),
        ("directory-in-header", header(b"PACK", 8, 64).into_iter().chain([0; 64]).collect()),
        ("directory-at-0", header(b"PACK", 0, 64).into_iter().chain([0; 64]).collect()),
        ("rows-neither-64-nor-72", with_directory(Quake, b"abc", &[rows_of(Quake, 1, 3), vec![0]].concat())),
        ("rows-ragged-sin", with_directory(Sin, b"abc", &[rows_of(Sin, 1, 3), vec![0; 64]].concat())),
        ("rows-ragged-hrot", with_directory(Hrot, b"abc", &[0; 127])),
        ("rows-fit-both-sizes-read-as-quake", with_directory(Quake, b"abc", &rows_of(Quake, 9, 3))),
        (
            "rows-fit-both-sizes-read-as-daikatana",
            with_directory(Daikatana, b"abc", &rows_of(Daikatana, 8, 3)),
        ),
        ("rows-fit-both-sizes-and-garbage-after-nul", {
            let mut directory = rows_of(Quake, 9, 3);
            for row in directory.chunks_exact_mut(64) {
                row[20..56].fill(0xcd);
            }
            with_directory(Quake, b"abc", &directory)
        }),
        ("rows-fit-both-sizes-and-payload-cut-off", cut_off),
        ("rows-ambiguous-all-zero", with_directory(Quake, b"", &[0; 576])),
        ("rows-ambiguous-all-text", with_directory(Quake, b"", &b"a/b.".repeat(144))),
        ("empty", header(b"PACK", 12, 0)),
        ("empty-directory-at-0", header(b"PACK", 0, 0)),
        ("empty-directory-past-end", header(b"PACK", 1000, 0)),
        ("empty-sin", header(b"SPAK", 12, 0)),
        ("payload-end-overflows-u32", quake(b"abc", &[row(b"a", u32::MAX - 2, 16), row(b"b", START, 3)])),
        ("payload-past-end-by-one", {
            let end = 12 + 3 + 3 * 64;
            quake(b"abc", &[row(b"a", START, 3), row(b"b", end - 3, 4), row(b"c", end - 3, 3)])
        }),
        ("payload-starts-past-end", quake(b"abc", &[row(b"a", 5000, 3), row(b"b", START, 3)])),
        ("payload-empty-past-end", quake(b"abc", &[row(b"a", 5000, 0), row(b"b", START, 3)])),
        ("payload-empty-at-end", quake(b"abc", &[row(b"a", 12 + 3 + 64, 0)])),
        ("payload-in-header", quake(b"", &[row(b"a", 0, 4)])),
        ("payload-over-directory", quake(b"abc", &[row(b"a", START, 8)])),
        ("payloads-overlap", quake(b"abcdef", &[row(b"a", START, 4), row(b"b", START + 2, 4)])),
        ("payloads-identical", quake(b"abc", &[row(b"a", START, 3), row(b"b", START, 3)])),
        ("payloads-with-holes-and-a-tail", with_tail(quake(b"..abc..", &[row(b"a", START + 2, 3)]), b"more")),
        ("name-fills-field", named(&[b'n'; 56])),
        ("name-fills-field-sin", pak(Sin, b"abc", &[row(&[b'n'; 120], START, 3)])),
        ("name-fills-field-hrot", pak(Hrot, b"abc", &[row(&[b'n'; 120], START, 3)])),
        ("name-garbage-after-nul", garbage),
        ("name-empty", named(b"")),
        ("names-equal", quake(b"abcdef", &[row(b"a", START, 3), row(b"a", START + 3, 3)])),
        ("name-is-folder-of-another", quake(b"abcdef", &[row(b"a", START, 3), row(b"a/b", START + 3, 3)])),
        ("name-not-utf8", named(b"caf\xe9.wav")),
        ("name-reads-as-an-escape", named(br"caf\xE9.wav")),
        ("name-control-bytes", named(b"a\x1b[31m\nb\x7f")),
        ("name-backslash-upper-case", named(br"MAPS\START.BSP")),
        ("name-spaces-at-end", named(b"default.cfg  ")),
        ("name-dots-at-end", named(b"maps../default.cfg.")),
        ("name-parent", named(b"../autoexec.cfg")),
        ("name-parent-inside", named(b"maps/../../autoexec.cfg")),
        ("name-parent-and-a-space", named(b"maps/.. /autoexec.cfg")),
        ("name-absolute", named(b"/etc/passwd")),
        ("name-drive", named(b"C:/autoexec.cfg")),
        ("name-device", named(b"maps/con.bsp")),
        ("name-folder", named(b"maps/")),
        ("name-dots-alone", named(b"./.")),
        ("codec-truncated-in-literal", codec(&[5, b'a', b'b'], 6)),
        ("codec-truncated-in-run", codec(&[0, b'a', 130], 5)),
        ("codec-truncated-between-tokens", codec(&[1, b'a', b'b'], 6)),
        ("codec-ends-early", codec(&[1, b'a', b'b', 255], 6)),
        ("codec-overflow", codec(&[3, b'a', b'b', b'c', b'd', 255], 3)),
        ("codec-copy-before-start", codec(&[1, b'a', b'b', 192, 1, 255], 4)),
        ("codec-control-254", codec(&[1, b'a', b'b', 254, 255], 2)),
        ("codec-control-254-in-a-long-stream", {
            codec(&[&[191, 7].repeat(6)[..], &[195, 255, 254], &[127; 90]].concat(), 65 * 6 + 5 + 65 * 90)
        }),
        ("codec-end-byte-missing", codec(&[1, b'a', b'b', 194, 0], 6)),
        ("codec-bytes-after-end", codec(&[1, b'a', b'b', 194, 0, 255, 254, 254], 6)),
        ("codec-copy-longer-than-its-distance", codec(&[1, b'a', b'b', 203, 0, 255], 15)),
        ("codec-no-bytes-for-no-bytes", codec(&[], 0)),
        ("codec-expansion-at-limit", codec(&[191, b'a'], 65 * 2)),
        ("codec-expansion-past-limit", codec(&[127, 255], 65 * 2 + 1)),
        ("codec-expansion-4-gib", codec(&[127, 255], u32::MAX)),
        ("compressed-past-end", {
            daikatana(b"abc", Row { compressed_size: 5000, compression: 1, ..row(b"a.tga", START, 3) })
        }),
        ("compressed-flag-is-2", {
            daikatana(&[2, 7, 8, 9], Row { compressed_size: 4, compression: 2, ..row(b"a.tga", START, 3) })
        }),
        ("stored-compressed-size-is-0", {
            daikatana(b"abc", Row { compressed_size: 0, ..row(b"a.txt", START, 3) })
        }),
        ("stored-compressed-size-past-end", {
            daikatana(b"abc", Row { compressed_size: 5000, ..row(b"a.txt", START, 3) })
        }),
    ]
}

/// What the library reports about these bytes.
fn outcome(image: &[u8]) -> String {
    let archive = match Archive::parse(image) {
        Ok(archive) => return entries(&archive),
        Err(error) => error,
    };
    let mut text = report(&archive);
    if matches!(archive.kind(), ErrorKind::AmbiguousLayout { .. } | ErrorKind::PartialRow { .. }) {
        for layout in Layout::with_magic([image[0], image[1], image[2], image[3]]) {
            let options = ParseOptions::new().layout(layout).allow_partial_row(true);
            let archive = Archive::parse_with(image, &options).unwrap();
            write!(text, "\nwith the layout named and a partial row let pass: {}", listing(&archive))
                .unwrap();
        }
    }
    text
}

fn entries(archive: &Archive<&[u8]>) -> String {
    let mut text = listing(archive).lines().next().unwrap().to_owned() + "\n";
    for entry in archive.entries() {
        writeln!(text, "\n{}", line(&entry)).unwrap();
        match archive.read(&entry) {
            Ok(content) if content.len() > 40 => writeln!(text, "reads").unwrap(),
            Ok(content) => writeln!(text, "reads \"{}\"", content.escape_ascii()).unwrap(),
            Err(error) => text += &report(&error),
        }
        if let Err(fault) = entry.name().to_disk_path() {
            writeln!(text, "not extracted: {fault}").unwrap();
        }
    }
    text
}

#[test]
fn each_defect_is_reported_as_recorded() {
    testutils::check_corpus("pak/malformed", "pak", corpus(), outcome);
}

#[test]
fn a_damaged_entry_leaves_the_others_readable() {
    for (name, image) in corpus() {
        let Ok(archive) = Archive::parse(&image) else { continue };
        let Some(whole) = archive.find("whole.txt") else { continue };
        assert_eq!(archive.read(&whole).unwrap().len(), 3, "{name}");
    }
}
