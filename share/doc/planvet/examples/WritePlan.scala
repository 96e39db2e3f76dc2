// Writes the plan of a DataFrame to plans/NAME.txt, for git and for `planvet check plans`. Call it from your tests.
import java.nio.file.{Files, Paths}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.FormattedMode
import scala.sys.process._

object WritePlan {
  def apply(frame: DataFrame, name: String, folder: String = "plans"): Unit = {
    val header = s"-- planvet: name $name\n-- planvet: spark ${frame.sparkSession.version}\n"
    val path = Paths.get(folder, s"$name.txt")
    Files.createDirectories(path.getParent)
    Files.write(path, (header + frame.queryExecution.explainString(FormattedMode)).getBytes("UTF-8"))
    Seq("planvet", "snapshot", "--in-place", path.toString).!!
  }
}
