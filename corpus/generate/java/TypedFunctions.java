package planvet;

import java.util.Arrays;
import java.util.Iterator;

import org.apache.spark.api.java.function.CoGroupFunction;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapGroupsFunction;
import org.apache.spark.api.java.function.MapGroupsWithStateFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.api.java.function.ReduceFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.streaming.GroupState;

/** Functions of typed Dataset operations: Spark serialises them, so they cannot be Python objects. */
public final class TypedFunctions {
  private TypedFunctions() {}

  public static final class RowToLong implements MapFunction<Row, Long> {
    @Override public Long call(Row row) { return ((Number) row.get(0)).longValue(); }
  }

  public static final class Twice implements MapFunction<Long, Long> {
    @Override public Long call(Long value) { return 2 * value; }
  }

  public static final class Remainder implements MapFunction<Long, Long> {
    @Override public Long call(Long value) { return value % 5; }
  }

  public static final class IsEven implements FilterFunction<Long> {
    @Override public boolean call(Long value) { return value % 2 == 0; }
  }

  public static final class Both implements FlatMapFunction<Long, Long> {
    @Override public Iterator<Long> call(Long value) { return Arrays.asList(value, -value).iterator(); }
  }

  public static final class Same implements MapPartitionsFunction<Long, Long> {
    @Override public Iterator<Long> call(Iterator<Long> values) { return values; }
  }

  public static final class Count implements MapGroupsFunction<Long, Long, Long> {
    @Override public Long call(Long key, Iterator<Long> values) {
      long count = 0;
      for (; values.hasNext(); values.next()) {
        ++count;
      }
      return count;
    }
  }

  public static final class RunningCount implements MapGroupsWithStateFunction<Long, Long, Long, Long> {
    @Override public Long call(Long key, Iterator<Long> values, GroupState<Long> state) {
      long count = state.exists() ? state.get() : 0;
      for (; values.hasNext(); values.next()) {
        ++count;
      }
      state.update(count);
      return count;
    }
  }

  public static final class Difference implements CoGroupFunction<Long, Long, Long, Long> {
    @Override public Iterator<Long> call(Long key, Iterator<Long> left, Iterator<Long> right) {
      return Arrays.asList(key).iterator();
    }
  }

  public static final class Sum implements ReduceFunction<Long> {
    @Override public Long call(Long left, Long right) { return left + right; }
  }

  public static final class Reverse implements UDF1<String, String> {
    @Override public String call(String text) {
      return text == null ? null : new StringBuilder(text).reverse().toString();
    }
  }
}
