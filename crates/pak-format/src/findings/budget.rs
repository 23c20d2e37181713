//! A limit on decoded content.

/// A limit on the bytes that are decoded from an archive. A small archive can claim terabytes. Content past
/// the budget is reported and not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeBudget {
    limit: u64,
    left: u64,
}

/// Every archive may have this much content: decoding takes seconds.
const LEAST: u64 = 1 << 30;

/// Daikatana's codec gives at most 65 times its input, so an archive whose entries share no payload stays
/// below this.
const TIMES: u64 = 100;

impl DecodeBudget {
    /// The default for an archive of `size` bytes: 100 times as many, and at least 1 GiB.
    #[must_use]
    pub const fn for_archive(size: u64) -> Self {
        let many = size.saturating_mul(TIMES);
        DecodeBudget::new(if many > LEAST { many } else { LEAST })
    }

    /// A budget of `limit` bytes.
    #[must_use]
    pub const fn new(limit: u64) -> Self {
        DecodeBudget { limit, left: limit }
    }

    /// The whole budget in bytes.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Takes these bytes from the budget, or returns false if fewer are left.
    #[must_use]
    pub const fn take(&mut self, bytes: u64) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}
