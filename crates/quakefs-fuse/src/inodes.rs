//! The numbers by which the system knows paths.

use std::collections::HashMap;
use std::sync::Arc;

use crate::opened::Identity;

/// The number of the top.
pub(crate) const ROOT: u64 = 1;

/// Paths by number, and back, as long as the system knows them. A number is given once.
pub(crate) struct Inodes {
    by_number: HashMap<u64, Inode>,
    by_path: HashMap<Arc<[u8]>, u64>,
    next: u64,
}

struct Inode {
    path: Arc<[u8]>,
    /// How often the system was told of the number.
    lookups: u64,
    /// What was opened there last: the system has kept what was read of it.
    opened: Option<Identity>,
}

impl Inodes {
    pub(crate) fn new() -> Self {
        let path: Arc<[u8]> = Arc::from([]);
        let root = Inode { path: Arc::clone(&path), lookups: 1, opened: None };
        Inodes {
            by_number: HashMap::from([(ROOT, root)]),
            by_path: HashMap::from([(path, ROOT)]),
            next: ROOT + 1,
        }
    }

    pub(crate) fn path(&self, number: u64) -> Option<Arc<[u8]>> {
        Some(Arc::clone(&self.by_number.get(&number)?.path))
    }

    /// The number of a path, of which the system is told now.
    pub(crate) fn look_up(&mut self, path: &[u8]) -> u64 {
        if let Some(number) = self.by_path.get(path) {
            if let Some(inode) = self.by_number.get_mut(number) {
                inode.lookups += 1;
            }
            return *number;
        }
        let (path, number): (Arc<[u8]>, _) = (Arc::from(path), self.next);
        self.next += 1;
        self.by_path.insert(Arc::clone(&path), number);
        self.by_number.insert(number, Inode { path, lookups: 1, opened: None });
        number
    }

    /// The system forgets a number that it was told so often.
    pub(crate) fn forget(&mut self, number: u64, lookups: u64) {
        let Some(inode) = self.by_number.get_mut(&number).filter(|_| number != ROOT) else { return };
        inode.lookups = inode.lookups.saturating_sub(lookups);
        if inode.lookups == 0
            && let Some(inode) = self.by_number.remove(&number)
        {
            self.by_path.remove(&inode.path);
        }
    }

    /// Whether what is opened now is what was opened last, so that what the system has kept of it is right.
    pub(crate) fn is_unchanged(&mut self, number: u64, now: &Identity) -> bool {
        let Some(inode) = self.by_number.get_mut(&number) else { return false };
        let is_unchanged = inode.opened.as_ref() == Some(now);
        inode.opened = Some(now.clone());
        is_unchanged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_its_number_until_it_is_forgotten_and_no_number_is_given_twice() {
        let mut inodes = Inodes::new();
        let first = inodes.look_up(b"maps");
        assert_eq!(inodes.look_up(b"maps"), first);
        inodes.forget(first, 1);
        assert_eq!(inodes.path(first).as_deref(), Some(&b"maps"[..]));
        inodes.forget(first, 1);
        assert_eq!(inodes.path(first), None);
        assert_ne!(inodes.look_up(b"maps"), first);
        inodes.forget(ROOT, u64::MAX);
        assert_eq!(inodes.path(ROOT).as_deref(), Some(&b""[..]));
    }
}
