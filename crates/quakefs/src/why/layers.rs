//! What each layer gives to the merged tree.

use crate::{File, SearchPath};

use crate::why::shadows::shadows;

/// How much a layer serves, hides, and has hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LayerAmounts {
    /// The files that the engine loads from the layer.
    pub serves: Amount,
    /// The copies, in this layer and in lower ones, that those files hide.
    pub hides: Amount,
    /// The copies in the layer that are not loaded because of another copy.
    pub hidden: Amount,
}

/// Files, and the bytes in them as rows and the disk say.
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

/// What each layer gives to the merged tree, in the order of [`SearchPath::layers`]. The folders are listed now
/// where loose files are [`Live`](crate::LooseFiles::Live). An entry that no request reaches is in no amount.
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
