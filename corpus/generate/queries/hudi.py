"""Hudi tables: copy on write, and merge on read."""
from spark_corpus.query import sql

HUDI = ("hudi",)

sql("hudi_create_table_as", "CREATE TABLE AS SELECT",
    "CREATE TABLE retail.hudi_sales USING hudi TBLPROPERTIES (primaryKey = 'sale_id', type = 'cow') PARTITIONED BY (channel) AS SELECT sale_id, store_id, qty, amount, note, channel FROM retail.sales WHERE qty > 4", kinds=HUDI)
sql("hudi_create_small", "CREATE TABLE AS SELECT without partitions",
    "CREATE TABLE retail.hudi_store USING hudi TBLPROPERTIES (primaryKey = 'store_id', type = 'cow') AS SELECT * FROM retail.store", kinds=HUDI)
sql("hudi_create_merge_on_read", "a merge-on-read table",
    "CREATE TABLE retail.hudi_calendar USING hudi TBLPROPERTIES (primaryKey = 'day_id', type = 'mor') AS SELECT monotonically_increasing_id() AS day_id, weekday FROM retail.calendar", kinds=HUDI)
sql("hudi_scan", "a scan: HoodieFileIndex", "SELECT sale_id FROM retail.hudi_sales WHERE qty = 9", kinds=HUDI, events=True)
sql("hudi_scan_partition", "a partition filter", "SELECT sale_id FROM retail.hudi_sales WHERE channel = 'web' AND qty > 5", kinds=HUDI)
sql("hudi_scan_partition_or", "a partition filter defeated", "SELECT sale_id FROM retail.hudi_sales WHERE channel = 'web' OR qty > 8", kinds=HUDI)
sql("hudi_scan_function", "a filter that is not pushed", "SELECT sale_id FROM retail.hudi_sales WHERE upper(note) = 'NOTE 7'", kinds=HUDI)
sql("hudi_scan_meta", "Hudi's own columns", "SELECT _hoodie_record_key, _hoodie_partition_path FROM retail.hudi_sales WHERE qty > 8", kinds=HUDI)
sql("hudi_scan_merge_on_read", "a merge-on-read scan", "SELECT COUNT(*) AS n FROM retail.hudi_calendar WHERE weekday > 2", kinds=HUDI)
sql("hudi_join", "a join and an aggregate", "SELECT t.region, SUM(s.amount) AS a FROM retail.hudi_sales s JOIN retail.hudi_store t ON s.store_id = t.store_id GROUP BY t.region", kinds=HUDI, events=True)
sql("hudi_insert", "INSERT INTO", "INSERT INTO retail.hudi_sales SELECT sale_id + 1000000, store_id, qty, amount, note, channel FROM retail.sales WHERE qty = 1 AND sale_id < 500", kinds=HUDI)
sql("hudi_update", "UPDATE: a command over a physical plan", "UPDATE retail.hudi_sales SET qty = qty + 1 WHERE store_id = 7", kinds=HUDI, events=True)
sql("hudi_update_merge_on_read", "UPDATE that writes a log file", "UPDATE retail.hudi_calendar SET weekday = weekday + 10 WHERE weekday = 3", kinds=HUDI)
sql("hudi_scan_merge_on_read_log", "a merge-on-read scan with log files", "SELECT COUNT(*) AS n FROM retail.hudi_calendar WHERE weekday > 4", kinds=HUDI)
sql("hudi_delete", "DELETE: a command over a logical plan", "DELETE FROM retail.hudi_sales WHERE store_id = 3 AND qty > 6", kinds=HUDI)
sql("hudi_merge", "MERGE: a command without a plan",
    "MERGE INTO retail.hudi_store t USING (SELECT store_id, MAX(area) AS area FROM retail.store WHERE store_id < 9 GROUP BY store_id) s ON t.store_id = s.store_id "
    "WHEN MATCHED AND s.area > 300 THEN UPDATE SET area = s.area + 1 WHEN MATCHED THEN DELETE", kinds=HUDI, events=True)
sql("hudi_time_travel", "an old version", "SELECT COUNT(*) AS n FROM retail.hudi_sales TIMESTAMP AS OF '2099-01-01'", kinds=HUDI)
