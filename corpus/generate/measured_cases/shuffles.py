"""Shuffles and their partitions as they were read."""
from measured_cases.labelled import case

NEVER = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
EXCHANGE, MERGE, HASH, COALESCE = "ShuffleExchange", "SortMergeJoin", "BroadcastHashJoin", "Coalesce"
NOTE = "concat('a note of some length about ', sale_id, ' and what was sold') AS note"

# ---- shuffle-amplification: planvet.toml has 64 MiB.
case("shuffle-amplification", "positive", "five_a_row", f"SELECT /*+ REPARTITION(8) */ s.note, r.k FROM (SELECT store_id, {NOTE} FROM sales WHERE sale_id < 200000) s "
     "JOIN (SELECT id % 500 AS k FROM range(0, 2500, 1, 2)) r ON s.store_id = r.k", ("warning", EXCHANGE, ""), why="200,000 rows became a million")
case("shuffle-amplification", "positive", "exploded", f"SELECT tag, max(note), collect_set(day) FROM (SELECT explode(tags) AS tag, {NOTE}, day FROM sales WHERE sale_id < 200000) GROUP BY tag",
     ("warning", EXCHANGE, ""), why="six tags a row, and no two alike")
case("shuffle-amplification", "negative", "double", f"SELECT /*+ REPARTITION(8) */ s.note, r.k FROM (SELECT store_id, {NOTE} FROM sales WHERE sale_id < 500000) s "
     "JOIN (SELECT id % 500 AS k FROM range(0, 1000, 1, 2)) r ON s.store_id = r.k", why="twice the rows: an ordinary join")
case("shuffle-amplification", "negative", "wide_rows", f"SELECT /*+ REPARTITION(8) */ *, {NOTE} FROM sales", why="more bytes than the files, as many rows")
case("shuffle-amplification", "negative", "aggregated", "SELECT tag % 100, count(*) FROM (SELECT explode(tags) AS tag FROM sales) GROUP BY tag % 100",
     why="the partial aggregate leaves a few hundred of the 12 million rows")
case("shuffle-amplification", "tiny", "exploded", "SELECT tag, max(day), collect_set(day) FROM (SELECT explode(tags) AS tag, day FROM tiny_sales) GROUP BY tag", why="12,000 rows")

# ---- over-partitioned
MANY = {"spark.sql.shuffle.partitions": "2000"}
case("over-partitioned", "positive", "grouped", "SELECT store_id, count(*) FROM sales GROUP BY store_id", ("info", EXCHANGE, ""), conf=MANY)
case("over-partitioned", "positive", "joined", "SELECT s.qty, t.name FROM tiny_sales s JOIN store t ON s.store_id = t.store_id", ("info", EXCHANGE, ""),
     conf={**MANY, **NEVER}, why="two shuffles, one finding")
case("over-partitioned", "negative", "default", "SELECT store_id, count(*) FROM sales GROUP BY store_id", conf={"spark.sql.shuffle.partitions": "200"}, why="200 are the default")
case("over-partitioned", "negative", "few_merged", "SELECT sale_id, count(*) FROM sales GROUP BY sale_id",
     conf={"spark.sql.shuffle.partitions": "1000", "spark.sql.adaptive.advisoryPartitionSizeInBytes": "128KB",
           "spark.sql.adaptive.coalescePartitions.minPartitionSize": "64KB", "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false"},
     why="a hundred and more partitions are left")

# ---- partition-size
case("partition-size", "positive", "too_small", "SELECT store_id, count(*) FROM tiny_sales GROUP BY store_id", ("warning", EXCHANGE, "too-small"),
     conf={"spark.sql.shuffle.partitions": "1000", "spark.sql.adaptive.coalescePartitions.enabled": "false"}, why="a thousand tasks for 500 rows")
case("partition-size", "negative", "merged", "SELECT store_id, count(*) FROM tiny_sales GROUP BY store_id", conf={"spark.sql.shuffle.partitions": "1000"},
     why="AQE merged them")

# ---- unpartitioned-window, single-partition, one-task-output: by the rows that came.
case("unpartitioned-window", "positive", "all_rows", "SELECT sale_id, row_number() OVER (ORDER BY code) AS r FROM sales", ("warning", "Window", ""), why="2 million rows")
case("unpartitioned-window", "negative", "filtered", "SELECT sale_id, row_number() OVER (ORDER BY code) AS r FROM sales WHERE sale_id % 100 = 7",
     why="20,000 rows are left: the plan alone could not know")
case("unpartitioned-window", "tiny", "small_table", "SELECT sale_id, row_number() OVER (ORDER BY code) AS r FROM tiny_sales", why="2,000 rows")
case("one-task-output", "positive", "repartition", f"SELECT /*+ REPARTITION(1) */ sale_id, {NOTE} FROM sales", ("warning", EXCHANGE, "repartition"), why="200 MB")
case("one-task-output", "tiny", "repartition", "SELECT /*+ REPARTITION(1) */ * FROM tiny_sales", why="2,000 rows")
case("one-task-output", "negative", "after_filter", "SELECT /*+ REPARTITION(1) */ sale_id, code FROM sales WHERE sale_id % 100 = 7", why="20,000 rows")

# ---- lost-sort, fixed-partitioning: a handful of rows is no problem.
case("lost-sort", "positive", "repartitioned", lambda spark, place: spark.table("sales").orderBy("code").repartition(8).write.format("noop").mode("overwrite").save(),
     ("warning", "Sort", ""))
case("lost-sort", "tiny", "few_rows", lambda spark, place: spark.table("tiny_sales").where("sale_id < 500 AND code % 2 = 0").orderBy("code").repartition(8)
     .write.format("noop").mode("overwrite").save(), why="250 rows")
case("fixed-partitioning", "positive", "by_number", "SELECT /*+ REPARTITION(6, store_id) */ * FROM sales", ("info", EXCHANGE, ""))
case("fixed-partitioning", "tiny", "few_rows", "SELECT /*+ REPARTITION(6, store_id) */ * FROM tiny_sales WHERE sale_id < 500", why="500 rows")

# ---- adaptive-off: a warning from 64 MiB shuffled.
OFF = {"spark.sql.adaptive.enabled": "false"}
case("adaptive-off", "positive", "large", "SELECT /*+ REPARTITION(8, code) */ sale_id, code, xxhash64(sale_id, 1) AS a, xxhash64(sale_id, 2) AS b, xxhash64(sale_id, 3) AS c FROM sales",
     ("warning", EXCHANGE, ""), conf=OFF, why="2 million rows of random numbers")
case("adaptive-off", "positive", "small", "SELECT store_id, count(*) FROM sales GROUP BY store_id", ("info", EXCHANGE, ""), conf=OFF)
case("adaptive-off", "negative", "no_shuffle", "SELECT code FROM sales WHERE code = 5", conf=OFF, why="nothing to adapt")
case("adaptive-off", "negative", "on", "SELECT store_id, count(*) FROM sales GROUP BY store_id", why="on")
