//! `.mdl` of Half-Life: the other files that a model names.

use crate::Error;
use crate::fields::{Fields, name};

/// A model of Half-Life, borrowed from its bytes (`engine/studio.h` of the Half-Life SDK).
#[derive(Clone, Copy, Debug)]
pub struct Studio<'a>(Fields<'a>);

/// An event in a sequence of a model, such as a sound at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudioEvent<'a> {
    /// The number, which tells what it is: 5004 for a sound.
    pub event: u32,
    /// What it is about, such as the name of the sound.
    pub options: &'a [u8],
}

const HEADER: usize = 244;
const SEQUENCE: usize = 176;
const EVENT: usize = 76;
const GROUP: usize = 104;

impl<'a> Studio<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are not a model of Half-Life, or the header is cut off.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if !bytes.starts_with(b"IDST") {
            return Err(Error::format("a model of Half-Life (IDST)", bytes));
        }
        let fields = Fields(bytes);
        fields.bytes("the header", 0, HEADER)?;
        Ok(Studio(fields))
    }

    /// The number of textures in the model. Without any, they are in a file of their own.
    ///
    /// # Errors
    /// None after [`parse`](Self::parse).
    pub fn textures(&self) -> Result<usize, Error> {
        self.0.size("the number of textures", 180)
    }

    /// The names of the files with further sequences, from the second group on; some tools leave them empty.
    ///
    /// # Errors
    /// The table is outside the bytes.
    pub fn groups(&self) -> Result<impl Iterator<Item = &'a [u8]> + use<'a>, Error> {
        let rows: &[[u8; GROUP]] = match table_of_groups(self.0)? {
            (_, 0 | 1) => &[],
            (at, count) => self.0.rows("the groups of sequences", at, count)?,
        };
        Ok(rows.iter().skip(1).map(|row| name(row.get(32..96).unwrap_or_default())))
    }

    /// The events of all sequences, at most as many as the bytes have room for.
    ///
    /// # Errors
    /// A table is outside the bytes.
    pub fn events(&self) -> Result<Vec<StudioEvent<'a>>, Error> {
        let count = self.0.size("the number of sequences", 164)?;
        let at = self.0.size("the offset of the sequences", 168)?;
        let sequences: &[[u8; SEQUENCE]] = self.0.rows("the sequences", at, count)?;
        let most = self.0.0.len() / EVENT;
        let mut events = Vec::new();
        for sequence in sequences {
            let sequence = Fields(sequence);
            let (count, at) = (sequence.size("the events", 48)?, sequence.size("the events", 52)?);
            if count == 0 {
                continue;
            }
            let rows: &[[u8; EVENT]] = self.0.rows("the events", at, count)?;
            for row in rows.iter().take(most.saturating_sub(events.len())) {
                let event = Fields(row).u32("an event", 4)?;
                events.push(StudioEvent { event, options: name(row.get(12..).unwrap_or_default()) });
            }
        }
        Ok(events)
    }
}

/// The offset of the rows of groups, and their number.
fn table_of_groups(model: Fields<'_>) -> Result<(usize, usize), Error> {
    let count = model.size("the number of groups", 172)?;
    Ok((model.size("the offset of the groups", 176)?, count))
}

/// The end of the rows of groups, if there is more than the model's own; also for the beginning of a model.
pub(crate) fn end_of_groups(model: Fields<'_>) -> Result<Option<usize>, Error> {
    let (at, count) = table_of_groups(model)?;
    Ok((count > 1).then(|| at.saturating_add(count.saturating_mul(GROUP))))
}
