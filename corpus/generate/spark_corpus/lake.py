"""The retail test data: a few thousand rows, every value computed from the row number, so every build is equal.

    retail.sales             parquet, partitioned by sale_date (10 days) and channel (web, shop)
    retail.product           parquet, arrays, maps and structs; retail.store orc; retail.customer json;
    retail.returns           csv; retail.web_log text; retail.calendar, retail.promotion parquet
    retail.sales_bucketed    8 buckets by product_id; retail.product_bucketed 8, retail.returns_bucketed 4
    retail.kinds             a column of every type; retail.kinds_by_p the same, partitioned by p
    retail.wide              120 columns; retail.odd  column names with #, brackets, commas, ` AS `, unicode
    retail.skewed            one hot product_id; retail.nothing  an empty table; retail.product_analyzed  with statistics;
    retail.padded            char and varchar columns; retail.target, .target_by_day, .target_bucketed for writes
    retail.event             json files in three folders, for streams

and the same files without a catalog below /data/lake/files/{parquet,orc,csv,json,text,binary}.
"""
import json
import os

from .neutral import lake_directory

SALES = """
SELECT id AS sale_id, CAST(id * 7 % 40 AS INT) AS store_id, CAST(id * 13 % 400 AS INT) AS product_id,
       id * 31 % 1000 AS customer_id, CAST(id % 9 + 1 AS INT) AS qty,
       CAST((id * 17 % 10000) / 100 AS DECIMAL(10, 2)) AS amount,
       TIMESTAMP_SECONDS(1704672000 + id * 41) AS sold_at,
       IF(id % 11 = 0, NULL, CONCAT('note ', CAST(id % 50 AS STRING))) AS note,
       DATE_ADD(DATE'2024-01-08', CAST(id % 10 AS INT)) AS sale_date, IF(id % 3 = 0, 'web', 'shop') AS channel
FROM RANGE(0, 20000, 1, 2)"""

PRODUCT = """
SELECT CAST(id AS INT) AS product_id, CONCAT('product ', CAST(id AS STRING)) AS name,
       ELEMENT_AT(ARRAY('food', 'tools', 'books', 'toys', 'garden'), CAST(id % 5 + 1 AS INT)) AS segment,
       CAST((id * 37 % 5000) / 10 AS DOUBLE) AS price,
       CAST((id * 37 % 5000) / 13 AS DECIMAL(10, 2)) AS cost,
       ARRAY(CONCAT('t', CAST(id % 4 AS STRING)), CONCAT('t', CAST(id % 7 AS STRING))) AS tags,
       MAP('color', ELEMENT_AT(ARRAY('red', 'green', 'blue'), CAST(id % 3 + 1 AS INT)), 'size', CAST(id % 6 AS STRING)) AS properties,
       NAMED_STRUCT('width', CAST(id % 20 AS DOUBLE), 'height', CAST(id % 30 AS DOUBLE), 'unit', 'cm') AS dimension,
       IF(id % 10 = 0, NULL, LPAD(CAST(id AS STRING), 5, '0')) AS code
FROM RANGE(0, 400, 1, 1)"""

STORE = """
SELECT CAST(id AS INT) AS store_id, CONCAT('store ', CAST(id AS STRING)) AS store_name,
       ELEMENT_AT(ARRAY('north', 'south', 'east', 'west'), CAST(id % 4 + 1 AS INT)) AS region,
       CAST(id * 100 AS BIGINT) AS area, CAST(id AS STRING) AS store_code
FROM RANGE(0, 40, 1, 1)"""

CUSTOMER = """
SELECT id AS customer_id, CONCAT('customer ', CAST(id AS STRING)) AS customer_name, CAST(18 + id % 60 AS INT) AS age,
       ELEMENT_AT(ARRAY('DE', 'FR', 'JP', 'BR'), CAST(id % 4 + 1 AS INT)) AS country,
       CAST(id % 40 AS INT) AS home_store, id % 2 = 0 AS newsletter
FROM RANGE(0, 1000, 1, 1)"""

RETURNS = """
SELECT id AS return_id, id * 10 AS sale_id, CAST(id * 13 % 400 AS INT) AS product_id,
       IF(id % 4 = 0, NULL, 'broken') AS reason, CAST(id % 3 + 1 AS INT) AS qty
FROM RANGE(0, 1500, 1, 1)"""

KINDS = """
SELECT CAST(id % 100 AS INT) AS n, id AS l, CAST(id % 100 AS TINYINT) AS b, CAST(id % 1000 AS SMALLINT) AS s,
       CAST(id / 3 AS FLOAT) AS f, CAST(id / 7 AS DOUBLE) AS d, CAST(id % 1000 / 10 AS DECIMAL(10, 2)) AS dec,
       CAST(id AS DECIMAL(30, 2)) AS bigdec, CONCAT('k', CAST(id % 50 AS STRING)) AS str, CAST(id % 50 AS STRING) AS numstr,
       id % 2 = 0 AS flag, DATE_ADD(DATE'2024-01-01', CAST(id % 60 AS INT)) AS dt,
       TIMESTAMP_SECONDS(1704067200 + id * 3600) AS ts, CAST(CAST(id AS STRING) AS BINARY) AS bin,
       NAMED_STRUCT('a', CAST(id % 10 AS INT), 'b', CONCAT('s', CAST(id % 10 AS STRING))) AS st,
       ARRAY(CAST(id % 10 AS INT), CAST(id % 7 AS INT)) AS arr, MAP('k', CAST(id % 10 AS INT)) AS m,
       CAST(id % 5 AS INT) AS p
FROM RANGE(0, 1000, 1, 1)"""

ODD_NAMES = ["order id", "a.b", "x,y", "arr[0]", "tag#1", "f(x)", "k=v", "a AS b#7", "quote\"s", " lead", "tail ",
             "(", "+- up", "größe", "数量", "it's"]

TABLES = {
    "product": (PRODUCT, "parquet", ""),
    "store": (STORE, "orc", ""),
    "customer": (CUSTOMER, "json", ""),
    "returns": (RETURNS, "csv", "OPTIONS (header 'true')"),
    "sales": (SALES, "parquet", "PARTITIONED BY (sale_date, channel)"),
    "calendar": ("SELECT DATE_ADD(DATE'2024-01-08', CAST(id AS INT)) AS day, CAST(id % 7 AS INT) AS weekday, "
                 "id % 7 > 4 AS holiday FROM RANGE(0, 10, 1, 1)", "parquet", ""),
    "promotion": ("SELECT CAST(id AS INT) AS promotion_id, CAST(id * 20 AS INT) AS from_price, "
                  "CAST(id * 20 + 30 AS INT) AS to_price, CAST(id * 3 AS INT) AS product_id FROM RANGE(0, 25, 1, 1)",
                  "parquet", ""),
    "sales_bucketed": (SALES, "parquet", "CLUSTERED BY (product_id) SORTED BY (product_id) INTO 8 BUCKETS"),
    "product_bucketed": (PRODUCT, "parquet", "CLUSTERED BY (product_id) SORTED BY (product_id) INTO 8 BUCKETS"),
    "returns_bucketed": (RETURNS, "parquet", "CLUSTERED BY (product_id) INTO 4 BUCKETS"),
    "kinds": (KINDS, "parquet", ""),
    "kinds_by_p": (KINDS, "parquet", "PARTITIONED BY (p)"),
    "skewed": ("SELECT id AS sale_id, CAST(IF(id % 10 < 8, 7, id % 400) AS INT) AS product_id, "
               "SHA2(CAST(id AS STRING), 512) AS payload FROM RANGE(0, 40000, 1, 4)", "parquet", ""),
    "nothing": ("SELECT CAST(id AS INT) AS product_id, CAST(id AS STRING) AS label FROM RANGE(0)", "parquet", ""),
}

# The kinds of session that need less than all: a lake takes most of a short run.
TABLES_OF_KIND = {
    "hive": ["sales", "store"],
    "delta": ["sales", "store", "calendar", "returns"],
    "iceberg": ["sales", "store", "calendar", "returns"],
    "hudi": ["sales", "store", "calendar", "returns"],
    "comet": ["sales", "product", "store", "customer", "calendar", "promotion", "returns", "skewed"],
}

FILES = {"parquet": KINDS, "orc": KINDS, "json": KINDS, "csv": STORE}


def build_database(spark) -> None:
    """An H2 database in the memory of the JVM, for JDBC scans: schema shop with ITEMS and ORDERS."""
    connection = spark._jvm.java.sql.DriverManager.getConnection("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1")
    statement = connection.createStatement()
    for text in ("CREATE SCHEMA IF NOT EXISTS SHOP", "DROP TABLE IF EXISTS SHOP.ITEMS", "DROP TABLE IF EXISTS SHOP.ORDERS",
                 "CREATE TABLE SHOP.ITEMS (ID INTEGER, NAME VARCHAR(20), PRICE DOUBLE)",
                 "CREATE TABLE SHOP.ORDERS (ID INTEGER, ITEM INTEGER, QTY INTEGER)",
                 "INSERT INTO SHOP.ITEMS SELECT X, 'item ' || X, X * 1.5 FROM SYSTEM_RANGE(1, 100)",
                 "INSERT INTO SHOP.ORDERS SELECT X, X % 100, X % 7 FROM SYSTEM_RANGE(1, 300)"):
        statement.execute(text)
    connection.close()


def build(spark) -> None:
    """Makes the database `retail` and its tables; about 20 seconds."""
    lake = lake_directory()
    spark.sql(f"CREATE DATABASE IF NOT EXISTS retail LOCATION '{lake}/retail'")
    wanted = TABLES_OF_KIND.get(spark.planvet_kind, TABLES)
    for name, (select, format_, clauses) in TABLES.items():
        if name not in wanted:
            continue
        spark.sql(f"CREATE TABLE retail.{name} USING {format_} {clauses} AS {select}")
    if wanted is not TABLES:
        return
    spark.sql("CREATE TABLE retail.wide USING parquet AS SELECT "
              + ", ".join(f"CAST(id + {i} AS INT) AS column_{i:03d}" for i in range(120)) + " FROM RANGE(0, 50, 1, 1)")
    spark.sql(f"CREATE TABLE retail.product_analyzed USING parquet AS {PRODUCT}")
    spark.sql("ANALYZE TABLE retail.product_analyzed COMPUTE STATISTICS FOR COLUMNS product_id, segment, price")
    spark.sql("CREATE TABLE retail.padded (code CHAR(5), label VARCHAR(9)) USING parquet")
    spark.sql("INSERT INTO retail.padded VALUES ('ab', 'first'), ('abc', 'second')")
    spark.sql("CREATE TABLE retail.target (sale_id BIGINT, qty INT, note STRING) USING parquet")
    spark.sql("CREATE TABLE retail.target_by_day (sale_id BIGINT, qty INT, sale_date DATE, channel STRING) USING parquet "
              "PARTITIONED BY (sale_date, channel)")
    spark.sql("CREATE TABLE retail.target_bucketed (sale_id BIGINT, product_id INT) USING parquet "
              "CLUSTERED BY (product_id) SORTED BY (product_id) INTO 4 BUCKETS")
    odd = spark.range(0, 50, 1, 1).selectExpr(
        *[f"CAST(id + {i} AS STRING) AS `{name}`" for i, name in enumerate(ODD_NAMES)])
    odd.write.json(f"{lake}/files/odd")
    spark.sql("CREATE TABLE retail.web_log (value STRING) USING text")
    spark.sql("INSERT INTO retail.web_log SELECT CONCAT('GET /page/', CAST(id % 20 AS STRING)) FROM RANGE(0, 200, 1, 1)")
    for format_, select in FILES.items():
        spark.sql(select).write.format(format_).mode("overwrite").option("header", "true").save(f"{lake}/files/{format_}")
    spark.sql("SELECT CAST(id AS STRING) AS value FROM RANGE(0, 20, 1, 1)").write.text(f"{lake}/files/text")
    os.makedirs(f"{lake}/files/binary")
    for i in range(3):
        with open(f"{lake}/files/binary/picture{i}.bin", "wb") as file:
            file.write(bytes(range(i + 1)))
    build_database(spark)
    for folder in range(3):  # not written by Spark: plans of streams print the files' names
        os.makedirs(f"{lake}/retail/event/{folder}")
        with open(f"{lake}/retail/event/{folder}/events.json", "w", encoding="utf-8") as file:
            for number in range(100):
                second = folder * 3600 + number * 30
                at = f"2024-01-08 {second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
                file.write(json.dumps({"event_id": number, "user_id": number % 8, "page": f"page {number % 5}", "at": at,
                                       "ms": number}) + "\n")
