"""A data source for Spark 4: the catalog of many archives.

    quakefs.spark.register(spark)
    spark.read.format("quake").load("s3://mods/*.zip")
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]
from fsspec.core import url_to_fs  # type: ignore[import-untyped,import-not-found,unused-ignore]
from fsspec.implementations.local import LocalFileSystem  # type: ignore[import-untyped,import-not-found,unused-ignore]
from pyspark.sql import SparkSession  # type: ignore[import-untyped,import-not-found,unused-ignore]
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition  # type: ignore[import-untyped,import-not-found,unused-ignore]

from . import _quakefs

#: the extensions of archives, which are found in folders
_ARCHIVES = (".kpf", ".pak", ".pk2", ".pk3", ".pk4", ".pkz", ".sin", ".wad", ".zip")


def register(spark: SparkSession) -> None:
    """Registers the format "quake"."""
    spark.dataSource.register(QuakeDataSource)


class QuakeDataSource(DataSource):  # type: ignore[misc,unused-ignore]
    """The catalog of archives at a path, a URL or a pattern, and a row for every entry.

    Options:
    - hashes: "false" reads only directories, at most three requests for an archive.
    - nested: "true" adds the archives inside the archives.
    - archives: how many archives are a partition, 1000 by default.
    - storage_options: a JSON object, for the filesystem of fsspec.
    """

    @classmethod
    def name(cls) -> str:
        """The name of the format."""
        return "quake"

    def schema(self) -> str:
        """The columns of a catalog, with their types."""
        types = {pyarrow.int64(): "BIGINT", pyarrow.string(): "STRING"}
        schema = pyarrow.RecordBatchReader.from_stream(_quakefs.catalog([])).schema
        return ", ".join(f"{field.name} {types[field.type]}{'' if field.nullable else ' NOT NULL'}" for field in schema)

    def reader(self, schema: Any) -> DataSourceReader:
        """Reads the archives that the options name."""
        return _Reader(dict(self.options))


@dataclass
class _Archives(InputPartition):  # type: ignore[misc,unused-ignore]
    """Some archives of a filesystem, as it tells about them."""

    url: str
    infos: list[dict[str, Any]]


class _Reader(DataSourceReader):  # type: ignore[misc,unused-ignore]
    def __init__(self, options: dict[str, str]) -> None:
        found = {name.lower(): value for name, value in options.items()}
        self.urls: list[str] = json.loads(found["paths"]) if "paths" in found else [found["path"]] if "path" in found else []
        if not self.urls:
            raise ValueError('no path is given: .load("s3://mods/*.zip")')
        self.hashes = _truth(found, "hashes", True)
        self.nested = _truth(found, "nested", False)
        self.archives = int(found.get("archives", "1000"))
        if self.archives < 1:
            raise ValueError(f"archives is {self.archives}: expected 1 or more")
        self.storage: dict[str, Any] = json.loads(found.get("storage_options", "{}"))

    def partitions(self) -> list[InputPartition]:
        """Lists the archives, on the driver."""
        made: list[InputPartition] = []
        for url in self.urls:
            filesystem, path = url_to_fs(url, **self.storage)
            found: dict[str, dict[str, Any]] = filesystem.glob(path, detail=True)
            if filesystem.isdir(path):
                found = {name: info for name, info in filesystem.find(path, detail=True).items() if name.lower().endswith(_ARCHIVES)}
            if not found:
                raise FileNotFoundError(2, "no archive is there", url)
            # what a worker needs
            infos = [
                {key: info.get(key) for key in ("name", "size", "type", "mtime", "LastModified")}
                for info in sorted(found.values(), key=lambda info: str(info["name"]))
                if info["type"] != "directory"
            ]
            made.extend(_Archives(url, infos[start : start + self.archives]) for start in range(0, len(infos), self.archives))
        return made

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        """Reads the archives of a partition, on a worker."""
        assert isinstance(partition, _Archives)
        filesystem, _ = url_to_fs(partition.url, **self.storage)
        names = [info["name"] for info in partition.infos]
        if isinstance(filesystem, LocalFileSystem):
            catalog = _quakefs.catalog(names, hashes=self.hashes, nested=self.nested)
        else:
            prefix = filesystem.unstrip_protocol(names[0]).removesuffix(names[0])
            catalog = _quakefs.catalog(partition.infos, disk=filesystem, hashes=self.hashes, nested=self.nested, prefix=prefix)
        yield from pyarrow.RecordBatchReader.from_stream(catalog)


def _truth(options: dict[str, str], name: str, default: bool) -> bool:
    word = options.get(name, str(default)).lower()
    if word not in ("true", "false"):
        raise ValueError(f'{name} is "{word}": expected true or false')
    return word == "true"
