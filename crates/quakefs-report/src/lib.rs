//! Why: the rule between two copies, what is hidden, what is wrong, why a name is not found, where engines differ.

mod check;
mod compare;
mod explain;
mod layers;
mod precedence;
mod registration;
mod shadows;
pub mod words;

pub use self::check::{check, check_file, check_within, starts};
pub use self::compare::{Because, Cause, Comparison, compare};
pub use self::explain::{Explanation, Missing, MissingBecause, disk_decides, explain};
pub use self::layers::{Amount, LayerAmounts, layer_amounts};
pub use self::precedence::precedence;
pub use self::registration::{Registration, registration};
pub use self::shadows::{Shadow, decode_budget, shadows};
