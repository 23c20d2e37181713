//! Sums that other programs know.

use quakefs_archives::{BadLine, Digest, DigestKind, Sum};

#[test]
fn each_hash_is_the_one_that_other_programs_print() {
    // RFC 1321, FIPS 180-2 and the check value of CRC-32 (ISO-HDLC)
    for (kind, bytes, expected) in [
        (DigestKind::Md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (DigestKind::Sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (DigestKind::Crc32, "123456789", "cbf43926"),
        (DigestKind::Crc32, "", "00000000"),
    ] {
        let digest = Digest::of_bytes(kind, bytes.as_bytes());
        assert_eq!((digest.kind(), digest.to_string()), (kind, expected.to_owned()));
        assert_eq!(Digest::from_hex(kind, &expected.to_uppercase()), Some(digest));
        assert_eq!(format!("{}:{expected}", kind.name()).parse(), Ok(digest));
    }
    assert!("sha256:abc".parse::<Digest>().is_err() && "+0000000".parse::<Digest>().is_err());
}

/// The names of a list, and the kinds that their digits may be.
fn read(list: &str) -> Result<Vec<String>, BadLine> {
    let line = |sum: Sum| {
        let kinds: Vec<_> = sum.any_of.iter().map(|digest| digest.kind().name()).collect();
        format!("{} {}", String::from_utf8_lossy(&sum.name), kinds.join("|"))
    };
    Ok(Sum::list(list.as_bytes())?.into_iter().map(line).collect())
}

#[test]
fn lists_of_each_form_are_read() {
    let (long, middle) = ("a".repeat(64), "b".repeat(32));
    let list = format!(
        "\u{feff}; a comment\r\n\r\n# another\n{long}  maps/a b.bsp\r\n{middle} *pak0.pak\n\\{middle}  a\\nb\\\\c\n\
         SHA256 (x (1).pak) = {long}\nCRC32 (y) = 0badcafe\nmaps\\start.bsp   0BADCAFE\n"
    );
    assert_eq!(
        read(&list).unwrap(),
        [
            "maps/a b.bsp blake3|sha256",
            "pak0.pak xxh3|md5",
            "a\nb\\c xxh3|md5",
            "x (1).pak sha256",
            "y crc32",
            "maps\\start.bsp crc32"
        ]
    );
}

#[test]
fn a_line_of_another_form_is_an_error_that_says_which() {
    for bad in ["hello", "0badcafe", "zz  name", "  ", "SHA256 (a) = 00", &format!("{}  ", "a".repeat(64))] {
        let found = read(&format!("pak0.pak 00000000\n{bad}\n"));
        if bad.trim().is_empty() {
            assert_eq!(found.unwrap().len(), 1);
        } else {
            assert_eq!(found.unwrap_err().line, 2, "{bad}");
        }
    }
    assert!(read("\0\u{1}\n").is_err());
    assert_eq!(read("").unwrap(), Vec::<String>::new());
}
