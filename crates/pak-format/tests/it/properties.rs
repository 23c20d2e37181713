//! Properties of any bytes.

use std::error::Error as _;

use pak_format::daikatana::{self, MAX_EXPANSION};
use pak_format::name::{self, escape, unescape};
use pak_format::record::{Header, Row};
use pak_format::{Archive, Builder, Directory, EntryName, Error, ErrorKind, Layout, ParseOptions};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::reference;

fn config(cases: u32) -> ProptestConfig {
    // turn a failing case into a separate test, or into a file of the corpus
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn layouts() -> impl Strategy<Value = Layout> {
    select(Layout::ALL.to_vec())
}

/// Names in which special bytes are frequent.
fn names() -> impl Strategy<Value = Vec<u8>> {
    let telling = select(b"abAB./\\:x41E9 -\x00\x01\x1b\x7f\xc3\xa9\xff".to_vec());
    vec(prop_oneof![4 => telling, 1 => any::<u8>()], 0..60)
}

prop_compose! {
    /// Numbers that an archive of some hundred bytes would have, or any.
    fn numbers()(small in 0..900_u32, any in any::<u32>(), which in 0..10) -> u32 {
        if which == 0 { any } else { small }
    }
}

prop_compose! {
    /// A plausible header, payloads and plausible rows.
    fn images()(
        layout in layouts(),
        rows in vec((names(), numbers(), numbers(), numbers(), 0..3_u32), 0..12),
        payload in vec(any::<u8>(), 0..300),
        ragged in prop_oneof![9 => Just(0), 1 => 1..64_usize],
        offset in prop_oneof![9 => Just(None), 1 => numbers().prop_map(Some)],
    ) -> Vec<u8> {
        let mut directory = Vec::new();
        for (name, offset, size, compressed_size, compression) in &rows {
            let (offset, size, compressed_size) = (*offset, *size, *compressed_size);
            let row = Row { name, offset, size, compressed_size, compression: *compression };
            row.encode(layout, &mut directory);
        }
        directory.resize(directory.len() + ragged, 0);
        let directory_offset = offset.unwrap_or(12 + u32::try_from(payload.len()).unwrap());
        let directory_size = u32::try_from(directory.len()).unwrap();
        let header = Header { magic: layout.magic(), directory_offset, directory_size }.encode();
        [&header[..], &payload, &directory].concat()
    }
}

/// Calls all that an error has.
fn look_at_error(error: &Error) {
    assert!(!error.to_string().is_empty() && !format!("{error:?}").is_empty());
    assert_eq!(error.source().is_some(), matches!(error.kind(), ErrorKind::Codec(_)));
}

/// Calls all that an archive of these bytes has, under all options.
fn look_at(image: &[u8]) {
    for allow_partial_row in [false, true] {
        for layout in Layout::ALL.into_iter().map(Some).chain([None]) {
            match Archive::parse_with(
                image,
                &ParseOptions::new().layout(layout).allow_partial_row(allow_partial_row),
            ) {
                Ok(archive) => look_at_archive(&archive),
                Err(error) => look_at_error(&error),
            }
        }
    }
}

fn look_at_archive(archive: &Archive<&[u8]>) {
    let mut refused = 0;
    for (index, entry) in archive.entries().enumerate() {
        assert_eq!(archive.entry(index), Some(entry));
        let name = entry.name();
        assert!(!name.to_string().contains(char::is_control));
        assert!(!name.as_bytes().contains(&0));
        assert_eq!(archive.find(name.as_bytes()).unwrap().name(), name);
        let _ = (name.to_disk_path(), name.extension(), format!("{entry:?}"));
        refused += usize::from(entry.check().is_err());
        match archive.read(&entry) {
            Ok(content) => {
                assert_eq!(content.len(), entry.size() as usize);
                assert!(entry.is_compressed() || archive.raw(&entry).unwrap() == &*content);
                assert!(content.len() as u64 <= u64::from(entry.stored_size()) * MAX_EXPANSION);
            }
            Err(error) => {
                look_at_error(&error);
                assert_eq!(error.entry(), Some((index, name)));
                assert!(entry.check().is_err() || entry.is_compressed());
            }
        }
    }
    assert_eq!(archive.entry(archive.len()), None);
    assert_eq!(archive.directory().problems().inspect(look_at_error).count(), refused);
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn no_bytes_make_a_reader_panic(image in vec(any::<u8>(), 0..200)) {
        look_at(&image);
    }

    #[test]
    fn no_rows_make_a_reader_panic(image in images()) {
        look_at(&image);
    }

    #[test]
    fn a_directory_is_enough_to_list_the_entries(image in images()) {
        let (Ok(header), size) = (Header::parse(&image), image.len() as u64) else { return Ok(()) };
        let Ok(range) = header.directory_range(size) else { return Ok(()) };
        let rows = image[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()].to_vec();
        match (Archive::parse(&image), Directory::parse(&header, rows, size, &ParseOptions::new())) {
            (Ok(archive), Ok(directory)) => {
                prop_assert_eq!(archive.directory().layout_reason(), directory.layout_reason());
                prop_assert!(archive.entries().eq(directory.entries()));
                for entry in directory.entries() {
                    prop_assert_eq!(directory.name_field(entry.index()), Some(entry.row().name));
                    let whole = archive.read(&entry).map_err(|error| error.to_string());
                    let alone = archive.raw(&entry).and_then(|raw| entry.decode(raw));
                    prop_assert_eq!(whole, alone.map_err(|error| error.to_string()));
                }
            }
            (Err(archive), Err(directory)) => prop_assert_eq!(archive.kind(), directory.kind()),
            (archive, directory) => prop_assert!(false, "{archive:?} but {directory:?}"),
        }
    }

    #[test]
    fn a_name_that_is_not_writable_is_refused_and_changes_nothing(name in names()) {
        let mut builder = Builder::new(Layout::Quake);
        let added = builder.add(&name, "").is_ok();
        prop_assert_eq!(added, name::writable(&name, Layout::Quake).is_ok());
        prop_assert_eq!(builder.len(), usize::from(added));
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn an_escaped_name_reads_back(name in names()) {
        let escaped = escape(&name);
        prop_assert_eq!(unescape(&escaped), &name[..]);
        let printed = EntryName::from_bytes(&name).to_string();
        prop_assert_eq!(unescape(&printed), &name[..]);
    }

    #[test]
    fn a_path_on_disk_stays_below_its_folder(name in names()) {
        let Ok(path) = EntryName::from_bytes(&name).to_disk_path() else { return Ok(()) };
        prop_assert!(!path.iter().any(|&byte| byte < 32 || byte == 127 || byte == b'\\' || byte == b':'));
        for part in path.split(|&byte| byte == b'/') {
            prop_assert!(![&b""[..], b"."].contains(&part), "{}", path.escape_ascii());
            // Windows drops spaces at the end
            prop_assert!(part.trim_ascii_end() != b"..", "{}", path.escape_ascii());
        }
    }

    #[test]
    fn a_writable_name_is_its_own_path(name in names(), layout in layouts()) {
        if name::writable(&name, layout).is_ok() {
            let path = EntryName::from_bytes(&name).to_disk_path();
            prop_assert_eq!(path.as_deref(), Ok(&name[..]));
        }
    }
}

prop_compose! {
    /// A token of the codec as its bytes. Ends and unassigned bytes are rare, or no stream would be long.
    fn tokens()(
        control in prop_oneof![200 => 0..=253_u8, 1 => Just(254), 1 => Just(255)],
        bytes in [any::<u8>(); 64],
        near in any::<bool>(),
    ) -> Vec<u8> {
        let operands = match control {
            0..=63 => &bytes[..=usize::from(control)],
            64..=127 | 254.. => &[],
            192..=253 if near => &[bytes[0] & 15],
            _ => &bytes[..1],
        };
        [&[control], operands].concat()
    }
}

prop_compose! {
    /// Tokens, in most cases after enough output for any copy.
    fn streams()(lead in 0..5, tokens in vec(tokens(), 0..60)) -> Vec<u8> {
        let mut stream = if lead > 0 { vec![191, 7, 127, 191, 8, 127] } else { vec![] };
        stream.extend(tokens.concat());
        stream
    }
}

/// How much output the tokens give, whether or not they are valid.
fn natural_size(stream: &[u8]) -> usize {
    let (mut input, mut size) = (0, 0);
    while let Some(&control) = stream.get(input) {
        let count = usize::from(control);
        let (used, given) = match control {
            0..=63 => (count + 2, count + 1),
            64..=127 => (1, count - 62),
            128..=191 => (2, count - 126),
            192..=253 => (2, count - 190),
            _ => break,
        };
        (input, size) = (input + used, size + given);
    }
    size
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn the_decoder_agrees_with_its_table(stream in streams(), cut in 0..200_usize, off in 0..6_usize) {
        let size = natural_size(&stream);
        let cut = &stream[..stream.len() - cut.min(stream.len())];
        let ended = [&stream[..], &[255, 0]].concat();
        for stream in [&stream[..], &ended, cut] {
            // mostly right; off by up to two either way for the rest
            for size in [size, (size + off).saturating_sub(3)] {
                prop_assert_eq!(daikatana::decode(stream, size), reference::decode(stream, size));
            }
        }
    }

    #[test]
    fn the_decoder_agrees_with_its_table_on_any_bytes(
        stream in vec(any::<u8>(), 0..400),
        size in 0..2000_usize,
    ) {
        prop_assert_eq!(daikatana::decode(&stream, size), reference::decode(&stream, size));
    }
}
