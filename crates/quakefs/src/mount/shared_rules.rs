//! The rules that a builder and its mounts share.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::rules::{Host, Rules};

/// An engine's row, or rules of a mount's own.
#[derive(Clone)]
pub(crate) enum SharedRules {
    Row(&'static Rules),
    Own(Arc<Rules>),
}

impl SharedRules {
    pub(super) fn for_host(&self, host: Host) -> SharedRules {
        SharedRules::Own(Arc::new(Rules::for_host(self, host).into_owned()))
    }
}

impl Deref for SharedRules {
    type Target = Rules;

    fn deref(&self) -> &Rules {
        match self {
            SharedRules::Row(rules) => rules,
            SharedRules::Own(rules) => rules,
        }
    }
}

impl fmt::Debug for SharedRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rules").field(&self.name).finish()
    }
}
