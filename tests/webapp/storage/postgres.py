"""A PostgreSQL server of the tests' own: on loopback, in a directory that goes when they end."""

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from tests.webapp.serving.process import free_port

MISSING = "no PostgreSQL server is installed here (Debian: apt-get install postgresql)"
USER = "postgres"


def binaries():
    """Where Debian, or the path, keeps initdb and postgres; None where there are none."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = str(debian[-1]) if debian else shutil.which("initdb")
    return Path(found).parent if found else None


def as_server_user(command):
    """PostgreSQL refuses to run as root, so root lends it another user."""
    return ["runuser", "-u", USER, "--", *command] if os.geteuid() == 0 else command


@contextmanager
def running_postgres():
    """The URL of a server that runs as long as the block does."""
    where, password = binaries(), secrets.token_hex(16)
    place = Path(tempfile.mkdtemp(prefix="zermelo-postgres-"))
    (place / "password").write_text(password)
    if os.geteuid() == 0:
        owner = pwd.getpwnam(USER)
        for path in (place, place / "password"):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    port = free_port()
    try:
        initdb = [where / "initdb", "-D", place / "data", "-U", "zermelo", "-A", "scram-sha-256"]
        initdb += [f"--pwfile={place / 'password'}", "-E", "UTF8", "--no-sync", "--locale=C"]
        run(initdb, place)
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={place}"
        options += " -c fsync=off -c synchronous_commit=off -c shared_buffers=16MB"
        control = [where / "pg_ctl", "-D", place / "data", "-l", place / "log", "-w"]
        run([*control, "-o", options, "start"], place)
        try:
            yield f"postgresql://zermelo:{password}@127.0.0.1:{port}/postgres"
        finally:
            run([*control, "-m", "immediate", "stop"], place)
    finally:
        shutil.rmtree(place)


def run(command, place):
    done = subprocess.run(
        as_server_user([str(part) for part in command]),
        cwd=place,
        stdout=subprocess.PIPE if "start" not in command else subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
