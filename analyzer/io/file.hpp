// Whole files as bytes, and what to say when that does not work.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>

namespace planvet::io {

// Offsets in an input are 32 bits.
inline constexpr std::uint64_t kLargestInput = 0xFFFFFFFFU;

struct ReadError {
  std::string message;  // "no such file", without the path
};

// Of errno.
[[nodiscard]] ReadError read_error(int error);

using FileBytes = std::variant<std::string, ReadError>;

// A file, or what stands for one (a pipe, /dev/stdin); a directory is an error.
[[nodiscard]] FileBytes read_file(const std::string& path);

// Everything up to the end of the stream.
[[nodiscard]] FileBytes read_stream(std::istream& stream);

}  // namespace planvet::io
