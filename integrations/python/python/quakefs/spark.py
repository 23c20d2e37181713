"""The catalog of many archives, read by the workers of Spark."""

from collections.abc import Iterator
from typing import Any

import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]
from pyspark.sql import DataFrame  # type: ignore[import-untyped,import-not-found,unused-ignore]

from . import _quakefs


def catalog(archives: DataFrame, **options: Any) -> DataFrame:
    """The rows of `quakefs.catalog` for the archives of a table, with the options of `quakefs.catalog`.

    - archives: a table with the column `name`, the path of each archive. With a `disk`, further columns of its listing, such as
      `type` and `size`, save a request for each archive. One task reads the archives of a partition.
    """

    def rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            paths = batch.to_pylist() if options.get("disk") is not None else batch["name"].to_pylist()
            yield from pyarrow.RecordBatchReader.from_stream(_quakefs.catalog(paths, **options))

    schema = pyarrow.RecordBatchReader.from_stream(_quakefs.catalog([])).schema
    types = {pyarrow.int64(): "BIGINT", pyarrow.string(): "STRING"}
    return archives.mapInArrow(rows, ", ".join(f"{field.name} {types[field.type]}" for field in schema))
