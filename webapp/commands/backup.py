"""`zermelo backup` and `zermelo restore`: database, brains and key in one file."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.errors import ZermeloError

if TYPE_CHECKING:
    from sqlalchemy import URL

SQLITE_PART, POSTGRES_PART = "zermelo.sqlite", "zermelo.dump"
BRAINS, KEY = "brains", "secret.key"


class BackupError(ZermeloError):
    """A backup that cannot be made or restored."""


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Write database, brains and key to FILE, while the server runs.

    SQLite is copied by its own online backup, PostgreSQL by pg_dump, which has to be installed:
    either is one moment of the database, with all that was acknowledged before.
    """
    from agents.compute.paths import data_dir
    from webapp.storage.database import Database

    if file.exists():
        raise BackupError(f"{file} is there already: a backup overwrites nothing")
    url = Database(database_url()).url
    with tempfile.TemporaryDirectory(prefix="zermelo-backup-") as place:
        copy = _copy_sqlite if url.get_backend_name() == "sqlite" else _dump_postgres
        part = copy(url, Path(place))
        draft = file.with_name(f"{file.name}.part")
        with tarfile.open(draft, "w:gz") as archive:
            archive.add(part, part.name)
            for name in (BRAINS, KEY):
                if (data_dir() / name).exists():
                    archive.add(data_dir() / name, name)
        draft.chmod(0o600)  # the key is in it
        draft.rename(file)
    click.echo(f"{file}: {file.stat().st_size:,} bytes")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(file: Path) -> None:
    """Restore a backup into an empty data directory, or an empty PostgreSQL database.

    What is there is never overwritten. The next start upgrades the database, if it is older.
    """
    from agents.compute.paths import data_dir
    from webapp.storage.database import Database

    url = Database(database_url()).url
    is_sqlite = url.get_backend_name() == "sqlite"
    with tempfile.TemporaryDirectory(prefix="zermelo-restore-") as place:
        try:
            with tarfile.open(file) as archive:
                archive.extractall(place, filter="data")
        except (tarfile.TarError, OSError, EOFError) as error:
            raise BackupError(f"{file} is no backup: {error}") from error
        part = Path(place) / (SQLITE_PART if is_sqlite else POSTGRES_PART)
        if not part.exists():
            raise BackupError(f"{file} has no {part.name}: it is of another kind of database")
        _check_absent(data_dir() / BRAINS)
        if is_sqlite:
            target = Path(url.database or "")
            _check_absent(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(part, target)
            target.chmod(0o600)
        else:
            _run("pg_restore", "--exit-on-error", "--no-owner", "-d", _plain(url), str(part))
        if (Path(place) / BRAINS).exists():
            shutil.copytree(Path(place) / BRAINS, data_dir() / BRAINS)
        if (Path(place) / KEY).exists() and not (data_dir() / KEY).exists():
            shutil.copy2(Path(place) / KEY, data_dir() / KEY)
    click.echo(f"restored from {file}")


def database_url() -> str:
    """Of the environment; no key is made."""
    import os

    from agents.compute.paths import data_dir
    from webapp import config

    return config.database_url(os.environ.get("ZERMELO_DATABASE_URL"), data_dir())


def _check_absent(path: Path) -> None:
    if path.exists() and (path.is_file() or any(path.iterdir())):
        raise BackupError(f"{path} is there already: restore into an empty data directory")
    if path.is_dir():
        path.rmdir()


def _copy_sqlite(url: URL, place: Path) -> Path:
    """By SQLite's online backup: one moment of the database, while others write."""
    if not url.database or not Path(url.database).is_file():
        raise BackupError(f"there is no database at {url.database}")
    target = place / SQLITE_PART
    with (
        closing(sqlite3.connect(f"file:{url.database}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)
    return target


def _dump_postgres(url: URL, place: Path) -> Path:
    target = place / POSTGRES_PART
    _run("pg_dump", "--format=custom", "--no-owner", "-f", str(target), "-d", _plain(url))
    return target


def _plain(url: URL) -> str:
    """As PostgreSQL's own tools take it."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _run(program: str, *arguments: str) -> None:
    if (found := shutil.which(program)) is None:
        raise BackupError(f"{program} is not installed: it comes with PostgreSQL")
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL, no shell
        [found, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise BackupError(f"{program}: {last[0]}")
