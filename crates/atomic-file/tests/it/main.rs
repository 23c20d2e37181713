//! The public surface of `atomic-file`, on a real folder.
#![expect(clippy::unwrap_used, reason = "a test that unwraps says where it failed")]

use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use atomic_file::{
    AtomicFile, CommitError, Disk, Identity, Lock, Options, PersistError, RealDisk, find_target, is_temporary,
};
use tempfile::{NamedTempFile, TempDir};

struct Fixture {
    folder: TempDir,
    target: PathBuf,
}

impl Fixture {
    fn new() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        Fixture { folder, target }
    }

    fn with_target() -> Fixture {
        let folder = Fixture::new();
        fs::write(&folder.target, "old").unwrap();
        folder
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn content(&self) -> String {
        fs::read_to_string(&self.target).unwrap()
    }
}

fn write(target: &Path, options: &Options, content: &str) -> io::Result<()> {
    let mut file = AtomicFile::create(target, options)?;
    file.write_all(content.as_bytes())?;
    Ok(file.commit()?)
}

#[test]
fn the_target_is_the_old_file_until_the_commit_and_then_the_new_one() {
    let folder = Fixture::with_target();
    let mut file = AtomicFile::create(&folder.target, &Options::new()).unwrap();
    file.write_all(b"something new").unwrap();
    assert_eq!(folder.content(), "old");
    assert_eq!(folder.names().iter().filter(|name| is_temporary(name)).count(), 1);
    file.commit().unwrap();
    assert_eq!(folder.content(), "something new");
    assert_eq!(folder.names(), ["target"]);
}

#[test]
fn dropping_a_file_leaves_nothing() {
    for folder in [Fixture::new(), Fixture::with_target()] {
        let before = folder.names();
        let mut file = AtomicFile::create(&folder.target, &Options::new()).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(folder.names(), before);
    }
}

#[test]
fn bytes_written_after_a_seek_are_at_its_position() {
    let folder = Fixture::new();
    let mut file = AtomicFile::create(&folder.target, &Options::new().durable(false)).unwrap();
    file.write_all(b"....content").unwrap();
    assert_eq!(file.seek(SeekFrom::Start(0)).unwrap(), 0);
    file.write_all(b"head").unwrap();
    assert_eq!(file.seek(SeekFrom::Current(-1)).unwrap(), 3);
    assert_eq!(file.seek(SeekFrom::End(0)).unwrap(), 11);
    assert_eq!(file.seek(SeekFrom::Current(-12)).unwrap_err().kind(), ErrorKind::InvalidInput);
    file.write_all(b"!").unwrap();
    file.commit().unwrap();
    assert_eq!(folder.content(), "headcontent!");
}

#[test]
fn a_file_that_may_not_be_replaced_is_an_error_before_and_after_the_writing() {
    let keep = Options::new().replace(false);
    let folder = Fixture::with_target();
    assert_eq!(write(&folder.target, &keep, "new").unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!((folder.content().as_str(), folder.names().len()), ("old", 1));

    let folder = Fixture::new();
    let mut file = AtomicFile::create(&folder.target, &keep).unwrap();
    file.write_all(b"new").unwrap();
    fs::write(&folder.target, "another program's").unwrap();
    let error = file.commit().unwrap_err();
    assert!(!error.is_in_place());
    assert_eq!(error.into_cause().kind(), ErrorKind::AlreadyExists);
    assert_eq!((folder.content().as_str(), folder.names().len()), ("another program's", 1));
}

#[test]
fn a_folder_in_the_place_of_the_file_is_refused() {
    let folder = Fixture::new();
    fs::create_dir(&folder.target).unwrap();
    let error = find_target(&folder.target, &Options::new()).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::IsADirectory, "it is a folder"));
    let nowhere = folder.folder.path().join("none/target");
    assert_eq!(write(&nowhere, &Options::new(), "new").unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_bare_file_name_is_in_the_current_folder() {
    let target = find_target("no-file-of-this-name", &Options::new()).unwrap();
    assert_eq!(target, Path::new("no-file-of-this-name"));
    let name = format!("atomic-file-test-{}", std::process::id());
    write(Path::new(&name), &Options::new(), "new").unwrap();
    assert_eq!(fs::read_to_string(&name).unwrap(), "new");
    fs::remove_file(name).unwrap();
}

#[test]
fn a_second_writer_of_a_file_is_refused_until_the_first_is_done() {
    let folder = Fixture::with_target();
    let mut first = AtomicFile::create(&folder.target, &Options::new()).unwrap();
    first.write_all(b"first").unwrap();
    assert_eq!(write(&folder.target, &Options::new(), "second").unwrap_err().kind(), ErrorKind::WouldBlock);
    assert_eq!(Lock::exclusive(&folder.target).unwrap_err().kind(), ErrorKind::WouldBlock);
    first.commit().unwrap();
    // the lock was on the file that is gone
    write(&folder.target, &Options::new(), "second").unwrap();
    assert_eq!((folder.content().as_str(), folder.names().len()), ("second", 1));
}

#[test]
fn of_two_writers_that_make_one_file_the_first_commit_wins() {
    let folder = Fixture::new();
    let mut files = ["first", "second"].map(|content| {
        let mut file = AtomicFile::create(&folder.target, &Options::new()).unwrap();
        file.write_all(content.as_bytes()).unwrap();
        Some(file)
    });
    files[0].take().unwrap().commit().unwrap();
    let error = files[1].take().unwrap().commit().unwrap_err();
    assert!(error.is_conflict() && !error.is_in_place());
    assert_eq!((folder.content().as_str(), folder.names().len()), ("first", 1));
}

#[cfg(unix)]
#[test]
fn a_lock_ends_though_another_descriptor_of_the_open_file_stays() {
    let folder = Fixture::with_target();
    let lock = Lock::exclusive(&folder.target).unwrap();
    let copy = lock.file().try_clone().unwrap();
    drop(lock);
    drop(Lock::exclusive(&folder.target).unwrap());
    let file = AtomicFile::create(&folder.target, &Options::new()).unwrap();
    let copy_of_new = file.as_file().try_clone().unwrap();
    file.commit().unwrap();
    Lock::exclusive(&folder.target).unwrap();
    drop((copy, copy_of_new));
}

#[test]
fn a_caller_replaces_a_file_under_a_lock_of_its_own() {
    let folder = Fixture::with_target();
    let lock = Lock::exclusive(&folder.target).unwrap();
    let mut file = AtomicFile::create(&folder.target, &Options::new().lock(lock)).unwrap();
    file.write_all(b"new").unwrap();
    file.commit().unwrap();
    assert_eq!(folder.content(), "new");
}

#[test]
fn a_file_is_read_while_a_writer_has_it() {
    let folder = Fixture::with_target();
    let lock = Lock::exclusive(&folder.target).unwrap();
    assert_eq!(folder.content(), "old");
    drop(lock);
    let file = AtomicFile::create(&folder.target, &Options::new()).unwrap();
    assert_eq!(folder.content(), "old");
    drop(file);
}

#[test]
fn a_file_has_one_identity_by_all_its_names_and_another_after_it_was_replaced() {
    let folder = Fixture::with_target();
    let other = folder.folder.path().join("other");
    fs::hard_link(&folder.target, &other).unwrap();
    let old = Identity::at(&folder.target).unwrap();
    assert_eq!(Identity::at(&other).unwrap(), old);
    write(&folder.target, &Options::new(), "new").unwrap();
    assert_ne!(Identity::at(&folder.target).unwrap(), old);
    assert_eq!(Identity::at(&other).unwrap(), old);
    assert!(Identity::at(folder.folder.path()).is_ok());
}

#[cfg(unix)]
#[test]
fn a_commit_fails_if_a_program_without_a_lock_replaced_or_removed_the_file() {
    for replaced in [false, true] {
        let folder = Fixture::with_target();
        let file = AtomicFile::create(&folder.target, &Options::new()).unwrap();
        fs::remove_file(&folder.target).unwrap();
        if replaced {
            fs::write(&folder.target, "another program's").unwrap();
        }
        let error = file.commit().unwrap_err();
        assert!(error.is_conflict(), "{error}");
        assert_eq!(folder.names().len(), usize::from(replaced));
    }
}

#[test]
fn an_abandoned_temporary_is_removed_by_the_next_writer() {
    let folder = Fixture::new();
    fs::write(folder.folder.path().join(".quakefs-left.tmp"), "").unwrap();
    fs::create_dir(folder.folder.path().join(".quakefs-folder.tmp")).unwrap();
    let other = AtomicFile::create(folder.folder.path().join("other"), &Options::new()).unwrap();
    assert_eq!(folder.names().len(), 2, "a folder and one temporary");
    write(&folder.target, &Options::new(), "new").unwrap();
    other.commit().unwrap();
    assert_eq!(folder.names(), [".quakefs-folder.tmp", "other", "target"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_new_file_has_the_mode_and_owner_of_the_one_that_it_replaces() {
        let folder = Fixture::with_target();
        set_mode(&folder.target, 0o664);
        // root alone may
        let given = chown(&folder.target, Some(4321), Some(1234)).is_ok();
        write(&folder.target, &Options::new(), "new").unwrap();
        assert_eq!(mode(&folder.target), 0o664);
        let found = fs::metadata(&folder.target).unwrap();
        assert!(!given || (found.uid(), found.gid()) == (4321, 1234));
    }

    #[test]
    fn a_new_file_has_the_usual_mode_or_the_mode_of_the_named_file() {
        let folder = Fixture::new();
        let other = folder.folder.path().join("other");
        fs::write(&other, "").unwrap();
        write(&folder.target, &Options::new(), "new").unwrap();
        assert_eq!(mode(&folder.target), mode(&other));

        set_mode(&other, 0o4640);
        let like_other = Options::new().attributes_of(fs::metadata(&other).unwrap());
        let third = folder.folder.path().join("third");
        write(&third, &like_other, "new").unwrap();
        // without the bit that lets others run the file as its owner
        assert_eq!(mode(&third), 0o640);
        // a file that is replaced goes before
        write(&folder.target, &like_other, "newer").unwrap();
        assert_ne!(mode(&folder.target), 0o640);
    }

    #[test]
    fn a_file_with_the_mode_of_another_is_private_while_it_is_written() {
        let folder = Fixture::with_target();
        set_mode(&folder.target, 0o600);
        let file = AtomicFile::create(&folder.target, &Options::new()).unwrap();
        assert_eq!(file.as_file().metadata().unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_link_stays_and_the_file_that_it_names_is_replaced() {
        let folder = Fixture::with_target();
        let (near, far) = (folder.folder.path().join("near"), folder.folder.path().join("sub/far"));
        fs::create_dir(folder.folder.path().join("sub")).unwrap();
        symlink("../target", &far).unwrap();
        symlink("sub/far", &near).unwrap();
        write(&near, &Options::new(), "new").unwrap();
        assert_eq!(folder.content(), "new");
        assert_eq!(fs::read_link(near).unwrap(), Path::new("sub/far"));
        assert_eq!(fs::read_link(far).unwrap(), Path::new("../target"));
        assert_eq!(folder.names(), ["near", "sub", "target"]);
    }

    #[test]
    fn a_link_to_no_file_stays_and_its_file_is_made() {
        let folder = Fixture::new();
        let link = folder.folder.path().join("link");
        symlink("target", &link).unwrap();
        write(&link, &Options::new().replace(false), "new").unwrap();
        assert_eq!(
            (folder.content().as_str(), folder.names()),
            ("new", vec!["link".into(), "target".into()])
        );
    }

    #[test]
    fn a_link_that_may_not_be_followed_is_replaced() {
        let folder = Fixture::with_target();
        let link = folder.folder.path().join("link");
        symlink("target", &link).unwrap();
        write(&link, &Options::new().follow_links(false), "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_file());
        assert_eq!((folder.content().as_str(), fs::read_to_string(&link).unwrap().as_str()), ("old", "new"));
    }

    #[test]
    fn a_loop_of_links_is_an_error() {
        let folder = Fixture::new();
        symlink("target", &folder.target).unwrap();
        let error = find_target(&folder.target, &Options::new()).unwrap_err();
        assert_eq!(error.to_string(), "it is a loop of symbolic links");
    }
}

#[cfg(windows)]
mod windows {
    use std::os::windows::fs::OpenOptionsExt as _;

    use super::*;

    #[test]
    fn a_file_that_a_program_keeps_from_being_replaced_stays_and_the_error_says_so() {
        let folder = Fixture::with_target();
        // as C opens files: others may read and write it
        let held = File::options().read(true).share_mode(1 | 2).open(&folder.target).unwrap();
        let error = write(&folder.target, &Options::new(), "new").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ResourceBusy, "{error}");
        assert_eq!((folder.content().as_str(), folder.names().len()), ("old", 1));
        drop(held);
        write(&folder.target, &Options::new(), "new").unwrap();
        assert_eq!(folder.content(), "new");
    }

    #[test]
    fn a_file_that_a_program_writes_is_not_replaced() {
        let folder = Fixture::with_target();
        let writing = File::options().append(true).open(&folder.target).unwrap();
        assert_eq!(write(&folder.target, &Options::new(), "new").unwrap_err().kind(), ErrorKind::WouldBlock);
        drop(writing);
        write(&folder.target, &Options::new(), "new").unwrap();
    }

    #[test]
    fn a_file_that_is_read_only_is_replaced_and_stays_so() {
        let folder = Fixture::with_target();
        let mut permissions = fs::metadata(&folder.target).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&folder.target, permissions.clone()).unwrap();
        write(&folder.target, &Options::new(), "new").unwrap();
        assert_eq!((folder.content().as_str(), folder.names().len()), ("new", 1));
        let mut found = fs::metadata(&folder.target).unwrap().permissions();
        assert!(found.readonly());
        #[expect(clippy::permissions_set_readonly_false, reason = "so that the folder can be removed")]
        found.set_readonly(false);
        fs::set_permissions(&folder.target, found).unwrap();
    }
}

/// A disk whose operation of one number fails.
struct Faulty {
    left: usize,
    done: Vec<&'static str>,
}

impl Faulty {
    fn step(&mut self, name: &'static str) -> io::Result<()> {
        if self.done.len() == self.left {
            return Err(ErrorKind::StorageFull.into());
        }
        self.done.push(name);
        Ok(())
    }
}

impl Disk for Faulty {
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.step("write")?;
        RealDisk.write_at(file, offset, bytes)
    }

    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()> {
        self.step("set length")?;
        RealDisk.set_len(file, length)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        self.step("sync")?;
        RealDisk.sync(file)
    }

    fn temporary(&mut self, folder: &Path, private: bool) -> io::Result<NamedTempFile> {
        self.step("temporary")?;
        RealDisk.temporary(folder, private)
    }

    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> Result<(), PersistError> {
        // on a disk that cannot replace an open file, the rename is tried again after the lock ends
        let again = cfg!(windows) && self.done.last() == Some(&"persist");
        if !again && let Err(error) = self.step("persist") {
            return Err(PersistError { error, file });
        }
        RealDisk.persist(file, target, replace)
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        self.step("sync folder")?;
        RealDisk.sync_folder(folder)
    }
}

/// Writes `new`, with the operation after `left` others failing.
fn write_with_fault(
    folder: &Fixture,
    left: usize,
    options: &Options,
) -> (Vec<&'static str>, Option<CommitError>) {
    let mut disk = Faulty { left, done: Vec::new() };
    let commit = |disk: &mut Faulty| -> io::Result<Result<(), CommitError>> {
        let mut file = AtomicFile::create_on(disk, &folder.target, options)?;
        file.write_all(b"new")?;
        Ok(file.commit())
    };
    let error = match commit(&mut disk) {
        Ok(committed) => committed.err(),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::StorageFull);
            None
        }
    };
    (disk.done, error)
}

const STEPS: [&str; 5] = ["temporary", "write", "sync", "persist", "sync folder"];

#[test]
fn whichever_step_fails_the_target_is_the_old_or_the_new_file_and_the_error_says_which() {
    for left in 0..STEPS.len() {
        for (folder, old) in [(Fixture::new(), None), (Fixture::with_target(), Some("old"))] {
            let (done, error) = write_with_fault(&folder, left, &Options::new());
            assert_eq!(done, STEPS[..left]);
            let in_place = error.as_ref().is_some_and(CommitError::is_in_place);
            assert_eq!(error.is_some(), left >= 2, "creating and writing report the error themselves");
            assert_eq!(in_place, left == 4);
            let found = fs::read_to_string(&folder.target).ok();
            assert_eq!(found.as_deref(), if in_place { Some("new") } else { old });
            assert_eq!(folder.names().len(), usize::from(found.is_some()), "no temporary is left");
            if let Some(error) = error {
                let text = error.to_string();
                assert_eq!(text.contains("is in its place"), in_place, "{text}");
                assert_eq!(io::Error::from(error).kind(), ErrorKind::StorageFull);
            }
        }
    }
}

#[test]
fn a_file_that_is_not_durable_is_not_flushed() {
    let folder = Fixture::new();
    let (done, error) = write_with_fault(&folder, STEPS.len(), &Options::new().durable(false));
    assert_eq!((done, error.is_none()), (vec!["temporary", "write", "persist"], true));
}

#[test]
fn a_prepared_file_is_flushed_once_unless_it_is_written_to_again() {
    let folder = Fixture::new();
    let mut disk = Faulty { left: usize::MAX, done: Vec::new() };
    let mut file = AtomicFile::create_on(&mut disk, &folder.target, &Options::new()).unwrap();
    file.write_all(b"a").unwrap();
    file.prepare().unwrap();
    assert!(!folder.target.exists());
    file.prepare().unwrap();
    file.write_all(b"b").unwrap();
    file.commit().unwrap();
    assert_eq!(disk.done, ["temporary", "write", "sync", "write", "sync", "persist", "sync folder"]);
    assert_eq!(folder.content(), "ab");
}
