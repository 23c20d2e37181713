//! Compares names of entries exactly or without regard to ASCII case.

use pak_format::name::field_holds;

use crate::rules::Case;

/// Whether a name field contains exactly this name.
#[inline]
pub(crate) fn holds_name(field: &[u8], name: &[u8], case: Case) -> bool {
    field_holds(field, name, case == Case::Ignored)
}
