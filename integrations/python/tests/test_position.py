"""Archives in file objects, on servers and in filesystems are read by position."""

import gzip
import io
import json
import os
import pathlib
import random
import re
import threading
import zipfile

import pytest

import quakefs

DOWNLOADS = pathlib.Path(__file__).parents[4] / "shared/downloads/downloads.json.gz"


class Counting(io.RawIOBase):
    """A file object that counts reads and bytes, and has only what a reader needs."""

    def __init__(self, content, name=None):
        self.file = io.BytesIO(content)
        self.reads = self.bytes = 0
        if name is not None:
            self.name = name

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=0):
        return self.file.seek(offset, whence)

    def tell(self):
        return self.file.tell()

    def read(self, size=-1):
        found = self.file.read(size)
        self.reads += 1
        self.bytes += len(found)
        return found


def made(kind, files, tmp_path):
    path = tmp_path / f"made.{kind}"
    with quakefs.PakFile(path, "w") as pak:
        for name, content in files.items():
            pak.writestr(name, content)
    return path.read_bytes()


FILES = {f"progs/model{i}.mdl": random.Random(i).randbytes(20_000) for i in range(100)} | {"gfx/palette.lmp": bytes(range(256)) * 3}


@pytest.mark.parametrize("kind", ["pak", "pk3", "wad"])
def test_a_file_object_is_listed_by_three_reads_and_read_by_one(tmp_path, kind):
    files = {name[6:-4] if kind == "wad" else name: content for name, content in FILES.items() if kind != "wad" or name[0] == "p"}
    content = made(kind, files, tmp_path)
    file = Counting(content)
    pak = quakefs.PakFile(file)
    assert pak.namelist() == list(files) and pak.filename is None
    assert file.reads <= 3 and file.bytes < len(content) / 50
    for name in files:
        file.reads = file.bytes = 0
        assert pak.read(name) == files[name]
        # in the header of a ZIP's entry stands where its content begins
        assert file.reads <= (2 if kind == "pk3" else 1)
    file.reads = file.bytes = 0
    one = next(iter(files))
    assert pak.read(one) == files[one] and file.bytes < 30_000


def test_a_small_file_of_a_large_archive_costs_little(tmp_path):
    file = Counting(made("pk3", FILES, tmp_path))
    assert quakefs.PakFile(file).read("gfx/palette.lmp") == FILES["gfx/palette.lmp"]
    assert file.reads <= 4 and file.bytes < 40_000


def test_small_files_in_order_are_read_ahead(tmp_path):
    files = {f"sound/s{i}.wav": b"%d" % i * 300 for i in range(2000)}
    file = Counting(made("pak", files, tmp_path))
    pak = quakefs.PakFile(file)
    assert {name: pak.read(name) for name in pak.namelist()} == files
    assert file.reads < 30 and file.bytes < 2 * 2000 * 1200


def test_archives_made_like_real_downloads_are_listed_by_a_fiftieth_of_their_bytes():
    if DOWNLOADS.exists():
        downloads = json.loads(gzip.decompress(DOWNLOADS.read_bytes()))
        downloads = downloads["downloads"] if isinstance(downloads, dict) else downloads
        listings = [[(entry["n"], entry["s"]) for entry in one["entries"]] for one in downloads]
    else:
        numbers = random.Random(1)
        listings = [[(f"maps/level{i}.bsp", int(numbers.expovariate(1 / 60_000))) for i in range(numbers.randrange(1, 60))] for _ in range(200)]
    reads, listed, size = [], 0, 0
    noise = random.Random(2).randbytes(1 << 20)
    for listing in listings:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as download:
            for name, length in listing:
                # two fifths of the size, as after compression
                length = min(length * 2 // 5, 1 << 23)
                download.writestr(zipfile.ZipInfo(name), (noise * (length // len(noise) + 1))[:length])
        file = Counting(buffer.getvalue())
        assert len(quakefs.PakFile(file).infolist()) == len(listing)
        reads.append(file.reads)
        listed += file.bytes
        size += len(file.file.getvalue())
    assert max(reads) <= 3 and listed <= size / 50, (max(reads), listed, size)


def test_bytes_that_are_no_archive_are_refused_after_few_reads():
    file = Counting(random.Random(3).randbytes(4 << 20), name="noise.bin")
    with pytest.raises(quakefs.BadPakFile) as raised:
        quakefs.PakFile(file)
    assert raised.value.filename == "noise.bin" and file.reads < 20 and file.bytes <= 1 << 21
    assert not quakefs.is_pakfile(file)


def test_an_error_of_the_file_object_is_raised_as_it_is(tmp_path):
    class Broken(Counting):
        def read(self, size=-1):
            if self.reads > 2:
                raise ConnectionResetError("the server has gone")
            return super().read(size)

    pak = quakefs.PakFile(Broken(made("pak", FILES, tmp_path)))
    with pytest.raises(ConnectionResetError, match="the server has gone") as raised:
        [pak.read(name) for name in pak.namelist()]
    assert raised.value.__notes__ == ["archive: read failed: ConnectionResetError: the server has gone"]


def test_a_file_that_was_shortened_is_an_error(tmp_path):
    file = Counting(made("pak", FILES, tmp_path))
    pak = quakefs.PakFile(file)
    file.file.truncate(100_000)
    with pytest.raises(OSError):
        pak.read("progs/model50.mdl")


def test_a_file_of_text_is_a_type_error(tmp_path):
    with pytest.raises(TypeError, match="rb"):
        quakefs.PakFile(io.StringIO("PACK, or so one could think" * 1000))


def test_threads_read_from_one_file_object(tmp_path):
    pak = quakefs.PakFile(Counting(made("pk3", FILES, tmp_path)))
    wrong = []

    def work(seed):
        names = list(FILES)
        random.Random(seed).shuffle(names)
        wrong.extend(name for name in names if pak.read(name) != FILES[name])

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_a_game_in_an_archive_mounts_from_its_file_object(tmp_path):
    pak = made("pak", {"maps/start.bsp": b"a level", "default.cfg": b"x" * 100_000}, tmp_path)
    download = io.BytesIO()
    with zipfile.ZipFile(download, "w") as archive:
        archive.writestr("id1/pak0.pak", pak)
        archive.writestr("id1/maps/loose.bsp", b"loose")
    file = Counting(download.getvalue())
    quake = quakefs.mount(disk=file)
    assert quake.read("maps/start.bsp") == b"a level" and quake.read("maps/loose.bsp") == b"loose"
    assert quake.find("maps/start.bsp").layer == "id1/pak0.pak"


def test_a_game_in_a_filesystem_mounts(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    pak = made("pak", FILES, tmp_path)
    memory.pipe({"/games/quake/id1/pak0.pak": pak, "/games/quake/id1/maps/loose.bsp": b"loose", "/games/quake/quakespasm.exe": b"", "/more.pak": pak})
    try:
        asked = []
        read = memory.cat_file
        memory.cat_file = lambda path, start=None, end=None: asked.append((path, end - start)) or read(path, start, end)
        quake = quakefs.mount("/games/quake", disk=memory, mounts="/more.pak")
        assert quake.engine == "quakespasm" and quake.layers[0].name == "/more.pak"
        assert quake.read("progs/model7.mdl") == FILES["progs/model7.mdl"]
        assert bytes(quake["maps/loose.bsp"]) == b"loose"
        assert sum(size for _, size in asked) < len(pak) / 10, asked
        assert "maps/none.bsp" not in quake and quake.remount().changes(quake) == []
        with pytest.raises(FileNotFoundError):
            quakefs.mount("/games/hexen", disk=memory)
    finally:
        del memory.cat_file
        memory.rm("/games", recursive=True)


@pytest.fixture
def on_disks(tmp_path):
    """A game, the same in a folder, in memory and in a ZIP: pairs of a filesystem and the base directory there."""
    fsspec = pytest.importorskip("fsspec")
    files = {"games/quake/id1/pak0.pak": made("pak", FILES, tmp_path), "games/quake/id1/maps/loose.bsp": b"loose"}
    memory = fsspec.filesystem("memory")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            archive.writestr(name, content)
            memory.pipe(f"/{name}", content)
    packed = fsspec.filesystem("zip", fo=str(tmp_path / "all.zip"))
    yield [(fsspec.filesystem("file"), f"{tmp_path}/games/quake"), (memory, "/games/quake"), (packed, "games/quake")]
    memory.rm("/games", recursive=True)


def read_by_all(disk, base):
    """Reads a file of the game by each way in which a filesystem is read."""
    quake = quakefs.mount(base, disk=disk)
    rows = quakefs.catalog([f"{base}/id1/pak0.pak"], disk=disk, hashes=False)
    pyarrow = pytest.importorskip("pyarrow")
    assert set(FILES) <= set(pyarrow.table(rows)["name"].to_pylist())
    with pytest.importorskip("fsspec").filesystem("pak", fo=disk.open(f"{base}/id1/pak0.pak")).open("progs/model7.mdl") as file:
        assert file.read() == FILES["progs/model7.mdl"]
    return quake.read("progs/model7.mdl")


class WithVersions:
    """A filesystem whose second argument of `cat_file` is a version, as in s3fs."""

    def __init__(self, disk):
        self.disk = disk

    def __getattr__(self, name):
        return getattr(self.disk, name)

    def cat_file(self, path, version_id=None, start=None, end=None):
        assert version_id is None, "a range is not a version"
        return self.disk.cat_file(path, start=start, end=end)


def test_every_filesystem_reads_the_range_that_is_asked(on_disks):
    for disk, base in on_disks:
        for one in (disk, WithVersions(disk)):
            assert read_by_all(one, base) == FILES["progs/model7.mdl"], disk


@pytest.mark.parametrize("wrong", [lambda found: found + b"!", lambda found: found[:-1], lambda found: b""], ids=["more", "fewer", "none"])
def test_a_disk_that_returns_fewer_or_more_bytes_is_named(on_disks, wrong):
    class Wrong(WithVersions):
        def cat_file(self, path, start=None, end=None):
            return wrong(self.disk.cat_file(path, start=start, end=end))

    disk, base = on_disks[1]
    rows = pytest.importorskip("pyarrow").table(quakefs.catalog([f"{base}/id1/pak0.pak"], disk=Wrong(disk)))
    whole = disk.size(f"{base}/id1/pak0.pak")
    assert rows["fault"].to_pylist() == [f"OSError: {base}/id1/pak0.pak: Wrong returned {len(wrong(bytes(whole)))} bytes instead of {whole}, from offset 0"]
    assert any("Wrong returned" in one.reason for one in quakefs.mount(base, disk=Wrong(disk)).findings)


def test_a_bucket_of_s3_is_read_as_the_page_tells(tmp_path, monkeypatch):
    """With the real s3fs, against moto's server."""
    fsspec, _, server = map(pytest.importorskip, ("fsspec", "s3fs", "moto.server"))
    moto = server.ThreadedMotoServer(port=0)
    moto.start()
    for name, value in {"AWS_ENDPOINT_URL": "http://{}:{}".format(*moto.get_host_and_port()), "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}.items():
        monkeypatch.setenv(name, value)
    try:
        disk = fsspec.filesystem("s3", skip_instance_cache=True)
        for bucket in ("games", "mods"):
            disk.mkdir(bucket)
        pak = made("pak", FILES, tmp_path)
        disk.pipe({"games/quake/id1/pak0.pak": pak, "games/quake/ad/progs/ogre.mdl": b"an ogre", "games/quake/ironwail.exe": b""})
        with zipfile.ZipFile(tmp_path / "ad.zip", "w") as archive:
            archive.writestr("maps/start.bsp", "a level")
        disk.pipe("mods/ad_v1_80.zip", (tmp_path / "ad.zip").read_bytes())
        assert read_by_all(disk, "games/quake") == FILES["progs/model7.mdl"]
        scripts = re.findall(r"```python\n(.*?)```", pathlib.Path("docs/python.md").read_text(), re.DOTALL)
        for code in [code for code in scripts if "fsspec" in code]:
            names = {"quakefs": quakefs, "fsspec": fsspec}
            # the lines about buckets; those about a server have their own test
            exec(code[code.index("mod = ") :] if "mod = " in code else code, names)
        assert names["quake"].read("progs/ogre.mdl") == b"an ogre"
    finally:
        moto.stop()


def test_what_is_no_disk_is_a_type_error():
    with pytest.raises(TypeError, match="fsspec"):
        quakefs.mount("/games/quake", disk="s3://games")


def test_a_file_on_disk_that_is_opened_is_read_by_position_too(tmp_path):
    path = tmp_path / "a.pak"
    path.write_bytes(made("pak", FILES, tmp_path))
    with open(path, "rb", buffering=0) as file, quakefs.PakFile(file) as pak:
        assert pak.filename == os.fspath(path)
        assert pak.read("gfx/palette.lmp") == FILES["gfx/palette.lmp"]
