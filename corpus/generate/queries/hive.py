"""Hive tables: a session with a Hive metastore (embedded Derby)."""
from spark_corpus.query import sql

HIVE = ("hive",)

sql("hive_create_table_as", "CREATE TABLE AS SELECT of a Hive table",
    "CREATE TABLE retail.hive_sales STORED AS TEXTFILE AS SELECT sale_id, qty, channel FROM retail.sales WHERE qty > 8", kinds=HIVE)
sql("hive_create_table_as_parquet", "CREATE TABLE AS SELECT, converted to a data source table",
    "CREATE TABLE retail.hive_parquet STORED AS PARQUET AS SELECT sale_id, qty, channel FROM retail.sales WHERE qty > 8", kinds=HIVE)
sql("hive_create_table", "CREATE TABLE of Hive", "CREATE TABLE retail.hive_by_day (sale_id BIGINT, qty INT) PARTITIONED BY (day STRING) STORED AS TEXTFILE", kinds=HIVE)
sql("hive_insert_partition", "INSERT INTO a Hive partition", "INSERT OVERWRITE TABLE retail.hive_by_day PARTITION (day = '2024-01-08') SELECT sale_id, qty FROM retail.sales WHERE qty = 9", kinds=HIVE)
sql("hive_insert_dynamic", "INSERT with dynamic Hive partitions",
    "INSERT INTO TABLE retail.hive_by_day SELECT sale_id, qty, CAST(sale_date AS STRING) FROM retail.sales WHERE qty = 8 AND sale_date < DATE'2024-01-11'", kinds=HIVE,
    conf={"hive.exec.dynamic.partition.mode": "nonstrict"}, events=True)
sql("hive_scan", "Scan hive", "SELECT sale_id FROM retail.hive_sales WHERE qty > 8 AND channel = 'web'", kinds=HIVE)
sql("hive_scan_partitions", "Scan hive with a partition predicate", "SELECT sale_id, qty FROM retail.hive_by_day WHERE day = '2024-01-08' AND qty > 3", kinds=HIVE, events=True)
sql("hive_scan_partitions_none", "Scan hive of every partition", "SELECT COUNT(*) AS n FROM retail.hive_by_day WHERE qty > 3", kinds=HIVE)
sql("hive_scan_converted", "a Hive parquet table read by the data source", "SELECT sale_id FROM retail.hive_parquet WHERE qty = 9", kinds=HIVE)
sql("hive_join", "a Hive table joined with a data source table",
    "SELECT h.day, t.region, COUNT(*) AS n FROM retail.hive_by_day h JOIN retail.sales s ON h.sale_id = s.sale_id JOIN retail.store t ON s.store_id = t.store_id "
    "WHERE h.day IN ('2024-01-08', '2024-01-09') GROUP BY h.day, t.region", kinds=HIVE)
sql("hive_transform", "ScriptTransformation", "SELECT TRANSFORM (sale_id, qty) USING 'cat' AS (a STRING, b STRING) FROM retail.hive_sales", kinds=HIVE)
sql("hive_directory", "INSERT OVERWRITE LOCAL DIRECTORY of Hive",
    "INSERT OVERWRITE LOCAL DIRECTORY '/data/lake/out/hive' ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' SELECT sale_id FROM retail.hive_sales", kinds=HIVE)
sql("hive_view", "a view in the metastore", "CREATE VIEW retail.hive_view AS SELECT day, COUNT(*) AS n FROM retail.hive_by_day GROUP BY day", kinds=HIVE)
sql("hive_scan_view", "a query of the view", "SELECT * FROM retail.hive_view WHERE day = '2024-01-08'", kinds=HIVE)
