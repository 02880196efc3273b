#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py - Parquet files with Bloom filters, by the programs that write such files.

    make.py FOLDER ROWS     needs pyarrow and duckdb (`make parquet` sees to that)

Writes FOLDER/pyarrow.parquet, FOLDER/duckdb.parquet and FOLDER/manifest.json, which says
who wrote them and where, by the files' own metadata, the filter of each column is. The
files beside this one were made so, of 300 rows; tests/cli/parquet.py reads them, and
with PARQUET_FILES=FOLDER those of that folder.
"""
import json
import os
import sys

# A column's type and the text of its i-th value; what is no value of it, -1 - i gives.
COLUMNS = {
    "id": ("int32", lambda i: str(i * 7 - 3000)),
    "big": ("int64", lambda i: str(i * 10**12 - 5)),
    "name": ("string", "user {}".format),
    "ratio": ("double", lambda i: repr(i / 7)),
    "share": ("float", lambda i: repr(i / 8)),
}


def table(rows):
    import pyarrow as pa
    make = {"string": pa.string(), "int32": pa.int32(), "int64": pa.int64(),
            "float": pa.float32(), "double": pa.float64()}
    read = {"string": str, "int32": int, "int64": int, "float": float, "double": float}
    return pa.table({name: pa.array([read[t](text(i)) for i in range(rows)], make[t])
                     for name, (t, text) in COLUMNS.items()})


def write_pyarrow(values, path):
    import pyarrow.parquet as pq
    wanted = {"ndv": values.num_rows, "fpp": 0.01}
    pq.write_table(values, path, bloom_filter_options={c: wanted for c in COLUMNS})


def write_duckdb(values, path):
    """DuckDB makes a filter for each column that has a dictionary."""
    import duckdb
    duckdb.sql(f"copy (select * from values) to '{path}' (format parquet, "
               "dictionary_size_limit 10000000, string_dictionary_page_size_limit 100000000, "
               "row_group_size 1000000)")


def places(path):
    import pyarrow.parquet as pq
    group = pq.ParquetFile(path).metadata.row_group(0)
    chunks = [group.column(i) for i in range(group.num_columns)]
    return {c.path_in_schema: [c.bloom_filter_offset, c.bloom_filter_length] for c in chunks}


def main():
    import duckdb
    import pyarrow
    folder, rows = sys.argv[1], int(sys.argv[2])
    values = table(rows)
    os.makedirs(folder, exist_ok=True)
    manifest = {"rows": rows, "made by": "tests/data/parquet/make.py", "files": {}}
    for module, write in ((pyarrow, write_pyarrow), (duckdb, write_duckdb)):
        name = module.__name__ + ".parquet"
        write(values, os.path.join(folder, name))
        manifest["files"][name] = {"writer": f"{module.__name__} {module.__version__}",
                                   "filters": places(os.path.join(folder, name))}
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as f:
        json.dump(manifest, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
