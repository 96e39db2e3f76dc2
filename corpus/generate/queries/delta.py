"""Delta Lake tables."""
from spark_corpus.query import sql

DELTA = ("delta",)

sql("delta_create_table_as", "CREATE TABLE AS SELECT",
    "CREATE TABLE retail.delta_sales USING delta PARTITIONED BY (channel) AS SELECT sale_id, store_id, qty, amount, note, channel FROM retail.sales WHERE qty > 4", kinds=DELTA)
sql("delta_create_small", "CREATE TABLE AS SELECT without partitions", "CREATE TABLE retail.delta_store USING delta AS SELECT * FROM retail.store", kinds=DELTA)
sql("delta_scan", "a scan: PreparedDeltaFileIndex", "SELECT sale_id FROM retail.delta_sales WHERE qty = 9", kinds=DELTA, events=True)
sql("delta_scan_partition", "a partition filter", "SELECT sale_id FROM retail.delta_sales WHERE channel = 'web' AND qty > 5", kinds=DELTA)
sql("delta_scan_partition_or", "a partition filter defeated", "SELECT sale_id FROM retail.delta_sales WHERE channel = 'web' OR qty > 8", kinds=DELTA)
sql("delta_scan_function", "a filter that is not pushed", "SELECT sale_id FROM retail.delta_sales WHERE upper(note) = 'NOTE 7'", kinds=DELTA)
sql("delta_join", "a join and an aggregate", "SELECT t.region, SUM(s.amount) AS a FROM retail.delta_sales s JOIN retail.delta_store t ON s.store_id = t.store_id GROUP BY t.region", kinds=DELTA, events=True)
sql("delta_insert", "INSERT INTO", "INSERT INTO retail.delta_sales SELECT sale_id, store_id, qty, amount, note, channel FROM retail.sales WHERE qty = 1", kinds=DELTA)
sql("delta_insert_overwrite", "INSERT OVERWRITE with an exchange", "INSERT OVERWRITE retail.delta_store SELECT /*+ REPARTITION(2) */ * FROM retail.store", kinds=DELTA)
sql("delta_update", "UPDATE", "UPDATE retail.delta_sales SET qty = qty + 1 WHERE store_id = 7", kinds=DELTA, events=True)
sql("delta_delete", "DELETE", "DELETE FROM retail.delta_sales WHERE store_id = 3 AND qty > 6", kinds=DELTA)
sql("delta_merge", "MERGE",
    "MERGE INTO retail.delta_store t USING (SELECT store_id, MAX(area) AS area FROM retail.store WHERE store_id < 9 GROUP BY store_id) s ON t.store_id = s.store_id "
    "WHEN MATCHED AND s.area > 300 THEN UPDATE SET area = s.area + 1 WHEN MATCHED THEN DELETE "
    "WHEN NOT MATCHED THEN INSERT (store_id, area) VALUES (s.store_id, s.area)", kinds=DELTA, events=True)
sql("delta_history", "DESCRIBE HISTORY", "DESCRIBE HISTORY retail.delta_sales", kinds=DELTA)
sql("delta_detail", "DESCRIBE DETAIL", "DESCRIBE DETAIL retail.delta_sales", kinds=DELTA)
sql("delta_optimize", "OPTIMIZE", "OPTIMIZE retail.delta_sales", kinds=DELTA)
sql("delta_vacuum", "VACUUM", "VACUUM retail.delta_sales RETAIN 400 HOURS", kinds=DELTA,
    conf={"spark.sql.sources.parallelPartitionDiscovery.parallelism": "4"})
sql("delta_properties", "deletion vectors switched on", "ALTER TABLE retail.delta_sales SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')", kinds=DELTA)
sql("delta_properties_delete", "DELETE that writes a deletion vector", "DELETE FROM retail.delta_sales WHERE sale_id % 97 = 5", kinds=DELTA)
sql("delta_properties_scan", "trap: a scan with deletion vectors filters __delta_internal_is_row_deleted", "SELECT sale_id FROM retail.delta_sales WHERE qty > 7", kinds=DELTA)
sql("delta_time_travel", "an old version", "SELECT COUNT(*) AS n FROM retail.delta_sales VERSION AS OF 0", kinds=DELTA)
sql("delta_pruning", "dynamic partition pruning", "SELECT s.sale_id FROM retail.delta_sales s JOIN (SELECT DISTINCT IF(weekday > 3, 'web', 'shop') AS channel FROM retail.calendar WHERE weekday = 5) c ON s.channel = c.channel", kinds=DELTA)
