"""Catalogs on a cluster: Spark's local mode over a server, and the same rows in Dask and Ray."""

import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import quakefs
from server import Server

REPOSITORY = pathlib.Path(__file__).parents[3]
QUAKEFS = os.environ.get("QUAKEFS") or shutil.which(REPOSITORY / "target/debug/quakefs")
ARCHIVES = int(os.environ.get("QUAKEFS_ARCHIVES", "2000"))

pyarrow = pytest.importorskip("pyarrow")
fsspec = pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """Archives as on a server, some of them damaged, and some with an archive inside."""
    folder = tmp_path_factory.mktemp("collection")
    numbers = random.Random(1)
    noise = numbers.randbytes(1 << 16)
    (folder / "mods").mkdir()
    for number in range(ARCHIVES):
        path = folder / f"mods/mod{number:05}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as download:
            for entry in range(numbers.randrange(1, 8)):
                size = numbers.randrange(40_000)
                download.writestr(f"maps/level{entry}.bsp", noise[:size])
            if number % 10 == 0:
                inner = io.BytesIO()
                with quakefs.PakFile(inner, "w", kind="pak") as pak:
                    pak.writestr("progs.dat", noise[:1000])
                download.writestr("id1/pak0.pak", inner.getvalue())
        if number % 50 == 7:
            path.write_bytes(path.read_bytes()[:-30])
    return folder


@pytest.fixture(scope="module")
def server(collection):
    server = Server({f"mods/{path.name}": path.read_bytes() for path in (collection / "mods").iterdir()})
    yield server
    server.close()


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    from quakefs.spark import register

    register(session)
    yield session
    session.stop()


def of_command(folder, *words):
    if QUAKEFS is None:
        pytest.skip("the command is not built: cargo build -p quakefs-cli")
    run = subprocess.run([QUAKEFS, "pak", "catalog", *words, "mods"], cwd=folder, capture_output=True)
    assert run.returncode < 2, run.stderr
    return sorted(map(key, map(json.loads, run.stdout.splitlines())))


def key(row):
    """A row without what differs on a server."""
    return json.dumps({name: value for name, value in row.items() if name not in ("type", "archive_modified")}, sort_keys=True)


@pytest.mark.parametrize(("options", "words"), [({}, []), ({"hashes": "false"}, ["--no-hash"]), ({"nested": "true", "archives": "300"}, ["--nested"])])
def test_spark_has_the_rows_of_the_command(spark, collection, server, options, words):
    server.requests.clear()
    table = spark.read.format("quake").options(**options).load(f"{server.url}/mods/*.zip")
    assert table.rdd.getNumPartitions() == -(-ARCHIVES // int(options.get("archives", 1000)))
    rows = [key(row.asDict()) for row in table.collect()]
    assert sorted(rows) == of_command(collection, "--prefix", f"{server.url}/", *words)
    # the list of archives, a size each, and for directories three reads at most
    per_archive = (len(server.requests) - 10) / ARCHIVES
    size = sum(map(len, server.files.values()))
    print(options, len(rows), "rows,", len(server.requests), "requests,", server.bytes(), "of", size, "bytes")
    if options.get("hashes"):
        assert per_archive <= 4
    elif not options:
        assert per_archive <= 2 and server.bytes() < size * 1.1


def test_spark_reads_local_folders_and_several_paths(spark, collection):
    (collection / "few").mkdir(exist_ok=True)
    for number in (0, 7, 10):
        shutil.copy(collection / f"mods/mod{number:05}.zip", collection / "few")
    expected = pyarrow.table(quakefs.catalog(collection / "few")).num_rows
    load = spark.read.format("quake").load
    assert load(str(collection / "few")).count() == load(f"{collection}/few/*.zip").count() == expected
    assert load([f"{collection}/few/mod00000.zip", f"{collection}/few/mod0001*.zip"]).where("fault = ''").count() > 0
    for options, wrong in (({"hashes": "no"}, "hashes"), ({"archives": "0"}, "archives")):
        with pytest.raises(Exception, match=wrong):
            spark.read.format("quake").options(**options).load(str(collection / "few")).count()
    with pytest.raises(Exception, match="none"):
        load(f"{collection}/none/*.zip").count()


def test_a_catalog_over_a_server_has_the_same_rows(collection, server):
    filesystem = fsspec.filesystem("http")
    paths = [f"{server.url}/{name}" for name in sorted(server.files)][:200]
    server.requests.clear()
    rows = pyarrow.table(quakefs.catalog(paths, disk=filesystem, hashes=False)).to_pylist()
    local = pyarrow.table(quakefs.catalog([collection / path.removeprefix(server.url + "/") for path in paths], hashes=False)).to_pylist()
    for row, other in zip(rows, local, strict=True):
        assert row["archive"].removeprefix(server.url) == other["archive"].removeprefix(str(collection))
        assert key(row | {"archive": ""}) == key(other | {"archive": ""})
    assert len(server.requests) <= 4 * len(paths)
    # what a listing tells saves the request for the size
    infos = [{"name": path, "size": len(server.files[path.removeprefix(server.url + "/")]), "type": "file"} for path in paths]
    server.requests.clear()
    assert pyarrow.table(quakefs.catalog(infos, disk=filesystem, hashes=False)).to_pylist() == rows
    assert len(server.requests) <= 3 * len(paths) and all(method == "GET" for method, _, _ in server.requests)


def script(first_line):
    text = (REPOSITORY / "docs/cluster.md").read_text()
    (code,) = [code for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if first_line in code]
    return code


def test_the_script_of_the_page_runs_in_spark(spark, collection, server):
    names = {}
    exec(script("import SparkSession").replace("s3://mods/*.zip", f"{server.url}/mods/mod0000*.zip"), names)
    assert names["catalog"].select("archive").distinct().count() == 10


@pytest.mark.parametrize("library", ["dask", "ray"])
def test_the_scripts_of_the_page_have_the_same_rows(library, collection, server):
    pytest.importorskip(library)
    code = script(f"import {library}")
    assert len(code.splitlines()) <= 12
    few = Server({name: server.files[name] for name in sorted(server.files)[:150]})
    try:
        code = code.replace("s3://mods/*.zip", f"{few.url}/mods/*.zip").replace('"s3"', '"http"')
        names = {}
        exec(code, names)
        expected = pyarrow.table(quakefs.catalog([f"{few.url}/{name}" for name in few.files], disk=fsspec.filesystem("http"))).num_rows
        assert names["count"] == expected
    finally:
        few.close()
