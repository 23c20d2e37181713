"""Reads catalogs as one table in a database, with the types that it infers, and prints what a catalog is asked for."""

import sys


def duckdb(files):
    import duckdb

    database = duckdb.connect()
    read = "read_parquet" if files[0].endswith(".parquet") else "read_json"
    database.execute(f"CREATE VIEW mods AS FROM {read}({files})")
    return lambda query: database.sql(query).fetchall()


def polars(files):
    import polars

    scan = polars.scan_parquet if files[0].endswith(".parquet") else polars.scan_ndjson
    table = polars.SQLContext(mods=scan(files))
    return lambda query: table.execute(query).collect().rows()


def datafusion(files):
    import datafusion

    context = datafusion.SessionContext()
    read = context.read_parquet if files[0].endswith(".parquet") else context.read_json
    ending = {} if files[0].endswith(".parquet") else {"file_extension": "." + files[0].rsplit(".")[-1]}
    tables = [read(file, **ending) for file in files]
    table = tables[0]
    for other in tables[1:]:
        table = table.union(other)
    context.register_view("mods", table)
    return lambda query: [tuple(row.values()) for row in context.sql(query).to_pylist()]


def spark(files):
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    read = session.read.parquet if files[0].endswith(".parquet") else session.read.json
    read(*files if files[0].endswith(".parquet") else [files]).createOrReplaceTempView("mods")
    return lambda query: [tuple(row) for row in session.sql(query).collect()]


QUERIES = [
    "SELECT count(*), sum(size), min(schema), max(schema) FROM mods",
    "SELECT fault_kind, count(*), min(fault) FROM mods GROUP BY fault_kind ORDER BY fault_kind",
    "SELECT archive, container, entry, name, hash, size, stored_size FROM mods WHERE fault_kind <> '' ORDER BY archive, entry",
    "SELECT name, hash, content_type, layout, method FROM mods WHERE name LIKE '%xFF%' ORDER BY entry",
    "SELECT archive_entries, archive_size FROM mods WHERE entry IS NULL ORDER BY archive",
]

ask = globals()[sys.argv[1]](sys.argv[2:])
for query in QUERIES:
    for row in ask(query):
        print(*row, sep="|")
