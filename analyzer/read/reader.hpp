// One input format: how it is recognised, and how bytes become documents.
//
// Readers push documents into a sink, one at a time; whoever holds the sink may free each before the next comes. So one
// signature serves a three-line explain and an event log of gigabytes.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/plan/document.hpp"

namespace planvet::read {

using DocumentSink = std::function<void(PlanDocument&&)>;

struct Reader {
  std::string_view name;        // "explain text"
  std::string_view looked_for;  // for the message when nothing was recognised: "a line `== Physical Plan ==`"
  // By content only. Structured formats look at the head; plan text is looked for in the whole input.
  bool (*looks_like)(std::string_view bytes);
  // Never throws for bad input: what cannot be read becomes a note of a document, or no document at all.
  void (*read)(const std::shared_ptr<const SourceBytes>& bytes, const DocumentSink& sink);
};

[[nodiscard]] std::span<const Reader* const> readers();  // in the order in which they are asked

struct ReadResult {
  std::size_t documents = 0;
  std::string error;  // set when there are none: what was looked for and what to do
};

struct RestContext;

// Recognises the format and reads it. `beside`: what other answers of the same application say, of the REST API.
ReadResult read_input(const std::shared_ptr<const SourceBytes>& bytes, const DocumentSink& sink,
                      const RestContext* beside = nullptr);

}  // namespace planvet::read
