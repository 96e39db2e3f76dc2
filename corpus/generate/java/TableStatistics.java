package planvet;

import org.apache.spark.sql.catalyst.catalog.CatalogColumnStat;
import org.apache.spark.sql.catalyst.catalog.CatalogStatistics;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.math.BigInt;

/** Catalog statistics of any size; py4j turns Scala's BigInt into a plain number on its way through Python. */
public final class TableStatistics {
  private TableStatistics() {}

  public static Option<CatalogStatistics> of(String bytes, String rows) {
    Option<BigInt> rowCount = rows.isEmpty() ? Option.<BigInt>empty() : Option.apply(BigInt.apply(rows));
    scala.collection.immutable.Map<String, CatalogColumnStat> none = Map$.MODULE$.<String, CatalogColumnStat>empty();
    return Option.apply(new CatalogStatistics(BigInt.apply(bytes), rowCount, none));
  }

  public static Option<CatalogStatistics> none() {
    return Option.<CatalogStatistics>empty();
  }
}
