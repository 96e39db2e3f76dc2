#include "analyzer/cli/application_run.hpp"

#include <algorithm>

namespace planvet::cli {

bool has_gaps(const DocumentReport& query) {
  return std::ranges::any_of(query.notes, [](const Note& note) {
    return note.kind == NoteKind::IncompleteLog || note.kind == NoteKind::UnreadablePart;
  });
}

rules::ApplicationRun application_run(const read::EventLogResult& log, const std::string& error, bool has_gaps) {
  rules::ApplicationRun run;
  run.is_whole =
      log.has_application_end && !log.has_several_applications && log.broken_lines == 0 && error.empty() && !has_gaps;
  run.last_job_of_no_query = log.last_job_of_no_query;
  return run;
}

}  // namespace planvet::cli
