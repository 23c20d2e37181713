//! The CRC-32 of ZIPs.

#[cfg(target_family = "wasm")]
pub(super) use self::SmallCrc as Crc;
#[cfg(not(target_family = "wasm"))]
pub(super) use flate2::Crc;

pub(crate) fn crc32(content: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(content);
    crc.sum()
}

/// The CRC-32 with a table of 1 KB. That of `flate2` is faster, but adds 16 KB to a module that people download.
#[cfg(any(target_family = "wasm", test))]
#[derive(Clone, Debug)]
pub(super) struct SmallCrc(u32);

#[cfg(any(target_family = "wasm", test))]
#[expect(clippy::indexing_slicing, reason = "the table has a row for each byte")]
impl SmallCrc {
    const TABLE: [u32; 256] = {
        let mut table = [0_u32; 256];
        let mut byte = 0_u8;
        loop {
            let mut sum = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
                bit += 1;
            }
            table[byte as usize] = sum;
            match byte.checked_add(1) {
                Some(next) => byte = next,
                None => break table,
            }
        }
    };

    pub(super) const fn new() -> Self {
        SmallCrc(!0)
    }

    pub(super) fn update(&mut self, content: &[u8]) {
        for byte in content {
            let [low, ..] = self.0.to_le_bytes();
            self.0 = self.0 >> 8 ^ Self::TABLE[usize::from(low ^ byte)];
        }
    }

    pub(super) const fn sum(&self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_give_the_same_sum() {
        for length in [0, 1, 9, 1000_u32] {
            let bytes: Vec<u8> = (0..length).flat_map(|number| (number * 77).to_le_bytes()).collect();
            let (first, second) = bytes.split_at(bytes.len() / 3);
            let mut crc = SmallCrc::new();
            crc.update(first);
            crc.update(second);
            assert_eq!(crc.sum(), crc32(&bytes), "{length}");
        }
    }
}
