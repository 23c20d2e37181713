//! The file of a catalog while it is written.

use std::io::{self, Write};

#[cfg(feature = "parquet")]
use crate::columns::ColumnWriter;
use crate::digest::Sums;
use crate::row::{CatalogFormat, CatalogRow};

/// Writes rows, which arrive as lines, in their format.
pub(crate) enum Table<W: Write> {
    Lines(W),
    #[cfg(feature = "parquet")]
    Columns(Box<ColumnWriter<W>>),
}

impl<W: Write> Table<W> {
    pub(crate) fn begin(format: CatalogFormat, sums: Sums, mut out: W) -> io::Result<Self> {
        match format {
            CatalogFormat::Csv => {
                writeln!(out, "{}", CatalogRow::columns(sums).join(","))?;
                Ok(Table::Lines(out))
            }
            CatalogFormat::JsonLines => Ok(Table::Lines(out)),
            #[cfg(feature = "parquet")]
            CatalogFormat::Parquet => Ok(Table::Columns(Box::new(ColumnWriter::new(out, sums)?))),
        }
    }

    pub(crate) fn write_all(&mut self, rows: &[u8]) -> io::Result<()> {
        match self {
            Table::Lines(out) => out.write_all(rows),
            #[cfg(feature = "parquet")]
            Table::Columns(columns) => columns.write_all(rows),
        }
    }

    #[cfg_attr(
        not(feature = "parquet"),
        expect(clippy::unnecessary_wraps, reason = "only columns fail here")
    )]
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Table::Lines(out) => Ok(out),
            #[cfg(feature = "parquet")]
            Table::Columns(columns) => columns.finish(),
        }
    }
}
