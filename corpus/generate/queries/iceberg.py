"""Iceberg tables, in the catalog `ice`."""
from spark_corpus.query import sql

ICEBERG = ("iceberg",)

sql("iceberg_create_table_as", "CREATE TABLE AS SELECT",
    "CREATE TABLE ice.retail.sales USING iceberg PARTITIONED BY (channel) AS SELECT sale_id, store_id, qty, amount, note, sold_at, channel FROM retail.sales WHERE qty > 4", kinds=ICEBERG)
sql("iceberg_create_small", "CREATE TABLE AS SELECT without partitions", "CREATE TABLE ice.retail.store USING iceberg AS SELECT * FROM retail.store", kinds=ICEBERG)
sql("iceberg_scan", "BatchScan: filters= in the block without a key", "SELECT sale_id FROM ice.retail.sales WHERE qty = 9 AND note LIKE 'note 1%'", kinds=ICEBERG, events=True)
sql("iceberg_scan_partition", "a partition predicate", "SELECT sale_id FROM ice.retail.sales WHERE channel = 'web' AND sold_at > TIMESTAMP'2024-01-09 00:00:00'", kinds=ICEBERG)
sql("iceberg_scan_function", "a predicate that is not pushed", "SELECT sale_id FROM ice.retail.sales WHERE upper(note) = 'NOTE 7' AND qty + 1 > 8", kinds=ICEBERG)
sql("iceberg_join", "a join and an aggregate", "SELECT t.region, SUM(s.amount) AS a FROM ice.retail.sales s JOIN ice.retail.store t ON s.store_id = t.store_id GROUP BY t.region", kinds=ICEBERG, events=True)
sql("iceberg_pruning", "dynamic pruning: RuntimeFilters", "SELECT s.sale_id FROM ice.retail.sales s JOIN (SELECT DISTINCT IF(weekday > 3, 'web', 'shop') AS channel FROM retail.calendar WHERE weekday = 5) c ON s.channel = c.channel", kinds=ICEBERG)
sql("iceberg_count", "COUNT(*) answered from metadata", "SELECT COUNT(*) AS n, MAX(qty) AS q FROM ice.retail.sales", kinds=ICEBERG)
sql("iceberg_insert", "AppendData", "INSERT INTO ice.retail.sales SELECT sale_id, store_id, qty, amount, note, sold_at, channel FROM retail.sales WHERE qty = 1", kinds=ICEBERG, events=True)
sql("iceberg_insert_overwrite", "OverwritePartitionsDynamic or OverwriteByExpression", "INSERT OVERWRITE ice.retail.store SELECT * FROM retail.store WHERE area > 100", kinds=ICEBERG)
sql("iceberg_update", "UPDATE: ReplaceData", "UPDATE ice.retail.sales SET qty = qty + 1 WHERE store_id = 7", kinds=ICEBERG)
sql("iceberg_delete", "DELETE: ReplaceData", "DELETE FROM ice.retail.sales WHERE store_id = 3 AND qty > 6", kinds=ICEBERG)
sql("iceberg_delete_partition", "DELETE of a whole partition: DeleteFromTable", "DELETE FROM ice.retail.sales WHERE channel = 'none'", kinds=ICEBERG)
sql("iceberg_merge", "MERGE: MergeRows",
    "MERGE INTO ice.retail.store t USING (SELECT store_id, MAX(area) AS area FROM retail.store WHERE store_id < 9 GROUP BY store_id) s ON t.store_id = s.store_id "
    "WHEN MATCHED AND s.area > 300 THEN UPDATE SET area = s.area + 1 WHEN MATCHED THEN DELETE "
    "WHEN NOT MATCHED THEN INSERT (store_id, store_name, region, area, store_code) VALUES (s.store_id, 'new', 'none', s.area, 'x')", kinds=ICEBERG, events=True)
sql("iceberg_metadata", "a metadata table", "SELECT file_path, record_count FROM ice.retail.sales.files WHERE record_count > 3", kinds=ICEBERG)
sql("iceberg_merge_on_read", "merge-on-read switched on", "ALTER TABLE ice.retail.sales SET TBLPROPERTIES ('write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read')", kinds=ICEBERG)
sql("iceberg_merge_on_read_delete", "DELETE that writes position deletes: WriteDelta", "DELETE FROM ice.retail.sales WHERE sale_id % 97 = 5", kinds=ICEBERG)
sql("iceberg_merge_on_read_update", "UPDATE as WriteDelta", "UPDATE ice.retail.sales SET qty = 2 WHERE sale_id % 89 = 5", kinds=ICEBERG)
sql("iceberg_call", "a stored procedure", "CALL ice.system.rewrite_data_files('retail.store')", kinds=ICEBERG)
