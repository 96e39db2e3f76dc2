"""Scans by what they read. planvet.toml lowers the thresholds: 4 MiB is much here."""
from measured_cases.labelled import case

SCAN, FILTER = "FileSourceScan", "Filter"

# ---- unpushed-filter: how much was read, and how little was kept.
case("unpushed-filter", "positive", "drops_most", "SELECT * FROM sales WHERE year(day) = 2024",
     ("info", FILTER, "function-on-column"), why="339 of 1,800 days are kept: less than nine tenths are dropped")
case("unpushed-filter", "positive", "half", "SELECT * FROM sales WHERE year(day) < 2023", ("info", FILTER, "function-on-column"),
     why="three of five years are kept: pushing helps, and not much")
case("unpushed-filter", "positive", "other_pushed", "SELECT * FROM sales WHERE year(day) = 2020 AND qty >= 0 AND code % 7 = 1 AND month(day) = 2",
     ("warning", FILTER, "function-on-column"), why="one predicate was pushed and helped nothing")
case("unpushed-filter", "negative", "keeps_all", "SELECT * FROM sales WHERE year(day) >= 2020", why="every row is kept: nothing to save")
case("unpushed-filter", "negative", "pushed", "SELECT * FROM sales WHERE sale_id < 500", why="pushed")
case("unpushed-filter", "tiny", "small_table", "SELECT * FROM tiny_sales WHERE year(day) = 2024", why="2,000 rows")

# ---- full-partition-scan
case("full-partition-scan", "positive", "no_predicate", "SELECT code FROM daily WHERE code > 5", ("warning", SCAN, ""), why="all 40 partitions")
case("full-partition-scan", "negative", "pruned", "SELECT code FROM daily WHERE dt = 7", why="one partition")
case("full-partition-scan", "tiny", "small_table", "SELECT code FROM tiny_daily WHERE code > 5", why="40 files of a few hundred rows")

# ---- partition-filter-defeated
case("partition-filter-defeated", "positive", "or", "SELECT code FROM daily WHERE dt = 7 OR code = 5", ("warning", FILTER, "or-with-data-column"))
case("partition-filter-defeated", "negative", "both", "SELECT code FROM daily WHERE dt = 7 AND code > 5", why="pruned")
case("partition-filter-defeated", "tiny", "or", "SELECT code FROM tiny_daily WHERE dt = 7 OR code = 5", why="a small table")

# ---- repeated-scan
TWICE = "SELECT a.store_id, a.n, b.q FROM (SELECT store_id, count(code) AS n FROM {t} GROUP BY store_id) a " \
        "JOIN (SELECT qty, max(sale_id) AS q FROM {t} GROUP BY qty) b ON a.store_id = b.qty"
case("repeated-scan", "positive", "twice", TWICE.format(t="sales"), ("warning", SCAN, ""))
case("repeated-scan", "negative", "other_filters", "SELECT a.n, b.q FROM (SELECT store_id, count(code) AS n FROM sales WHERE qty < 5 GROUP BY store_id) a "
     "JOIN (SELECT qty, max(sale_id) AS q FROM sales WHERE qty > 900 GROUP BY qty) b ON a.store_id = b.qty", why="different rows")
case("repeated-scan", "tiny", "twice", TWICE.format(t="tiny_sales"), why="2,000 rows, twice")

# ---- text-format-scan
case("text-format-scan", "positive", "csv", "SELECT store_id, sum(qty) FROM text_sales GROUP BY store_id", ("warning", SCAN, ""))
case("text-format-scan", "negative", "parquet", "SELECT store_id, sum(qty) FROM sales GROUP BY store_id", why="no text")
case("text-format-scan", "tiny", "csv", "SELECT store_id, count(*) FROM tiny_text GROUP BY store_id", why="2,000 lines")

# ---- small-files
case("small-files", "positive", "read", "SELECT sum(code) FROM many", ("warning", SCAN, ""), why="130 files of a few KiB")
case("small-files", "negative", "few_files", "SELECT sum(code) FROM sales", why="8 files")
case("small-files", "negative", "limited", lambda spark, place: spark.table("many").limit(5).collect(), why="stops after the first file")
case("small-files", "positive", "written", lambda spark, place: spark.table("daily").repartition(8).write.partitionBy("dt").parquet(
    f"{place.output}/scattered"), ("warning", "DataWritingCommand", "written"), why="8 tasks write 40 partitions each")
case("small-files", "negative", "written_together", lambda spark, place: spark.table("daily").repartition(4, "dt").write.partitionBy("dt").parquet(
    f"{place.output}/together"), why="one file a partition: 40 files")
