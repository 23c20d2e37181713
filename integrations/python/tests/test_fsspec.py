"""Archives and games as filesystems of fsspec, also on a server."""

import io
import pathlib
import random
import re
import zipfile

import pytest

import quakefs
from server import Server

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

TABLE = "name,size\nogre,3\nshambler,9\n"
FILES = {f"progs/model{i}.mdl": random.Random(i).randbytes(20_000) for i in range(100)} | {
    "gfx/palette.lmp": bytes(range(256)) * 3,
    "data/monsters.csv": TABLE.encode(),
    "readme.txt": b"read me",
}


def archive(kind):
    if kind == "pak":
        file = io.BytesIO()
        with quakefs.PakFile(file, "w", kind="pak") as pak:
            for name, content in FILES.items():
                pak.writestr(name, content)
        return file.getvalue()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as download:
        download.writestr("empty/", b"")
        for name, content in FILES.items():
            download.writestr(name, content)
    return file.getvalue()


@pytest.fixture
def server():
    server = Server({"mods/a.pak": archive("pak"), "mods/a.zip": archive("zip"), "bad.pak": b"PACK"})
    yield server
    server.close()


@pytest.mark.parametrize("kind", ["pak", "zip"])
def test_a_chain_reads_an_entry_on_a_server_by_a_few_requests(server, kind):
    url = f"pak://gfx/palette.lmp::{server.url}/mods/a.{kind}"
    with fsspec.open(url) as file:
        assert file.read() == FILES["gfx/palette.lmp"]
    size = len(server.files[f"mods/a.{kind}"])
    assert len(server.requests) <= 5 and server.bytes() < size / 40, server.requests


@pytest.mark.parametrize("kind", ["pak", "zip"])
def test_an_archive_is_listed_by_three_requests_after_its_size(server, kind):
    filesystem = fsspec.filesystem("pak", fo=f"{server.url}/mods/a.{kind}")
    assert len(filesystem.find("")) == len(FILES)
    got = [size for method, _, size in server.requests if method == "GET"]
    assert len(server.requests) - len(got) <= 1 and len(got) <= 3 and sum(got) < len(server.files[f"mods/a.{kind}"]) / 50


@pytest.mark.parametrize("kind", ["pak", "zip"])
def test_an_archive_answers_as_a_filesystem(tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    path.write_bytes(archive(kind))
    pak = fsspec.filesystem("pak", fo=str(path))
    assert sorted(pak.find("")) == sorted(FILES) and pak.find("gfx") == ["gfx/palette.lmp"]
    assert pak.glob("progs/model?.mdl") == sorted(f"progs/model{i}.mdl" for i in range(10))
    assert pak.glob("**/*.csv") == ["data/monsters.csv"]
    assert sorted(pak.ls("", detail=False)) == sorted({"data", "gfx", "progs", "readme.txt"} | ({"empty"} if kind == "zip" else set()))
    assert pak.info("gfx") == {"name": "gfx", "size": 0, "type": "directory"} and pak.isdir("") and pak.isdir("/gfx/")
    info = pak.info("pak://gfx/palette.lmp")
    assert (info["name"], info["size"], info["type"]) == ("gfx/palette.lmp", 768, "file") and info["file_offset"] > 0
    assert pak.cat("readme.txt") == b"read me" and pak.cat_file("readme.txt", 5, 7) == b"me" and pak.cat_file("readme.txt", -2) == b"me"
    assert pak.cat(["readme.txt", "gfx/palette.lmp"]).keys() == {"readme.txt", "gfx/palette.lmp"}
    with pak.open("readme.txt") as file:
        file.seek(5)
        assert file.read() == b"me"
    with pak.open("data/monsters.csv", "rt") as file:
        assert file.read() == TABLE
    pak.get("data", str(tmp_path / "out"), recursive=True)
    assert (tmp_path / "out/monsters.csv").read_text() == TABLE
    for missing in ("none", "gfx/palette.lmp/none", "progs/none.mdl"):
        assert not pak.exists(missing)
        with pytest.raises(FileNotFoundError):
            pak.cat_file(missing)
    with pytest.raises((ValueError, NotImplementedError)):
        pak.open("new.txt", "wb")


def test_what_is_no_archive_is_an_error_of_its_url(server):
    with pytest.raises(quakefs.BadPakFile) as raised:
        fsspec.filesystem("pak", fo=f"{server.url}/bad.pak")
    assert raised.value.filename == f"{server.url}/bad.pak"
    with pytest.raises(FileNotFoundError):
        fsspec.filesystem("pak", fo=f"{server.url}/none.pak")


def test_a_game_answers_as_a_filesystem(quake):
    game = fsspec.filesystem("quake", fo="testdata/game", engine="quakespasm", games="mymod")
    assert game.find("") == list(quake) and game.glob("maps/m*.bsp") == ["maps/mine.bsp", "maps/mymod1.bsp"]
    assert game.cat("maps/start.bsp") == quake.read("maps/start.bsp")
    info = game.info("maps/start.bsp")
    assert (info["layer"], info["size"], info["type"]) == ("mymod/pak1.pak", 203, "file")
    assert abs(game.modified("maps/start.bsp").timestamp() - quake.find("maps/start.bsp").modified) < 1e-3
    assert game.isdir("maps") and not game.exists("maps/none.bsp")
    with fsspec.open("quake://maps/start.bsp", fo=quake) as file:
        assert file.read() == quake.read("maps/start.bsp")
    with pytest.raises(TypeError):
        fsspec.filesystem("quake", fo="testdata/game", mod="mymod")


def test_a_game_in_a_chain_is_on_another_filesystem(tmp_path):
    memory = fsspec.filesystem("memory")
    memory.pipe({"/quake/id1/pak0.pak": archive("pak"), "/mod.zip": b""})
    with zipfile.ZipFile(tmp_path / "mod.zip", "w") as download:
        download.writestr("id1/maps/start.bsp", "a level")
    memory.pipe("/mod.zip", (tmp_path / "mod.zip").read_bytes())
    try:
        with fsspec.open("quake://gfx/palette.lmp::memory://quake") as file:
            assert file.read() == FILES["gfx/palette.lmp"]
        with fsspec.open("quake://maps/start.bsp::memory://mod.zip") as file:
            assert file.read() == b"a level"
    finally:
        memory.rm("/quake", recursive=True)
        memory.rm("/mod.zip")


def test_pandas_and_pyarrow_read_through_them(server):
    pandas, pyarrow_fs, csv = map(pytest.importorskip, ("pandas", "pyarrow.fs", "pyarrow.csv"))
    url = f"pak://data/monsters.csv::{server.url}/mods/a.zip"
    assert pandas.read_csv(url)["size"].sum() == 12
    handler = pyarrow_fs.FSSpecHandler(fsspec.filesystem("pak", fo=f"{server.url}/mods/a.pak"))
    with pyarrow_fs.PyFileSystem(handler).open_input_file("data/monsters.csv") as file:
        assert csv.read_csv(file).num_rows == 2
    found = pyarrow_fs.PyFileSystem(handler).get_file_info(pyarrow_fs.FileSelector("progs"))
    assert len(found) == 100 and all(info.size == 20_000 for info in found)


def test_the_scripts_of_the_page_run(server):
    page = pathlib.Path("docs/python.md").read_text()
    scripts = [code for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "fsspec" in code]
    assert len(scripts) == 2
    memory = fsspec.filesystem("memory")
    level = io.BytesIO()
    with zipfile.ZipFile(level, "w") as download:
        download.writestr("maps/start.bsp", "a level")
    memory.pipe({"/games/quake/id1/pak0.pak": archive("pak"), "/games/quake/ad/progs/ogre.mdl": b"an ogre", "/mods/ad_v1_80.zip": level.getvalue()})
    names = {"quakefs": quakefs}
    try:
        for code in scripts:
            code = code.replace("https://example.org/mods/pak0.pak", f"{server.url}/mods/a.pak")
            exec(code.replace("s3://", "memory://").replace('"s3"', '"memory"'), names)
        assert names["palette"] == FILES["gfx/palette.lmp"] and names["levels"] == ["maps/start.bsp"]
        assert names["ogre"] == b"an ogre" and names["quake"].read("progs/ogre.mdl") == b"an ogre"
    finally:
        memory.rm("/games", recursive=True)
        memory.rm("/mods", recursive=True)


def test_a_catalog_over_a_server_has_the_same_rows(server, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    paths = [f"{server.url}/{name}" for name in sorted(server.files)]
    for name, content in server.files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    # a server gives no times
    kept = [name for name in pyarrow.table(quakefs.catalog([])).column_names if name not in ("archive", "archive_modified")]

    def table(paths, **options):
        server.requests.clear()
        return pyarrow.table(quakefs.catalog(paths, **options))

    for options, per_archive in (({"hashes": False}, 4), ({}, 2)):
        local = table([tmp_path / name for name in sorted(server.files)], **options)
        remote = table(paths, disk=fsspec.filesystem("http"), **options)
        assert remote.select(kept).equals(local.select(kept)) and len(remote) > 2 * len(FILES)
        assert set(remote["archive"].to_pylist()) == set(paths)
        assert len(server.requests) <= per_archive * len(paths) and server.bytes() <= sum(map(len, server.files.values()))
    # what a listing tells saves the request for the size
    infos = [{"name": path, "size": len(server.files[path.removeprefix(server.url + "/")]), "type": "file"} for path in paths]
    assert table(infos, disk=fsspec.filesystem("http")).equals(remote)
    table(infos, disk=fsspec.filesystem("http"), hashes=False)
    assert len(server.requests) <= 3 * len(paths) and all(method == "GET" for method, _, _ in server.requests)
