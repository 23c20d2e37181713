//! Files on disk as names and contents.

use std::fs;
use std::path::{Path, PathBuf};

use pak_format::folder::{self, CollectOptions, CollectedFile, NotCollected, SkipReason};
use pak_format::{Archive, Builder, ErrorKind, Layout};

/// A folder of these files, each with its own name as its content.
fn folder_of(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    folder
}

struct Collected {
    files: Vec<CollectedFile>,
    skipped: Vec<NotCollected>,
    errors: Vec<NotCollected>,
}

fn collect(paths: impl IntoIterator<Item = impl AsRef<Path>>, options: &CollectOptions) -> Collected {
    let (files, skipped) = folder::collect(paths, options);
    let (errors, skipped) = skipped.into_iter().partition(|skipped| skipped.is_error);
    Collected { files, skipped, errors }
}

fn at(root: &Path) -> CollectOptions {
    CollectOptions { root: Some(root.into()), ..CollectOptions::default() }
}

/// What was found, a line each, with paths relative to the root.
fn lines(collected: &Collected, root: &Path) -> Vec<String> {
    let relative =
        |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string().replace('\\', "/");
    let files = collected.files.iter().map(|file| format!("{} <- {}", file.name, relative(&file.path)));
    let skipped = collected.skipped.iter();
    let skipped = skipped.map(|skipped| format!("{} not: {}", relative(&skipped.path), skipped.reason));
    let errors = collected.errors.iter();
    let errors = errors.map(|error| format!("{} error: {}", relative(&error.path), error.reason));
    files.chain(skipped).chain(errors).collect()
}

/// The content of a file, as an archive would get it.
fn content(file: &CollectedFile) -> Result<Vec<u8>, pak_format::Error> {
    let mut builder = Builder::new(Layout::Quake);
    builder.push("x", file.source());
    let archive = Archive::parse(builder.finish()?)?;
    let entry = archive.entries().next().unwrap();
    Ok(archive.read(&entry)?.to_vec())
}

#[test]
fn names_are_relative_to_the_root_and_in_byte_order() {
    let root = folder_of(&["b", "a/z", "a/D", "a/b/c", "a.cfg", "other"]);
    let root = root.path();
    for (paths, expected) in [
        (
            &["."][..],
            &["a/D <- a/D", "a/b/c <- a/b/c", "a/z <- a/z", "a.cfg <- a.cfg", "b <- b", "other <- other"][..],
        ),
        (&["other", "./a/"], &["other <- other", "a/D <- a/D", "a/b/c <- a/b/c", "a/z <- a/z"]),
        (&["a/b"], &["a/b/c <- a/b/c"]),
        (&["a/../b"], &["a/../b <- a/../b"]),
    ] {
        assert_eq!(lines(&collect(paths, &at(root)), root), expected, "{paths:?}");
    }
    let absolute = collect([root.join("a/b")], &at(root));
    assert_eq!(lines(&absolute, root), ["a/b/c <- a/b/c"]);
    assert_eq!((absolute.files[0].size, content(&absolute.files[0]).unwrap()), (5, b"a/b/c".to_vec()));
    let outside = collect([root.join("other")], &at(&root.join("a")));
    let no_name = "other error: it is outside of the folder that names are relative to, so it has no name";
    assert_eq!(lines(&outside, root), [no_name]);
    let above = collect(["../other"], &at(&root.join("a")));
    assert_eq!(lines(&above, root), [format!("a/../{no_name}")]);
}

#[test]
fn a_path_gets_the_name_that_the_caller_gives() {
    let root = folder_of(&["a/b/c", "d"]);
    let options = CollectOptions { name: Some("new".to_owned()), ..at(root.path()) };
    assert_eq!(lines(&collect(["d"], &options), root.path()), ["new <- d"]);
    assert_eq!(lines(&collect(["a"], &options), root.path()), ["new/b/c <- a/b/c"]);
}

#[test]
fn the_archive_itself_and_temporaries_are_left_out() {
    let root = folder_of(&["a", "x.pak", "d/.quakefs-a8Xk2p.tmp"]);
    let root = root.path();
    let with_archive = |archive| CollectOptions { archive: Some(archive), ..at(root) };
    let options = with_archive(root.join("d/../x.pak"));
    let expected = [
        "a <- a",
        "d/.quakefs-a8Xk2p.tmp not: it is a temporary file of an interrupted command",
        "x.pak not: it is the archive itself",
    ];
    assert_eq!(lines(&collect(["."], &options), root), expected);
    let named = collect(["x.pak"], &options);
    assert!(matches!(named.errors[0].reason, SkipReason::Archive));
    assert_eq!(lines(&collect(["a"], &with_archive(root.join("not there"))), root), ["a <- a"]);
}

#[test]
fn a_missing_path_is_an_error_and_the_others_are_found() {
    let root = folder_of(&["a"]);
    let collected = collect(["b", "a"], &at(root.path()));
    assert_eq!(collected.files.len(), 1);
    let SkipReason::Io(error) = &collected.errors[0].reason else { panic!("{:?}", collected.errors) };
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert!(collected.errors[0].to_string().starts_with(&root.path().join("b").display().to_string()));
}

#[test]
fn a_file_that_grew_is_an_error_with_its_path() {
    let root = folder_of(&["a"]);
    let file = collect(["a"], &at(root.path())).files.remove(0);
    fs::write(&file.path, "longer").unwrap();
    let error = content(&file).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ContentChanged { expected: 1, .. }), "{error}");
    assert_eq!(error.path(), Some(&*file.path));
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    fn pipe(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn links_and_devices_in_a_folder_are_left_out_and_a_named_link_is_followed() {
        let (root, other) = (folder_of(&["a"]), folder_of(&["d/b"]));
        let root = root.path();
        symlink(other.path().join("d/b"), root.join("file")).unwrap();
        symlink(other.path().join("d"), root.join("folder")).unwrap();
        symlink("folder", root.join("loop")).unwrap();
        pipe(&root.join("pipe"));
        let link = |name: &str| format!("{name} not: it is a symbolic link");
        let expected = [
            "a <- a",
            &link("file"),
            &link("folder"),
            &link("loop"),
            "pipe not: it is neither a file nor a folder",
        ];
        assert_eq!(lines(&collect(["."], &at(root)), root), expected);

        let named = collect(["file", "folder", "pipe"], &at(root));
        let expected =
            ["file <- file", "folder/b <- folder/b", "pipe error: it is neither a file nor a folder"];
        assert_eq!(lines(&named, root), expected);
        assert!(named.files.iter().all(|file| content(file).unwrap() == b"d/b"));
        let archive =
            collect(["file"], &CollectOptions { archive: Some(other.path().join("d/b")), ..at(root) });
        assert!(matches!(archive.errors[0].reason, SkipReason::Archive));
    }

    #[test]
    fn a_file_replaced_after_it_was_found_is_refused_without_waiting() {
        type Swap = fn(&Path);
        let swaps: [(&str, Swap); 4] = [
            ("a link", |path| symlink(path.with_file_name("same"), path).unwrap()),
            ("a pipe", pipe),
            ("a folder", |path| fs::create_dir(path).unwrap()),
            ("another file of that size", |path| fs::write(path, "b").unwrap()),
        ];
        for (what, swap) in swaps {
            let root = folder_of(&["a"]);
            let found = collect(["."], &at(root.path())).files.remove(0);
            let named = collect(["a"], &at(root.path())).files.remove(0);
            // the old file stays, so that its number is not given to the new one
            fs::rename(&found.path, root.path().join("same")).unwrap();
            swap(&found.path);
            assert!(content(&found).is_err(), "{what}");
            // a named link is followed, here to the file that was found
            assert_eq!(content(&named).is_ok(), what == "a link", "{what}");
            assert_eq!(content(&found).unwrap_err().path(), Some(&*found.path));
        }
    }

    #[test]
    fn a_name_that_is_not_utf8_is_one_error_also_for_a_folder() {
        let root = folder_of(&["a"]);
        let odd = root.path().join(OsStr::from_bytes(b"caf\xe9"));
        fs::create_dir(&odd).unwrap();
        fs::write(odd.join("b"), "").unwrap();
        fs::write(odd.join("c"), "").unwrap();
        let collected = collect(["."], &at(root.path()));
        assert_eq!((collected.files.len(), collected.errors.len()), (1, 1));
        assert!(matches!(collected.errors[0].reason, SkipReason::NotUtf8));
        assert_eq!(collected.errors[0].path, odd);
    }

    #[test]
    fn a_root_that_is_not_utf8_is_listed_but_its_archive_is_skipped() {
        let outer = tempfile::tempdir().unwrap();
        let root: PathBuf = outer.path().join(OsStr::from_bytes(b"caf\xe9"));
        fs::create_dir(&root).unwrap();
        fs::write(root.join("a"), "a").unwrap();
        fs::write(root.join("x.pak"), "").unwrap();
        for (paths, options) in
            [(".", at(&root)), (".", CollectOptions { archive: Some(root.join("x.pak")), ..at(&root) })]
        {
            let collected = collect([paths], &options);
            assert_eq!(collected.errors.len(), 0);
            assert_eq!(
                (&*collected.files[0].name, content(&collected.files[0]).unwrap()),
                ("a", b"a".to_vec())
            );
            assert_eq!(collected.files.len() + collected.skipped.len(), 2);
            let archive =
                collected.skipped.iter().all(|skipped| matches!(skipped.reason, SkipReason::Archive));
            assert!(archive && collected.skipped.len() == usize::from(options.archive.is_some()));
        }
    }
}
