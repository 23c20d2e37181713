//! Names: the escaped and the printed form can be read back, a path stays below its folder, and normalising a
//! request twice changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pak_format::name::{escape, unescape, writable};
use pak_format::{EntryName, Layout};
use quakefs::rules::{Host, PathRule, Requests};
use quakefs::{Engine, QPath};
use quakefs_fuzz::Name;

fuzz_target!(|name: Name| {
    let name = &name.0;
    let printed = EntryName::from_bytes(name).to_string();
    assert_eq!(unescape(&escape(name)), *name);
    assert_eq!(unescape(&printed), *name);
    assert!(!printed.contains(char::is_control));

    let path = EntryName::from_bytes(name).to_disk_path();
    if let Ok(path) = &path {
        assert!(stays_inside(path));
        assert!(!path.iter().any(|byte| byte.is_ascii_control() || matches!(byte, b'\\' | b':')));
        assert_eq!(EntryName::from_bytes(path).to_disk_path().as_ref(), Ok(path));
    }
    for layout in Layout::ALL {
        let fits = name.len() < layout.name_width();
        assert_eq!(writable(name, layout).is_ok(), fits && path.as_deref() == Ok(name));
    }
    for engine in Engine::ALL {
        check_request(name, &engine.rules().requests);
    }
});

/// Whether a path is relative and has no empty, `.` or `..` part.
fn stays_inside(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').all(|part| ![&b""[..], b".", b".."].contains(&part))
}

fn check_request(name: &[u8], requests: &Requests) {
    let Ok(read) = QPath::new(name, requests) else { return };
    let in_folders = read.in_folders();
    assert!(in_folders.is_empty() || stays_inside(in_folders));
    let has_drives = cfg!(windows) || requests.host == Host::Windows;
    assert!(!(has_drives && matches!(in_folders, [letter, b':', ..] if letter.is_ascii_alphabetic())));
    assert!(!in_folders.contains(&0) && !read.in_archives().contains(&0));
    // one slash is dropped at each reading, and some names are not looked up in archives
    if requests.leading_slash != PathRule::FirstDropped && !read.in_archives().is_empty() {
        let again = QPath::new(read.in_archives(), requests).unwrap();
        assert_eq!(again.in_archives(), read.in_archives());
        assert_eq!(again.in_folders(), in_folders);
    }
    if !in_folders.is_empty() {
        assert_eq!(QPath::new(in_folders, requests).unwrap().in_folders(), in_folders);
    }
}
