//! Every answer that the real engines gave, given again.

mod recorded;
