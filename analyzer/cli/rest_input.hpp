// Answers of Spark's REST API that were saved in one folder: /stages, /jobs, /environment and /applications say more
// about the queries of /sql.
#pragma once

#include <string_view>

#include "analyzer/io/paths.hpp"
#include "analyzer/read/rest/sql_rest_json.hpp"

namespace planvet::cli {

// What lies beside an answer of /sql that was found in a folder; nothing for one that was named alone. Answers of which
// the folder holds two are of two applications, perhaps, and are not used. Safe in several threads.
[[nodiscard]] read::RestContext rest_context(const io::InputFile& file, std::string_view bytes);

}  // namespace planvet::cli
