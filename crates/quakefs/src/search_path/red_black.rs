//! A red-black tree that keeps equal items, to know which of them a search meets first.
//!
//! It is the textbook's: an item that is not less goes to the right, and insertion recolours and rotates.
//! Which of several equal rows goldsrc-2023 loads follows from its shape.

/// A tree of numbered items: the first has the number 0.
#[derive(Default)]
pub(super) struct RedBlack {
    nodes: Vec<Node>,
    root: Link,
}

type Link = Option<u32>;

#[derive(Clone, Copy, Default)]
struct Node {
    key: u32,
    is_red: bool,
    parent: Link,
    left: Link,
    right: Link,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn other(self) -> Side {
        if self == Side::Left { Side::Right } else { Side::Left }
    }
}

impl FromIterator<u32> for RedBlack {
    fn from_iter<I: IntoIterator<Item = u32>>(keys: I) -> RedBlack {
        let mut tree = RedBlack::default();
        for (item, key) in (0..).zip(keys) {
            tree.insert(item, key);
        }
        tree
    }
}

impl RedBlack {
    /// The item with this key that is nearest to the root.
    pub(super) fn find(&self, key: u32) -> Option<u32> {
        let mut at = self.root;
        while let Some(item) = at {
            let node = self.node(at);
            at = match key.cmp(&node.key) {
                std::cmp::Ordering::Less => node.left,
                std::cmp::Ordering::Greater => node.right,
                std::cmp::Ordering::Equal => return Some(item),
            };
        }
        None
    }

    fn insert(&mut self, item: u32, key: u32) {
        let (mut parent, mut side) = (None, Side::Left);
        let mut at = self.root;
        while at.is_some() {
            parent = at;
            side = if key < self.node(at).key { Side::Left } else { Side::Right };
            at = self.child(at, side);
        }
        self.nodes.push(Node { key, is_red: true, parent, ..Node::default() });
        self.link(parent, side, Some(item));
        self.balance(Some(item));
    }

    fn balance(&mut self, mut item: Link) {
        loop {
            let parent = self.node(item).parent;
            let grandparent = self.node(parent).parent;
            if !self.node(parent).is_red || grandparent.is_none() {
                break;
            }
            let side = self.side(grandparent, parent);
            let uncle = self.child(grandparent, side.other());
            if self.node(uncle).is_red {
                self.colour(parent, false);
                self.colour(uncle, false);
                self.colour(grandparent, true);
                item = grandparent;
                continue;
            }
            if self.side(parent, item) != side {
                item = parent;
                self.rotate(item, side);
            }
            self.colour(self.node(item).parent, false);
            self.colour(grandparent, true);
            self.rotate(grandparent, side.other());
        }
        self.colour(self.root, false);
    }

    /// Lets a node sink to one side, and its child on the other side rise.
    fn rotate(&mut self, item: Link, to: Side) {
        let risen = self.child(item, to.other());
        let parent = self.node(item).parent;
        let side = self.side(parent, item);
        self.link(item, to.other(), self.child(risen, to));
        self.link(parent, side, risen);
        self.link(risen, to, item);
    }

    /// The node; a black one without neighbours for none.
    fn node(&self, item: Link) -> Node {
        item.and_then(|item| self.nodes.get(item as usize)).copied().unwrap_or_default()
    }

    fn child(&self, parent: Link, side: Side) -> Link {
        let node = self.node(parent);
        if side == Side::Left { node.left } else { node.right }
    }

    fn side(&self, parent: Link, child: Link) -> Side {
        if self.child(parent, Side::Left) == child { Side::Left } else { Side::Right }
    }

    /// Makes a node the child of another; of none, the root.
    fn link(&mut self, parent: Link, side: Side, child: Link) {
        if let Some(child) = self.node_mut(child) {
            child.parent = parent;
        }
        match (self.node_mut(parent), side) {
            (None, _) => self.root = child,
            (Some(parent), Side::Left) => parent.left = child,
            (Some(parent), Side::Right) => parent.right = child,
        }
    }

    fn colour(&mut self, item: Link, is_red: bool) {
        if let Some(node) = self.node_mut(item) {
            node.is_red = is_red;
        }
    }

    fn node_mut(&mut self, item: Link) -> Option<&mut Node> {
        item.and_then(|item| self.nodes.get_mut(item as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::RedBlack;

    #[test]
    fn the_first_of_equal_items_on_the_way_from_the_root_is_found() {
        let found = |keys: &[u32], key| keys.iter().copied().collect::<RedBlack>().find(key);
        assert_eq!(found(&[], 1), None);
        assert_eq!(found(&[1, 1], 1), Some(0));
        // three equal items: the rotation lifts the second
        assert_eq!(found(&[1, 1, 1], 1), Some(1));
        assert_eq!(found(&[1, 2, 1], 1), Some(2));
        assert_eq!(found(&[2, 1, 1, 3], 1), Some(2));
        assert_eq!(found(&[0, 1, 2, 3, 4, 5, 6, 7], 7), Some(7));
    }
}
