//! A catalog by columns, as Parquet. Its rows are those of JSON lines: they arrive and leave as such lines.
//!
//! Columns are written and read by their two types alone. The crate's own loops over columns would link the
//! code of all eight types, which adds 400 kB to the command.

use std::borrow::Cow;
use std::io::{self, Write};
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::page::PageReader;
use parquet::column::reader::ColumnReaderImpl;
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type, TypePtr};
use quakefs::FileData;

use crate::digest::Sums;
use crate::row::{CatalogFormat, CatalogRow, Cell, Rows};

/// The size of the lines that become a group of rows, which is kept in memory while it is written or read.
/// They are about 100,000 rows: a database reads several groups at the same time, and the columns of large
/// groups are small.
const GROUP: usize = 32 << 20;

/// Fewer bytes than any line has.
const SHORTEST: usize = 100;

/// The types of the columns.
fn schema(sums: Sums) -> Result<TypePtr> {
    let mut row = CatalogRow::default().with_sums(sums);
    let field = |name: &&'static str| {
        Ok(Arc::new(
            match row.cell(name) {
                Cell::Number(_) | Cell::Version(_) => Type::primitive_type_builder(name, Physical::INT64),
                Cell::Text(_) => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                    .with_logical_type(Some(LogicalType::String)),
            }
            .with_repetition(match row.cell(name) {
                Cell::Number(_) => Repetition::OPTIONAL,
                Cell::Version(_) | Cell::Text(_) => Repetition::REQUIRED,
            })
            .build()?,
        ))
    };
    let fields = CatalogRow::columns(sums).iter().map(field).collect::<Result<_>>()?;
    Ok(Arc::new(Type::group_type_builder("catalog").with_fields(fields).build()?))
}

/// Writes lines as groups of rows.
pub(crate) struct ColumnWriter<W> {
    out: W,
    /// Writes to memory, and each group is then moved to `out`.
    writer: SerializedFileWriter<Vec<u8>>,
    lines: Vec<u8>,
    sums: Sums,
}

impl<W: Write> ColumnWriter<W> {
    pub(crate) fn new(out: W, sums: Sums) -> io::Result<ColumnWriter<W>> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::GZIP(parquet::basic::GzipLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by("quakefs".to_owned())
            .build();
        let writer = SerializedFileWriter::new(Vec::new(), schema(sums)?, Arc::new(properties))?;
        Ok(ColumnWriter { out, writer, lines: Vec::new(), sums })
    }

    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.write_group()?;
        self.writer.finish()?;
        self.move_out()?;
        Ok(self.out)
    }

    /// Writes the complete lines.
    fn write_group(&mut self) -> io::Result<()> {
        let end = self.lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let lines = self.lines.get(..end).unwrap_or_default().split_inclusive(|byte| *byte == b'\n');
        let mut rows: Vec<CatalogRow<'_>> =
            lines.map(serde_json::from_slice).collect::<std::result::Result<_, _>>()?;
        if rows.is_empty() {
            return Ok(());
        }
        let schema = self.writer.schema_descr().clone();
        let properties = Arc::clone(self.writer.properties());
        let mut group = self.writer.next_row_group()?;
        for (index, name) in CatalogRow::columns(self.sums).into_iter().enumerate() {
            let (mut numbers, mut levels, mut texts) = (Vec::new(), Vec::new(), Vec::new());
            for row in &mut rows {
                match row.cell(name) {
                    Cell::Version(version) => numbers.push(*version),
                    Cell::Number(number) => {
                        levels.push(i16::from(number.is_some()));
                        numbers.extend(*number);
                    }
                    Cell::Text(text) => texts.push(ByteArray::from(text.as_bytes().to_vec())),
                }
            }
            let mut bytes = TrackedWrite::new(Vec::new());
            let pages = Box::new(SerializedPageWriter::new(&mut bytes));
            let column = schema.column(index);
            let written = if texts.is_empty() {
                let mut column = ColumnWriterImpl::<Int64Type>::new(column, properties.clone(), pages);
                column.write_batch(&numbers, (!levels.is_empty()).then_some(&*levels), None)?;
                column.close()?
            } else {
                let mut column = ColumnWriterImpl::<ByteArrayType>::new(column, properties.clone(), pages);
                column.write_batch(&texts, None, None)?;
                column.close()?
            };
            group.append_column(&Bytes::from(bytes.into_inner()?), written)?;
        }
        group.close()?;
        drop(rows);
        self.lines.drain(..end);
        self.move_out()
    }

    fn move_out(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.out.write_all(&mem::take(self.writer.inner_mut()))
    }
}

impl<W: Write> Write for ColumnWriter<W> {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        let (part, _) = lines.split_at_checked(GROUP).unwrap_or((lines, &[]));
        self.lines.extend_from_slice(part);
        if self.lines.len() >= GROUP {
            self.write_group()?;
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Calls the reader of Parquet, whose version 60.1 panics on some damaged files: if the length of a column is
/// negative (`metadata/mod.rs`), if a page is too short (`bit_util.rs`), and if a column lacks its dictionary
/// (`decoder.rs`).
fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let panicked = || ParquetError::General("the reader of Parquet panicked: the file is damaged".to_owned());
    panic::catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(panicked()))
}

/// Whether a file has the columns of a catalog, with any sums.
pub(crate) fn is_catalog(path: &Path) -> bool {
    let Ok(bytes) = FileData::map(path) else { return false };
    let is_catalog = guarded(|| {
        let reader = SerializedFileReader::new(Bytes::from(bytes))?;
        let fields = reader.metadata().file_metadata().schema().get_fields();
        let columns = CatalogRow::columns(Sums::default());
        Ok(fields.len() >= columns.len()
            && fields.iter().zip(columns).all(|(field, column)| field.name() == column))
    });
    is_catalog.unwrap_or(false)
}

/// Writes the rows of a catalog by columns as JSON lines.
///
/// # Errors
/// It is no catalog, or `out` returned an error.
pub(crate) fn write_lines(catalog: FileData, sums: Sums, out: &mut dyn Write) -> Result<()> {
    guarded(|| read_rows(catalog, sums, out))
}

fn read_rows(catalog: FileData, sums: Sums, out: &mut dyn Write) -> Result<()> {
    let reader = SerializedFileReader::new(Bytes::from(catalog))?;
    let expected = schema(sums)?;
    if reader.metadata().file_metadata().schema().get_fields() != expected.get_fields() {
        let columns = CatalogRow::columns(sums).join(",");
        return Err(ParquetError::General(format!("expected the columns {columns}")));
    }
    let schema = reader.metadata().file_metadata().schema_descr();
    for number in 0..reader.num_row_groups() {
        let group = reader.get_row_group(number)?;
        let count = usize::try_from(group.metadata().num_rows()).unwrap_or(usize::MAX);
        if count > GROUP / SHORTEST {
            return Err(ParquetError::General(format!("{count} rows are too many for a group")));
        }
        let mut columns = Vec::new();
        for (index, name) in CatalogRow::columns(sums).into_iter().enumerate() {
            let (column, pages) = (schema.column(index), group.get_column_page_reader(index)?);
            columns.push((name, Values::new(column, pages)));
        }
        // a few bytes can claim many long texts
        let (mut left, mut room) = (count, 2 * GROUP);
        while left > 0 {
            let count = left.min(AT_ONCE);
            for (_, values) in &mut columns {
                values.read(count, &mut room)?;
            }
            let mut lines = Rows::new(CatalogFormat::JsonLines);
            let mut values: Vec<_> = columns.iter().map(|(name, values)| (*name, values.values())).collect();
            for _ in 0..count {
                let mut row = CatalogRow::default().with_sums(sums);
                for (name, values) in &mut values {
                    values.next_into(row.cell(name))?;
                }
                lines.push(&row);
            }
            out.write_all(&lines.finish())?;
            left -= count;
        }
    }
    Ok(())
}

/// The rows of a group that are in memory at one time.
const AT_ONCE: usize = 1 << 10;

/// A column that is being read, and its next values.
enum Values {
    Numbers(Box<ColumnReaderImpl<Int64Type>>, Vec<i64>, Vec<i16>),
    Texts(Box<ColumnReaderImpl<ByteArrayType>>, Vec<ByteArray>),
}

impl Values {
    fn new(column: ColumnDescPtr, pages: Box<dyn PageReader>) -> Values {
        if column.physical_type() == Physical::INT64 {
            Values::Numbers(Box::new(ColumnReaderImpl::new(column, pages)), Vec::new(), Vec::new())
        } else {
            Values::Texts(Box::new(ColumnReaderImpl::new(column, pages)), Vec::new())
        }
    }

    /// Reads this many values. Takes the size of texts from `room`.
    fn read(&mut self, count: usize, room: &mut usize) -> Result<()> {
        let mut read = 0;
        match self {
            Values::Numbers(column, numbers, levels) => {
                numbers.clear();
                levels.clear();
                while read < count {
                    read += some(column.read_records(count - read, Some(levels), None, numbers)?.0)?;
                }
            }
            Values::Texts(column, texts) => {
                texts.clear();
                while read < count {
                    read += some(column.read_records(count - read, None, None, texts)?.0)?;
                }
                for text in texts {
                    *room = room.checked_sub(text.len()).ok_or_else(|| {
                        ParquetError::General("the texts of a group are too long".to_owned())
                    })?;
                }
            }
        }
        Ok(())
    }

    fn values(&self) -> NextValues<'_> {
        match self {
            Values::Numbers(_, numbers, levels) => NextValues::Numbers(numbers.iter(), levels.iter()),
            Values::Texts(_, texts) => NextValues::Texts(texts.iter()),
        }
    }
}

enum NextValues<'v> {
    Numbers(std::slice::Iter<'v, i64>, std::slice::Iter<'v, i16>),
    Texts(std::slice::Iter<'v, ByteArray>),
}

impl<'v> NextValues<'v> {
    /// Sets a field to the next value.
    fn next_into(&mut self, cell: Cell<'_, 'v>) -> Result<()> {
        match (self, cell) {
            (NextValues::Numbers(numbers, levels), Cell::Number(number)) => {
                *number = levels.next().filter(|level| **level > 0).and_then(|_| numbers.next().copied());
            }
            (NextValues::Numbers(numbers, _), Cell::Version(version)) => {
                *version = numbers.next().copied().unwrap_or_default();
            }
            (NextValues::Texts(texts), Cell::Text(text)) => {
                *text = Cow::Borrowed(texts.next().map_or(Ok(""), ByteArray::as_utf8)?);
            }
            _ => {}
        }
        Ok(())
    }
}

/// How many values were read, of a column that is not complete.
fn some(read: usize) -> Result<usize> {
    if read == 0 { Err(ParquetError::General("a column is too short".to_owned())) } else { Ok(read) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A catalog with one row many times.
    fn repeated(row: &CatalogRow<'_>, count: usize) -> FileData {
        let mut line = Rows::new(CatalogFormat::JsonLines);
        line.push(row);
        let line = line.finish();
        let mut bytes = Vec::new();
        let mut columns = ColumnWriter::new(&mut bytes, Sums::default()).unwrap();
        for _ in 0..count {
            // as one group, however long the lines are
            columns.lines.extend_from_slice(&line);
        }
        columns.finish().unwrap();
        bytes.into()
    }

    /// Counts lines, and the largest number of bytes that are written at one time.
    #[derive(Default)]
    struct Counted {
        lines: usize,
        largest: usize,
    }

    impl Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.lines += bytes.split(|byte| *byte == b'\n').count() - 1;
            self.largest = self.largest.max(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_large_group_is_read_in_parts() {
        let catalog = repeated(&CatalogRow { schema: 1, size: Some(7), ..CatalogRow::default() }, 20_000);
        assert!(catalog.len() < 20_000);
        let mut out = Counted::default();
        write_lines(catalog, Sums::default(), &mut out).unwrap();
        assert_eq!(out.lines, 20_000);
        assert!(out.largest < 1 << 20, "{}", out.largest);
    }

    #[test]
    fn a_group_that_claims_more_text_than_a_group_has_is_refused() {
        let name = "n".repeat(1 << 16);
        let catalog = repeated(&CatalogRow { name: name.into(), ..CatalogRow::default() }, 1_100);
        assert!(catalog.len() < 1 << 20, "{}", catalog.len());
        let mut out = Counted::default();
        let error = write_lines(catalog, Sums::default(), &mut out).unwrap_err();
        assert!(error.to_string().contains("too long"), "{error}");
        assert!(out.lines < 1_100);
    }

    #[test]
    fn a_damaged_catalog_is_an_error() {
        let row = CatalogRow { schema: 1, size: Some(7), name: "progs.dat".into(), ..CatalogRow::default() };
        let catalog = repeated(&row, 5);
        let mut panics = 0;
        for place in 0..catalog.len() {
            for damage in [0, 1, 0x7f, 0x80, 0xff] {
                let mut damaged = catalog.to_vec();
                damaged[place] = damage;
                let read = write_lines(damaged.into(), Sums::default(), &mut io::sink());
                panics += usize::from(read.is_err_and(|error| error.to_string().contains("panicked")));
            }
        }
        // if none is left, the reader of Parquet was mended: remove `guarded`
        assert!(panics > 0, "{panics}");
    }
}
