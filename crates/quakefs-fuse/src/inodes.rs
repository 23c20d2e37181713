//! Inode numbers for paths.

use std::collections::HashMap;
use std::sync::Arc;

use crate::opened::ContentKey;

/// The inode of the root folder.
pub(crate) const ROOT: u64 = 1;

/// Maps inodes to paths and back, as long as the system uses them. Each inode belongs to one content and is
/// never reused, so that the system's cache for an inode stays right.
pub(crate) struct Inodes {
    by_number: HashMap<u64, Inode>,
    /// The latest inode of each path.
    by_path: HashMap<Arc<[u8]>, u64>,
    next: u64,
}

/// A path and the content found there.
type Known = (Arc<[u8]>, Option<Arc<ContentKey>>);

struct Inode {
    path: Arc<[u8]>,
    /// `None` for a folder.
    content: Option<Arc<ContentKey>>,
    /// How many lookups returned this inode.
    lookups: u64,
}

impl Inodes {
    pub(crate) fn new() -> Self {
        let path: Arc<[u8]> = Arc::from([]);
        let root = Inode { path: Arc::clone(&path), content: None, lookups: 1 };
        Inodes {
            by_number: HashMap::from([(ROOT, root)]),
            by_path: HashMap::from([(path, ROOT)]),
            next: ROOT + 1,
        }
    }

    /// The path of an inode and its content; `None` for a folder.
    pub(crate) fn get(&self, number: u64) -> Option<Known> {
        let inode = self.by_number.get(&number)?;
        Some((Arc::clone(&inode.path), inode.content.clone()))
    }

    /// The inode for a path, counted as one lookup.
    pub(crate) fn look_up(&mut self, path: &[u8], content: Option<ContentKey>) -> u64 {
        if let Some(number) = self.by_path.get(path)
            && let Some(inode) = self.by_number.get_mut(number)
            && inode.content.as_deref() == content.as_ref()
        {
            inode.lookups += 1;
            return *number;
        }
        let (path, number): (Arc<[u8]>, _) = (Arc::from(path), self.next);
        self.next += 1;
        self.by_path.insert(Arc::clone(&path), number);
        self.by_number.insert(number, Inode { path, content: content.map(Arc::new), lookups: 1 });
        number
    }

    /// Takes back a number of lookups of an inode.
    pub(crate) fn forget(&mut self, number: u64, lookups: u64) {
        let Some(inode) = self.by_number.get_mut(&number).filter(|_| number != ROOT) else { return };
        inode.lookups = inode.lookups.saturating_sub(lookups);
        if inode.lookups == 0
            && let Some(inode) = self.by_number.remove(&number)
            && self.by_path.get(&inode.path) == Some(&number)
        {
            self.by_path.remove(&inode.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_its_number_until_it_is_forgotten_and_no_number_is_reused() {
        let mut inodes = Inodes::new();
        let path = |inodes: &Inodes, number| inodes.get(number).map(|(path, _)| path.to_vec());
        let first = inodes.look_up(b"maps", None);
        assert_eq!(inodes.look_up(b"maps", None), first);
        inodes.forget(first, 1);
        assert_eq!(path(&inodes, first).as_deref(), Some(&b"maps"[..]));
        inodes.forget(first, 1);
        assert_eq!(path(&inodes, first), None);
        assert_ne!(inodes.look_up(b"maps", None), first);
        inodes.forget(ROOT, u64::MAX);
        assert_eq!(path(&inodes, ROOT).as_deref(), Some(&b""[..]));
    }

    #[test]
    fn another_content_is_another_number_and_the_one_before_keeps_its_own() {
        let mut inodes = Inodes::new();
        let content = |size| Some(ContentKey::of_size(size));
        let old = inodes.look_up(b"a", content(1));
        let new = inodes.look_up(b"a", content(2));
        assert_ne!(old, new);
        assert_eq!(inodes.look_up(b"a", content(2)), new);
        assert_eq!(inodes.get(old).unwrap().1.as_deref(), content(1).as_ref());
        inodes.forget(old, 1);
        assert_eq!(inodes.look_up(b"a", content(2)), new);
        assert_ne!(inodes.look_up(b"a", content(1)), old);
    }
}
