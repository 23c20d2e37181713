//! How much each layer contributes to the merged tree.

use crate::{File, SearchPath};

use crate::why::shadows::shadows;

/// How much of a layer wins, overrides other copies, and is overridden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LayerAmounts {
    /// The files that the engine loads from the layer.
    pub serves: Amount,
    /// The copies that the layer's winners override, in this layer and in lower ones.
    pub hides: Amount,
    /// The layer's copies that another copy overrides.
    pub hidden: Amount,
}

/// A number of files and their total size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Amount {
    /// How many files.
    pub files: u64,
    /// Bytes of content.
    pub bytes: u64,
}

impl Amount {
    fn add(&mut self, size: u64) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(size);
    }
}

/// How much each layer contributes to the merged tree, in the order of [`SearchPath::layers`]. If loose files are
/// [`Live`](crate::LooseFiles::Live), it lists the folders. Unreachable entries do not count.
#[must_use]
pub fn layer_amounts(stack: &SearchPath) -> Vec<LayerAmounts> {
    let mut amounts = vec![LayerAmounts::default(); stack.layers().len()];
    let mut add = |hit: &File<'_>, size, kind: fn(&mut LayerAmounts) -> &mut Amount| {
        if let Some(amounts) = amounts.get_mut(hit.layer().index()) {
            kind(amounts).add(size);
        }
    };
    for file in stack.files() {
        add(&file, file.size(), |amounts| &mut amounts.serves);
    }
    for shadow in shadows(stack) {
        let size = shadow.hidden.size();
        add(&shadow.winner, size, |amounts| &mut amounts.hides);
        add(&shadow.hidden, size, |amounts| &mut amounts.hidden);
    }
    amounts
}
