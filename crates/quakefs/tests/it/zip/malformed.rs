//! Archives with one defect each, named by it. The archives are made here and kept in
//! `testdata/zip/malformed`, with their findings. `UPDATE=1 cargo test -p quakefs malformed` rewrites both.

use std::fmt::Write as _;
use testutils::search_path::named;

use quakefs::findings::FindingKind;
use quakefs::{Engine, Finding, Layout};
use testutils::Folder;
use testutils::raw_zip::{
    End, Member, deflated, end, parts, size_of, stored, zip, zip_with_end, zip64, zip64_extra,
};

use super::{mount, open, outcome};

/// What [`TWENTY`] inflates to.
const QUAKE: &str = "quakequakequakequake";
/// Written out, for a library's next version may deflate to other bytes.
const TWENTY: &[u8] = b"\x2b\x2c\x4d\xcc\x4e\x2d\x44\x25\x00";
/// Deflate of nothing.
const NOTHING: &[u8] = b"\x03\x00";
/// Deflate of 2,000 zeros.
const ZEROS: &[u8] = b"\x63\x60\x18\x05\xa3\x60\x14\x8c\x82\x51\x30\x0a\x46\xc1\x50\x07\x00";

fn packed() -> Member {
    deflated("packed.cfg", TWENTY, QUAKE)
}

fn abc(name: impl AsRef<[u8]>) -> Member {
    stored(name, "abc")
}

/// An odd member, and one behind it that is always whole.
fn beside(odd: Member) -> Vec<u8> {
    zip(&[odd, abc("whole.txt")])
}

fn changed(member: Member, change: impl FnOnce(&mut Member)) -> Vec<u8> {
    beside(member.with(change))
}

fn three() -> [Member; 3] {
    [abc("whole.txt"), abc("b.txt"), abc("c.txt")]
}

/// Three files, with bytes of the image from a place on replaced; the place counts from the central
/// directory.
fn damaged(at: usize, bytes: &[u8]) -> Vec<u8> {
    let (mut image, directory) = (zip(&three()), parts(&three()).0.len());
    image[directory + at..][..bytes.len()].copy_from_slice(bytes);
    image
}

/// A file whose local header has other bytes at a place.
fn in_local_header(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut image = beside(abc("a.txt"));
    image[at..][..bytes.len()].copy_from_slice(bytes);
    image
}

/// Bytes of the central record of `whole.txt` and of `b.txt`.
const FIRST: usize = 46 + 9;
const SECOND: usize = 46 + 5;

/// A data descriptor: with or without its signature.
fn descriptor(member: &Member, signature: &[u8]) -> Vec<u8> {
    let numbers = [member.crc, member.stored_size, member.size];
    [signature, &numbers.map(u32::to_le_bytes).concat()].concat()
}

/// A PACK of one entry with this payload.
pub(crate) fn pack(content: &[u8]) -> Vec<u8> {
    testutils::pack(Layout::Quake, [("inside.pk3", content)])
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn corpus() -> Vec<(&'static str, Vec<u8>)> {
    let with_comment = |comment: &[u8]| zip_with_end(&three(), |end| end.comment = comment.to_vec());
    let no_files =
        |comment: &[u8]| end(&End { disk: 0, count: 0, size: 0, offset: 0, comment: comment.to_vec() });
    let cut = |keep: usize| zip(&three())[..keep].to_vec();
    let (files, directory) = parts(&three());
    let whole = zip(&three()).len();
    let short_by_a_record = [&files[..], &directory[..FIRST + SECOND], &zip(&three())[whole - 22..]].concat();
    let zip64_member = |name: &str, numbers: &[u64]| {
        abc(name).with(|member| {
            member.extra = zip64_extra(numbers);
            (member.size, member.stored_size) = (u32::MAX, u32::MAX);
        })
    };
    let streamed = |member: Member, signature: &[u8]| {
        let descriptor = descriptor(&member, signature);
        member.with(|member| member.descriptor = Some(descriptor))
    };
    vec![
        ("empty-file", vec![]),
        ("magic-alone", b"PK\x03\x04".to_vec()),
        ("end-record-missing", [&files[..], &directory].concat()),
        ("end-record-cut-off", cut(whole - 1)),
        ("end-record-alone", no_files(b"")),
        ("end-record-and-other-bytes", [&zip(&three())[..], b"\0\0\0\0more"].concat()),
        ("cut-off-in-payload", cut(files.len() - 1)),
        ("cut-off-in-central-directory", cut(files.len() + FIRST + 20)),
        ("comment", with_comment(b"made by hand")),
        ("comment-longer-than-file", {
            let mut image = with_comment(b"made by hand");
            image.truncate(image.len() - 1);
            image
        }),
        ("comment-holds-an-end-record", with_comment(&[&no_files(b"")[..], b"behind it"].concat())),
        ("comment-holds-an-end-record-of-a-directory-past-the-end", {
            with_comment(&end(&End { disk: 0, count: 1, size: 46, offset: 9000, comment: vec![] }))
        }),
        ("comment-holds-an-archive", with_comment(&zip(&[stored("other.txt", "xyz")]))),
        ("two-archives-joined", [zip(&[stored("other.txt", "xyz")]), zip(&[abc("whole.txt")])].concat()),
        ("two-archives-joined-offsets-corrected", {
            let (first, moved) = (zip(&[stored("other.txt", "xyz")]), size_of(&zip(&[abc("whole.txt")])));
            let (files, directory) = parts(&[abc("whole.txt").with(|member| member.offset = Some(moved))]);
            let offset = moved + size_of(&files);
            let last = End { disk: 0, count: 1, size: size_of(&directory), offset, comment: vec![] };
            [first, files, directory, end(&last)].concat()
        }),
        ("two-archives-joined-the-last-empty", [zip(&three()), no_files(b"")].concat()),
        ("directory-starts-past-end", zip_with_end(&three(), |end| end.offset = 9000)),
        ("directory-starts-in-a-payload", zip_with_end(&[abc("a.txt"), abc("b.txt")], |end| end.offset = 20)),
        ("directory-starts-one-late", zip_with_end(&three(), |end| end.offset += 1)),
        ("directory-starts-at-its-end", zip_with_end(&three(), |end| end.offset += end.size)),
        ("directory-size-0", zip_with_end(&three(), |end| end.size = 0)),
        ("directory-lacks-its-last-record", short_by_a_record),
        ("directory-and-other-bytes", {
            [&files[..], &directory, b"other bytes", &zip(&three())[whole - 22..]].concat()
        }),
        ("directory-signed", {
            [&files[..], &directory, b"PK\x05\x05\x02\0ab", &zip(&three())[whole - 22..]].concat()
        }),
        ("count-too-high", zip_with_end(&three(), |end| end.count = 4)),
        ("count-too-low", zip_with_end(&three(), |end| end.count = 2)),
        ("count-0", zip_with_end(&three(), |end| end.count = 0)),
        ("count-largest", zip_with_end(&three(), |end| end.count = 0xffff)),
        ("record-first-damaged", damaged(0, b"QK")),
        ("record-second-damaged", damaged(FIRST, b"QK")),
        ("record-last-damaged", damaged(FIRST + SECOND, b"QK")),
        ("record-name-length-too-long", damaged(FIRST + 28, &[6])),
        ("record-name-length-past-directory", damaged(FIRST + 28, &[0xff, 0xff])),
        ("record-with-extra-field-and-comment", {
            changed(abc("a.txt"), |member| {
                member.extra = vec![0xfe, 0xca, 2, 0, 1, 2];
                member.comment = b"PK\x01\x02".to_vec();
            })
        }),
        ("record-extra-field-cut-short", changed(abc("a.txt"), |member| member.extra = vec![1, 0, 16, 0, 1])),
        ("local-header-past-end", changed(abc("a.txt"), |member| member.offset = Some(9000))),
        ("local-header-at-largest-u32", changed(abc("a.txt"), |member| member.offset = Some(u32::MAX - 1))),
        ("local-header-elsewhere", changed(abc("a.txt"), |member| member.offset = Some(7))),
        ("local-header-damaged", {
            let mut image = beside(abc("a.txt"));
            image[1] = b'Q';
            image
        }),
        ("local-header-of-another", changed(abc("a.txt"), |member| member.offset = Some(30 + 5 + 3))),
        ("local-header-differs-in-name", in_local_header(30, b"b.exe")),
        ("local-header-differs-in-method", in_local_header(8, &[8])),
        ("local-header-differs-in-crc-and-sizes", in_local_header(14, &[9; 12])),
        ("local-header-name-length-past-end", {
            let mut image = beside(abc("a.txt"));
            image[26..28].copy_from_slice(&[0xff, 0xff]);
            image
        }),
        ("payload-past-end", {
            changed(abc("a.txt"), |member| (member.stored_size, member.size) = (5000, 5000))
        }),
        ("payload-past-end-deflated", changed(packed(), |member| member.stored_size = 5000)),
        ("payload-size-largest", {
            changed(abc("a.txt"), |member| {
                (member.stored_size, member.size) = (u32::MAX - 1, u32::MAX - 1);
            })
        }),
        ("payloads-overlap", {
            // what a bomb is made of: one payload is the next entry's local header and payload
            let (inner, _) = parts(&[abc("a.txt")]);
            zip(&[stored("both.bin", &inner), abc("a.txt").with(|member| member.offset = Some(30 + 8))])
        }),
        ("payloads-identical", {
            zip(&[
                packed(),
                packed().with(|member| (member.name, member.offset) = (b"again.cfg".to_vec(), Some(0))),
            ])
        }),
        ("encrypted", changed(abc("a.txt"), |member| member.flags = 1)),
        ("encrypted-strongly", changed(abc("a.txt"), |member| member.flags = 0x41)),
        ("method-1", changed(packed(), |member| member.method = 1)),
        ("method-9-deflate64", changed(packed(), |member| member.method = 9)),
        ("method-12-bzip2", changed(packed(), |member| member.method = 12)),
        ("method-14-lzma", changed(packed(), |member| member.method = 14)),
        ("method-93-zstandard", changed(packed(), |member| member.method = 93)),
        ("method-99-aes", changed(packed(), |member| (member.method, member.flags) = (99, 1))),
        ("disk-of-an-entry", changed(abc("a.txt"), |member| member.disk = 1)),
        ("disk-of-the-end-record", zip_with_end(&three(), |end| end.disk = 2)),
        ("stored-sizes-differ", changed(abc("a.txt"), |member| member.size = 2)),
        ("stored-wrong-crc", changed(abc("a.txt"), |member| member.crc ^= 1)),
        ("deflate", beside(packed())),
        ("deflate-of-nothing", beside(deflated("a.txt", NOTHING, ""))),
        ("deflate-of-nothing-in-no-bytes", beside(deflated("a.txt", b"", ""))),
        ("deflate-of-zeros", beside(deflated("zeros.tga", ZEROS, [0; 2000]))),
        ("deflate-wrong-crc", changed(packed(), |member| member.crc ^= 1)),
        ("deflate-truncated", beside(deflated("packed.cfg", &TWENTY[..6], QUAKE))),
        ("deflate-truncated-where-content-is-full", beside(deflated("packed.cfg", &TWENTY[..8], QUAKE))),
        ("deflate-gives-more", changed(packed(), |member| member.size = 19)),
        ("deflate-gives-more-than-nothing", changed(packed(), |member| member.size = 0)),
        ("deflate-gives-less", changed(packed(), |member| member.size = 21)),
        ("deflate-and-other-bytes", beside(deflated("packed.cfg", &[TWENTY, b"more"].concat(), QUAKE))),
        ("deflate-of-a-reserved-block", beside(deflated("packed.cfg", &[7, 7, 7], QUAKE))),
        ("deflate-copies-from-before-start", beside(deflated("packed.cfg", &[0x4b, 0x04, 0x13, 0], QUAKE))),
        ("deflate-claims-4-gib", changed(packed(), |member| member.size = u32::MAX - 1)),
        ("deflate-claims-its-limit-and-one", changed(packed(), |member| member.size = 9 * 1032 + 1)),
        ("descriptor", beside(streamed(packed(), b"PK\x07\x08"))),
        ("descriptor-without-signature", beside(streamed(packed(), b""))),
        ("descriptor-stored", beside(streamed(abc("a.txt"), b"PK\x07\x08"))),
        ("descriptor-wrong", beside(packed().with(|member| member.descriptor = Some(vec![9; 16])))),
        ("descriptor-missing", beside(packed().with(|member| member.descriptor = Some(vec![])))),
        ("zip64", zip64(&three(), |_| ())),
        ("zip64-sizes-and-offset", {
            zip64(&[zip64_member("a.txt", &[3, 3, 0]).with(|member| member.offset = Some(u32::MAX))], |_| ())
        }),
        ("zip64-sizes-in-a-plain-archive", beside(zip64_member("a.txt", &[3, 3]))),
        ("zip64-sizes-missing", beside(zip64_member("a.txt", &[]))),
        ("zip64-sizes-largest", beside(zip64_member("a.txt", &[u64::MAX, u64::MAX]))),
        ("zip64-offset-largest", {
            let odd = zip64_member("a.txt", &[3, 3, u64::MAX]).with(|member| member.offset = Some(u32::MAX));
            zip64(&[odd, abc("whole.txt")], |_| ())
        }),
        ("zip64-count-largest", zip64(&three(), |numbers| numbers[0] = u64::MAX)),
        ("zip64-directory-past-end", zip64(&three(), |numbers| numbers[2] = u64::MAX - 5)),
        ("zip64-locator-points-nowhere", {
            let mut image = zip64(&three(), |_| ());
            let at = image.len() - 22 - 12;
            image[at..at + 8].fill(0xee);
            image
        }),
        ("folders", zip(&[stored("maps/", ""), abc("maps/whole.txt"), stored("textures/", "")])),
        ("folder-with-content", beside(abc("maps/"))),
        ("folder-of-dos", beside(stored(br"maps\", ""))),
        ("name-empty", beside(abc(""))),
        ("name-parent", beside(abc("../CREDITS"))),
        ("name-parent-inside", beside(abc("maps/../../autoexec.cfg"))),
        ("name-absolute", beside(abc("/etc/passwd"))),
        ("name-drive", beside(abc("C:/autoexec.cfg"))),
        ("name-dot", beside(abc("./autoexec.cfg"))),
        ("name-backslash", beside(abc(br"MAPS\START.BSP"))),
        ("name-backslash-parent", beside(abc(br"..\..\autoexec.cfg"))),
        ("name-nul", beside(abc("a.txt\0.exe"))),
        ("name-nul-and-the-same-before-it", zip(&[abc("a.txt\0.exe"), abc("a.txt"), abc("whole.txt")])),
        ("name-not-utf8", beside(abc(b"caf\xe9.wav"))),
        ("name-utf8", changed(abc("caf\u{e9}.wav"), |member| member.flags = 0x800)),
        ("name-control-bytes", beside(abc(b"a\x1b[31m\nb\x7f"))),
        ("name-longest", beside(abc(vec![b'n'; 0xffff]))),
        ("names-equal", zip(&[stored("a.txt", "first"), stored("a.txt", "last"), abc("whole.txt")])),
        ("names-differ-in-case", zip(&[stored("A.txt", "first"), stored("a.TXT", "last"), abc("whole.txt")])),
        ("name-is-folder-of-another", zip(&[abc("a"), abc("a/b"), abc("whole.txt")])),
        ("prelude", [b"MZ, a program that unpacks what follows", &zip(&three())[..]].concat()),
        ("prelude-that-counts", {
            let (files, directory) = parts(&[abc("a.txt").with(|member| member.offset = Some(5))]);
            let last = End {
                disk: 0,
                count: 1,
                size: size_of(&directory),
                offset: 5 + size_of(&files),
                comment: vec![],
            };
            [&b"MZ..."[..], &files, &directory, &end(&last)].concat()
        }),
        ("prelude-and-zip64", [&b"MZ..."[..], &zip64(&three(), |_| ())].concat()),
        ("pack", pack(b"abc")),
        ("pack-with-an-end-record-in-its-tail", [pack(b"abc"), no_files(b"")].concat()),
        ("pack-and-a-zip-behind-it", [pack(b"abc"), zip(&three())].concat()),
        ("pack-that-holds-a-zip", pack(&zip(&three()))),
    ]
}

/// The findings about these bytes: as an archive, and where DarkPlaces finds them under both names.
fn findings_of_bytes(image: &[u8]) -> String {
    let mut text = outcome(&open(image));
    let verified = open(image).map(|archive| archive.verify("it", None)).unwrap_or_default();
    for finding in verified.iter().filter(|finding| matches!(finding.kind, FindingKind::Archive(_))) {
        write!(text, "\nverify: {}\n", finding.sentence()).unwrap();
    }
    for name in ["pak0.pk3", "pak1.pak"] {
        let game = Folder::with([(format!("id1/{name}"), image)]);
        let quake = mount(&game, Engine::DarkPlaces);
        let findings = quake.findings().map(|finding| with_reason(finding) + "\n").collect::<String>();
        // every ZIP under the name of a PACK has the same report
        let known =
            name == "pak1.pak" && findings.contains("expected the magic PACK") && image.starts_with(b"PK");
        if !findings.is_empty() && !known {
            write!(text, "\ndarkplaces, of id1/{name}:\n{findings}").unwrap();
        }
    }
    text.lines().fold(String::new(), |text, line| text + &shortened(line) + "\n")
}

/// A finding with the text of its error.
fn with_reason(finding: &Finding) -> String {
    match &finding.kind {
        FindingKind::WrongArchive { error, .. } | FindingKind::Entry(error) | FindingKind::Damaged(error) => {
            format!("{}: {}", named(finding), error.reason())
        }
        _ => named(finding),
    }
}

/// A name of 65,535 bytes is too long to print.
fn shortened(line: &str) -> String {
    let run = "n".repeat(1000);
    match (line.find(&run), line.rfind(&run)) {
        (Some(start), Some(last)) => format!("{}nnn...{}", &line[..start], &line[last + run.len()..]),
        _ => line.to_owned(),
    }
}

#[test]
fn each_defect_is_reported_as_recorded() {
    testutils::check_corpus("zip/malformed", "pk3", corpus(), findings_of_bytes);
}

#[test]
fn a_damaged_zip_entry_leaves_the_others_readable() {
    for (name, image) in corpus() {
        let Ok(archive) = open(&image) else { continue };
        let Some(whole) = archive.find("whole.txt") else { continue };
        assert_eq!(*archive.read(whole.index()).unwrap(), *b"abc", "{name}");
    }
}
