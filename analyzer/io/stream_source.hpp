// Standard input piece by piece: looked into first, read from its beginning afterwards.
#pragma once

#include <cstddef>
#include <istream>
#include <span>
#include <string>

#include "analyzer/plan/byte_source.hpp"

namespace planvet::io {

class StreamSource : public ByteSource {
 public:
  explicit StreamSource(std::istream& stream) : stream_(stream) {}
  [[nodiscard]] std::size_t read(std::span<char> buffer) override;

  // What was read until now, kept until forget() is called.
  [[nodiscard]] const std::string& kept() const { return kept_; }
  void forget();

 private:
  std::istream& stream_;
  std::string kept_;
  bool keeps_ = true;
};

}  // namespace planvet::io
