// Values that no command prints.
#pragma once

#include <string>
#include <string_view>

namespace planvet::snapshot {

inline constexpr std::string_view kRedacted = "*********(redacted)";  // Spark's own word

// Does this configuration or option look like one that holds a secret? Names as Spark redacts, and a few more.
[[nodiscard]] bool is_secret(std::string_view name);

// "[url=jdbc:.., password=x]": the value goes.
[[nodiscard]] std::string without_secrets(std::string text);

}  // namespace planvet::snapshot
