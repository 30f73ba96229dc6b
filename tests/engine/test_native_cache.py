"""The object cache: code is trusted only when it is certainly ours."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import sys
from pathlib import Path

import pytest

from upcard.engine.native import cache

KEY = cache.key_of("ir", "version", "cpu")
posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are POSIX")


class Compiler:
    def __init__(self, made: bytes = b"object code") -> None:
        self.made = made
        self.runs = 0

    def __call__(self) -> bytes:
        self.runs += 1
        return self.made


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv("UPCARD_CACHE", str(place))
    return place


def file_in(folder: Path) -> Path:
    return folder / f"{KEY}.o"


def test_the_second_start_compiles_nothing(folder: Path) -> None:
    compiler = Compiler()
    assert cache.get_or_compile(KEY, compiler) == cache.get_or_compile(KEY, compiler) == b"object code"
    assert compiler.runs == 1
    assert [path.name for path in folder.iterdir()] == [f"{KEY}.o"]


def test_kernels_are_not_read_where_their_object_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from upcard.engine.native.backends.select import NoMachineCode
    from upcard.engine.native.kernels import compiler, random_numbers
    from upcard.engine.native.kernels.loaded_kernels import load_kernels

    def mixed() -> int:
        loaded = load_kernels("mixing", [random_numbers.mix])
        return int(loaded.function("mix", ctypes.c_int64, ctypes.c_int64)(7))

    try:
        first = mixed()
    except NoMachineCode as error:
        pytest.skip(f"there is no machine code here: {error}")
    monkeypatch.setattr(compiler, "compile_kernels", None)
    assert mixed() == first == random_numbers.mix(7)
    monkeypatch.setattr(cache, "code_digest", lambda *_: "other sources")
    with pytest.raises(TypeError):
        mixed()


def filled(folder: Path, count: int, megabytes: int = 1) -> list[str]:
    """Objects under keys of their own, the first used longest ago."""
    keys = [cache.key_of("filled", str(number)) for number in range(count)]
    for number, key in enumerate(keys):
        cache.put(key, bytes([number]) * (megabytes << 20))
        os.utime(folder / f"{key}.o", (10_000 + number, 10_000 + number))
    return keys


def kept(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.o")}


def test_the_least_recently_used_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_CACHE_SIZE", "11")
    keys = filled(folder, 10)
    assert kept(folder) == set(keys)
    assert cache.get(keys[0]) is not None  # used again: it is no longer the oldest
    cache.put(KEY, bytes(1 << 20))
    assert kept(folder) == {KEY, keys[0], *keys[3:]}
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 0.9 * (11 << 20)


def test_the_cache_has_a_size_without_being_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UPCARD_CACHE_SIZE", raising=False)
    monkeypatch.setattr(cache, "USUAL_SIZE", 3)
    keys = filled(folder, 3)
    assert kept(folder) == set(keys[1:])


def test_what_is_larger_than_the_cache_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_CACHE_SIZE", "2")
    keys = filled(folder, 1)
    assert cache.get_or_compile(KEY, Compiler(bytes(3 << 20))) == bytes(3 << 20)
    assert kept(folder) == set(keys)
    monkeypatch.setenv("UPCARD_CACHE_SIZE", "0")
    assert cache.get_or_compile(KEY, Compiler()) == b"object code"
    assert kept(folder) == set(keys)


def test_a_size_that_is_no_number_is_a_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_CACHE_SIZE", "many")
    with pytest.raises(cache.BadCacheSize, match="UPCARD_CACHE_SIZE must be a number of megabytes, not many"):
        cache.get_or_compile(KEY, Compiler())


def fill_and_read(first: int) -> bool:
    """What a process does with a cache that is too small for all of them."""
    for number in range(first, first + 40):
        key, data = cache.key_of("shared", str(number % 30)), bytes([number % 30]) * (200 << 10)
        if cache.get_or_compile(key, lambda data=data: data) != data:  # type: ignore[misc]
            return False
    return True


def test_processes_remove_beside_each_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_CACHE_SIZE", "2")
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert pool.map_async(fill_and_read, [0, 7, 19]).get(120) == [True] * 3
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 2 << 20


def test_keys_tell_parts_apart() -> None:
    assert cache.key_of("ab", "c") != cache.key_of("a", "bc")


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "longer", "foreign"])
def test_a_damaged_file_is_replaced(folder: Path, damage: str) -> None:
    compiler = Compiler()
    cache.get_or_compile(KEY, compiler)
    path = file_in(folder)
    data = path.read_bytes()
    changed = {
        "cut": data[:-3],
        "flip": data[:-1] + bytes([data[-1] ^ 1]),
        "empty": b"",
        "longer": data + b"x",
        "foreign": b"\x7fELF" + data,
    }[damage]
    path.write_bytes(changed)
    assert cache.get_or_compile(KEY, compiler) == b"object code"
    assert compiler.runs == 2
    assert path.read_bytes() == data


def test_a_file_under_another_name_is_not_taken(folder: Path) -> None:
    other = cache.key_of("another")
    cache.get_or_compile(other, Compiler(b"other code"))
    (folder / f"{other}.o").rename(file_in(folder))
    assert cache.get_or_compile(KEY, Compiler()) == b"object code"


@posix
def test_a_file_that_others_could_write_is_not_taken(folder: Path) -> None:
    compiler = Compiler()
    cache.get_or_compile(KEY, compiler)
    file_in(folder).chmod(0o666)
    cache.get_or_compile(KEY, compiler)
    assert compiler.runs == 2


@posix
def test_a_folder_that_others_could_write_is_not_used(folder: Path) -> None:
    compiler = Compiler()
    folder.mkdir()
    folder.chmod(0o777)
    cache.get_or_compile(KEY, compiler)
    cache.get_or_compile(KEY, compiler)
    assert compiler.runs == 2
    assert not list(folder.iterdir())


@posix
def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    compiler = Compiler()
    cache.get_or_compile(KEY, compiler)
    target = tmp_path / "elsewhere.o"
    file_in(folder).rename(target)
    file_in(folder).symlink_to(target)
    cache.get_or_compile(KEY, compiler)
    assert compiler.runs == 2
    assert not file_in(folder).is_symlink()


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_CACHE", "off")
    compiler = Compiler()
    cache.get_or_compile(KEY, compiler)
    cache.get_or_compile(KEY, compiler)
    assert compiler.runs == 2


@posix
def test_a_folder_that_cannot_be_made_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path / "file" / "cache"))
    assert cache.get_or_compile(KEY, Compiler()) == b"object code"
    assert os.listdir(tmp_path) == ["file"]


def test_a_change_to_our_own_files_changes_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts and objects are kept under the files that made them, so that none outlives a change."""
    package = tmp_path / "upcard"
    for name in ("engine/native/cache.py", "engine/a.py", "recycle/checker/b.py", "cli/c.py"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(name, encoding="utf-8")
    monkeypatch.setattr(cache, "__file__", str(package / "engine" / "native" / "cache.py"))

    def digest() -> str:
        cache.code_digest.cache_clear()
        return cache.code_digest("recycle", "engine")

    try:
        seen = [digest()]
        (package / "cli" / "c.py").write_text("changed", encoding="utf-8")
        assert digest() == seen[0]
        (package / "recycle" / "checker" / "b.py").write_text("changed", encoding="utf-8")
        seen.append(digest())
        (package / "engine" / "a.py").rename(package / "engine" / "z.py")
        seen.append(digest())
        assert len(set(seen)) == 3
    finally:
        cache.code_digest.cache_clear()
