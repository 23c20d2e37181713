"""The catalog of many archives in Spark's local mode."""

import os
import pathlib
import re
import shutil
import sys
import zipfile

import pytest

import quakefs

_, pyarrow, _, sql = map(pytest.importorskip, ("pandas", "pyarrow", "fsspec", "pyspark.sql"))


@pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")
def test_the_script_of_the_page_has_the_rows_of_a_catalog(tmp_path, monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    for number in range(20):
        path = tmp_path / f"mod{number:02}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as download:
            download.writestr("maps/start.bsp", os.urandom(1000 * number))
            download.write("testdata/game/id1/pak0.pak", "id1/pak0.pak")
        if number % 5 == 4:
            path.write_bytes(path.read_bytes()[:-30])
        # a time that fsspec's floats hold exactly
        os.utime(path, (1e9, 1e9))
    (code,) = re.findall(r"```python\n(.*?import SparkSession.*?)```", pathlib.Path("docs/cluster.md").read_text(), re.DOTALL)
    names = {}
    session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        code = code.replace('"s3"', '"file"').replace("LastModified", "mtime").replace("mods/", f"{tmp_path}/")
        exec(code, names)
        paths = sorted(map(str, tmp_path.iterdir()))
        table = pyarrow.table(quakefs.catalog(paths, hashes=False))
        assert any(table["fault"].to_pylist())
        assert sorted(names["catalog"].toArrow().to_pylist(), key=str) == sorted(table.to_pylist(), key=str)
        # archives that every worker has on its disk
        local = quakefs.spark.catalog(names["archives"], nested=True)
        assert local.count() == pyarrow.table(quakefs.catalog(paths, nested=True)).num_rows
    finally:
        session.stop()
