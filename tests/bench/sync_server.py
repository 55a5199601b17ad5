"""What a PostgreSQL server has to do for a group: `python -m tests.bench.sync_server [PACKS]`.

A hundred devices of one space with PACKS packs of 4 KiB each, on a server of its own.
"""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import perf_counter

import psycopg

from desktop.domain.sync import DeviceId
from desktop.sessions.syncing.postgresql import PostgresqlCarrier, admission
from tests.database_server import OWNER, DatabaseServer, database_server

DEVICES, WRITERS, WRITES, PACK, SNAPSHOT = 100, 20, 50, 4096, 64 << 20


def main() -> None:
    packs = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with database_server() as server:
        members = [f"member{number}" for number in range(WRITERS)]
        PostgresqlCarrier(server.address(more="&space=lab"), lambda: None).devices()
        for member in members:
            server.sql(f"CREATE ROLE {member} LOGIN")
            server.sql(admission("lab", member))
        carriers = [
            PostgresqlCarrier(server.address(member, more="&space=lab"), lambda: None)
            for member in members
        ]
        what = f"{WRITERS} members write {WRITES} packs each, all at once"
        with measured(what), ThreadPoolExecutor(WRITERS) as pool:
            list(pool.map(write, carriers, range(WRITERS)))
        fill(server, packs)
        sizes(server, DEVICES * packs)
        one = carriers[0]
        with measured("the devices of the space, 5 times"):
            for _ in range(5):
                one.devices()
        with measured(f"names of one device ({packs} packs), {DEVICES} times"):
            for number in range(DEVICES):
                one.names(device(number + WRITERS))
        with measured("2,000 packs are read, one by one"):
            for name in one.names(device(WRITERS))[:200] * 10:
                one.read(device(WRITERS), name)
        snapshot = os.urandom(SNAPSHOT)
        with measured("a snapshot of 64 MiB is written"):
            one.write(device(0), "b-1", snapshot)
        with measured("and read"):
            assert one.read(device(0), "b-1") == snapshot
        for carrier in carriers:
            carrier.close()


def write(carrier: PostgresqlCarrier, number: int) -> None:
    for pack in range(WRITES):
        carrier.write(device(number), f"p-{pack:012}", os.urandom(PACK))


def fill(server: DatabaseServer, packs: int) -> None:
    """As the superuser, in a few large transactions, which is not measured."""
    with psycopg.connect(
        host=str(server.folder), hostaddr="", port=server.port, dbname="postgres", user=OWNER
    ) as connection:
        for number in range(WRITERS, WRITERS + DEVICES):
            names = [
                ("lab", device(number), f"p-{pack:012}-{PACK}-{os.urandom(16).hex()}", OWNER)
                for pack in range(packs)
            ]
            with connection.cursor() as cursor:
                key = ("lab", device(number), OWNER)
                cursor.execute("INSERT INTO bellek_sync.devices VALUES (%s,%s,%s)", key)
                cursor.executemany("INSERT INTO bellek_sync.files VALUES (%s,%s,%s,%s)", names)
                cursor.executemany(
                    "INSERT INTO bellek_sync.parts VALUES (%s,%s,%s,0,%s,%s)",
                    [(*name, os.urandom(PACK)) for name in names],
                )
    server.sql("VACUUM ANALYZE bellek_sync.files")


def sizes(server: DatabaseServer, packs: int) -> None:
    for table in ("files", "parts"):
        [(size,)] = server.sql(f"SELECT pg_total_relation_size('bellek_sync.{table}')")
        assert isinstance(size, int)
        print(f"{table}: {size / packs:,.0f} bytes for each pack, {size / 1e6:,.0f} MB")


def device(number: int) -> DeviceId:
    return DeviceId(f"{number * 0x9E3779B97F4A7C15 % (1 << 128):032x}")


@contextmanager
def measured(what: str) -> Iterator[None]:
    start = perf_counter()
    yield
    print(f"{what}: {perf_counter() - start:.3f} s")


if __name__ == "__main__":
    main()
