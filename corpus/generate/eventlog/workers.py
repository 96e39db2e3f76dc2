"""A standalone cluster of two workers with two addresses: Spark runs a second copy of a slow task on another host only.

    with Workers() as master:
        ... spark.master=<master>
"""
import glob
import os
import socket
import subprocess
import tempfile
import time

PORT = 17077


class Workers:
    def __enter__(self) -> str:
        import pyspark

        home = os.path.dirname(pyspark.__file__)
        self.folder = tempfile.TemporaryDirectory(prefix="planvet-workers-")
        self.processes = []
        scala = os.path.basename(glob.glob(f"{home}/jars/scala-library-2*.jar")[0]).split("-")[-1]
        environment = {**os.environ, "SPARK_HOME": home, "SPARK_SCALA_VERSION": ".".join(scala.split(".")[:2])}

        def start(*arguments):
            output = open(f"{self.folder.name}/{len(self.processes)}.log", "w")
            self.processes.append(subprocess.Popen(
                ["java", "-Xmx256m", "-cp", f"{home}/jars/*", *arguments], stdout=output, stderr=subprocess.STDOUT,
                env=environment))

        start("org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(PORT), "--webui-port", "18481")
        deadline = time.time() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", PORT), 1).close()
                break
            except OSError:
                if time.time() > deadline:
                    self.__exit__()
                    raise
                time.sleep(0.5)
        for number in (2, 3):
            start("org.apache.spark.deploy.worker.Worker", "--host", f"127.0.0.{number}", "--cores", "1",
                  "--memory", "1024m", "--webui-port", str(18480 + number), "--work-dir",
                  f"{self.folder.name}/work{number}", f"spark://127.0.0.1:{PORT}")
        return f"spark://127.0.0.1:{PORT}"

    def __exit__(self, *_) -> None:
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
        self.folder.cleanup()
