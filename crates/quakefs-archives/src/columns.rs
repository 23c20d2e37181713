//! A catalog by columns, as Parquet. Its rows are those of JSON lines: they arrive and leave as such lines.
//!
//! Columns are written and read by their two types alone. The crate's own loops over columns would link the code of all
//! eight types, which adds 400 kB to the command.

use std::borrow::Cow;
use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReaderImpl;
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{Type, TypePtr};
use quakefs::FileData;

use crate::digest::Sums;
use crate::row::{CatalogFormat, CatalogRow, Cell, Rows};

/// The size of the lines that become a group of rows, which is kept in memory while it is written or read. They are about
/// 100,000 rows: a database reads several groups at the same time, and the columns of large groups are small.
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

/// Writes the rows of a catalog by columns as JSON lines.
///
/// # Errors
/// It is no catalog, or `out` returned an error.
pub(crate) fn write_lines(catalog: FileData, sums: Sums, out: &mut dyn Write) -> Result<()> {
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
        let mut rows = vec![CatalogRow::default().with_sums(sums); count];
        for (index, name) in CatalogRow::columns(sums).into_iter().enumerate() {
            let (column, pages) = (schema.column(index), group.get_column_page_reader(index)?);
            let mut read = 0;
            if column.physical_type() == Physical::INT64 {
                let mut column = ColumnReaderImpl::<Int64Type>::new(column, pages);
                let (mut numbers, mut levels) = (Vec::new(), Vec::new());
                while read < count {
                    read +=
                        some(column.read_records(count - read, Some(&mut levels), None, &mut numbers)?.0)?;
                }
                let (mut numbers, mut levels) = (numbers.into_iter(), levels.into_iter());
                for row in &mut rows {
                    match row.cell(name) {
                        Cell::Number(number) => {
                            *number = levels.next().filter(|level| *level > 0).and_then(|_| numbers.next());
                        }
                        Cell::Version(version) => *version = numbers.next().unwrap_or_default(),
                        Cell::Text(_) => {}
                    }
                }
            } else {
                let mut column = ColumnReaderImpl::<ByteArrayType>::new(column, pages);
                let mut texts = Vec::new();
                while read < count {
                    read += some(column.read_records(count - read, None, None, &mut texts)?.0)?;
                }
                for (row, value) in rows.iter_mut().zip(texts) {
                    if let Cell::Text(text) = row.cell(name) {
                        *text = Cow::Owned(value.as_utf8()?.to_owned());
                    }
                }
            }
        }
        let mut lines = Rows::new(CatalogFormat::JsonLines);
        for row in &rows {
            lines.push(row);
        }
        out.write_all(&lines.finish())?;
    }
    Ok(())
}

/// How many values were read, of a column that is not complete.
fn some(read: usize) -> Result<usize> {
    if read == 0 { Err(ParquetError::General("a column is too short".to_owned())) } else { Ok(read) }
}
