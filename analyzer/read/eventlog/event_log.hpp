// An event log: bytes in, one document for each query out, with what was measured beside its trees.
//
//   part 1 --+
//   part 2 --+--> lines -> event kind -> parser -> fold -> document -> sink
//   part 3 --+    (in the order in which Spark wrote them; one part is the usual case)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/reader.hpp"

namespace planvet::read {

// What reading a log came to.
struct EventLogResult {
  std::uint64_t bytes = 0;  // decompressed
  std::uint64_t lines = 0;
  std::uint64_t events = 0;        // of the lines, those that are events, also such as are of no use here
  std::uint64_t broken_lines = 0;  // not well-formed, or no event
  std::size_t documents = 0;
  std::string application_id;
  std::string application_name;
  std::string application_attempt;  // empty: none
  bool has_application_end = false;
  bool has_gaps = false;  // some of it was not read, or is missing: the notes of the last document say what
  bool has_several_applications = false;  // one behind the other in one stream: their ids mean different things
  std::optional<std::int32_t> last_job_of_no_query;  // the last one that ran for RDDs: what it read is in no plan
};

class EventLogReader {
 public:
  // Documents carry `path` as the name of their source. Those that hold no operator are not handed on.
  EventLogReader(std::string path, DocumentSink sink);
  ~EventLogReader();

  // Parts of one log, in order. `is_compacted`: a *.compact file, from which ended queries were dropped.
  void read(ByteSource& part, bool is_compacted = false);
  // Something of the log is not there: a note will say so.
  void add_problem(std::string problem);
  // Hands on what still runs. Nothing may be read after that.
  EventLogResult finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Does this begin like a log, once it is decompressed? One event in one line is plan JSON and not for this reader.
[[nodiscard]] bool looks_like_event_log(std::string_view head);

}  // namespace planvet::read
