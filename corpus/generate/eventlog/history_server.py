"""The real History Server of the Spark in this Python, on a folder of logs; its REST answers are the oracle.

    with HistoryServer("/path/logs", expected=3) as answers:
        answers.get("local-1700000000000/sql?length=1000")     # bytes
"""
import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


class HistoryServer:
    def __init__(self, logs: str, expected: int, conf: dict | None = None, port: int = 18480):
        self.logs, self.expected, self.conf, self.port = logs, expected, conf or {}, port

    def __enter__(self) -> "HistoryServer":
        import pyspark

        jars = os.path.join(os.path.dirname(pyspark.__file__), "jars", "*")
        settings = {"spark.history.fs.logDirectory": f"file:{self.logs}", "spark.history.ui.port": str(self.port),
                    "spark.history.fs.update.interval": "1s", **self.conf}
        # What org.apache.spark.launcher gives Java 17.
        opens = [f"--add-opens=java.base/{package}=ALL-UNNAMED"
                 for package in ("java.lang", "java.lang.invoke", "java.io", "java.net", "java.nio", "java.util",
                                 "java.util.concurrent", "sun.nio.ch", "sun.security.action", "sun.util.calendar")]
        self.output = tempfile.NamedTemporaryFile("w+", prefix="planvet-history-", suffix=".log")
        self.process = subprocess.Popen(
            ["java", "-Xmx1g", "-Duser.timezone=UTC", *opens, *[f"-D{key}={value}" for key, value in settings.items()],
             "-cp", jars, "org.apache.spark.deploy.history.HistoryServer"],
            stdout=self.output, stderr=subprocess.STDOUT)
        deadline = time.time() + 90
        while time.time() < deadline:
            time.sleep(0.5)
            if self.process.poll() is not None:
                raise RuntimeError(f"the History Server ended: see {self.output.name}")
            try:
                if len(json.loads(self.get(""))) >= self.expected:
                    return self
            except (urllib.error.URLError, ConnectionError):
                pass
        self.__exit__()
        raise TimeoutError(f"the History Server did not list {self.expected} applications in 90 s")

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait()
        self.output.close()

    def get(self, path: str) -> bytes:
        """The answer to /api/v1/applications/<path>."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/applications/{path}".rstrip("/")) as answer:
            return answer.read()
