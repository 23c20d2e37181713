//! Why: the rule between two copies, what is hidden, what is wrong, why a name is not found, where engines differ.

mod check;
mod compare;
mod explain;
mod layers;
mod precedence;
mod registration;
mod shadows;

pub use self::compare::{Because, Cause, Comparison, NotSeen, compare};
pub use self::explain::{Explanation, MissingBecause};
pub use self::layers::{Amount, LayerAmounts};
pub use self::registration::Registration;
pub use self::shadows::Shadow;
