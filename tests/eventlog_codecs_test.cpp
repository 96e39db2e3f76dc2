// The same log in every codec gives the same report, and what is cut gives what was whole.
#include <string>
#include <string_view>
#include <vector>
#include <zlib.h>

#include <gtest/gtest.h>

#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/eventlog/codec.hpp"
#include "analyzer/render/json.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

using read::eventlog::Codec;

constexpr std::string_view kCase = "corpus/eventlogs/spark-3.5.9/writes";

std::string path_in_case(std::string_view name) { return (source_path(kCase) / name).string(); }

std::string gzipped(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string bytes(deflateBound(&stream, text.size()) + 64, '\0');
  std::string input(text);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(bytes.size() - stream.avail_out);
  deflateEnd(&stream);
  return bytes;
}

struct Encoded {
  Codec codec;
  std::string bytes;
};

// Spark's own streams wrote these; gzip is what Databricks has, in members that follow each other.
std::vector<Encoded> encodings() {
  const std::string plain = decompressed_file(path_in_case("eventlog.zst"));
  const std::size_t middle = plain.size() / 2;
  return {{Codec::None, plain},
          {Codec::Zstd, read_file(path_in_case("codecs/eventlog.zstd"))},
          {Codec::Lz4, read_file(path_in_case("codecs/eventlog.lz4"))},
          {Codec::Snappy, read_file(path_in_case("codecs/eventlog.snappy"))},
          {Codec::Lzf, read_file(path_in_case("codecs/eventlog.lzf"))},
          {Codec::Gzip, gzipped(plain.substr(0, middle)) + gzipped(plain.substr(middle))}};
}

struct Decoded {
  std::string text;
  std::string problem;
};

// Reads in pieces of `piece` bytes.
Decoded decode(std::string_view bytes, std::size_t piece) {
  MemorySource source(bytes);
  read::eventlog::DecodedSource decoded(source);
  Decoded result;
  std::vector<char> buffer(piece);
  while (const std::size_t got = decoded.read(buffer)) result.text.append(buffer.data(), got);
  result.problem = decoded.problem();
  return result;
}

std::string report(std::string_view bytes) {
  const ReadLog log = read_log(bytes);
  std::vector<const PlanDocument*> documents;
  for (const PlanDocument& document : log.documents) documents.push_back(&document);
  return render::annotate_json(documents);
}

TEST(EventLogCodecs, AreKnownByTheirFirstBytes) {
  for (const Encoded& encoded : encodings()) EXPECT_EQ(read::eventlog::codec_of(encoded.bytes), encoded.codec);
  EXPECT_EQ(read::eventlog::codec_of(""), Codec::None);
  EXPECT_EQ(read::eventlog::codec_of("ZVX"), Codec::None);
}

TEST(EventLogCodecs, GiveTheSameBytes) {
  const std::string plain = decompressed_file(path_in_case("eventlog.zst"));
  ASSERT_GT(plain.size(), 100000U);
  for (const Encoded& encoded : encodings()) {
    for (const std::size_t piece : {std::size_t{1} << 20U, std::size_t{4097}, std::size_t{1}}) {
      const Decoded decoded = decode(encoded.bytes, piece);
      EXPECT_TRUE(decoded.text == plain) << name(encoded.codec) << " in pieces of " << piece;
      EXPECT_EQ(decoded.problem, "") << name(encoded.codec);
    }
  }
}

TEST(EventLogCodecs, GiveTheSameReport) {
  const std::vector<Encoded> all = encodings();
  const std::string expected = report(all.front().bytes);
  EXPECT_GT(expected.size(), 10000U);
  for (const Encoded& encoded : all) EXPECT_TRUE(report(encoded.bytes) == expected) << name(encoded.codec);
}

TEST(EventLogCodecs, GiveWhatWasWholeWhenCut) {
  for (const Encoded& encoded : encodings()) {
    const std::string plain = decode(encoded.bytes, 65536).text;
    for (const std::size_t divisor : {std::size_t{2}, std::size_t{3}, std::size_t{7}}) {
      const Decoded decoded = decode(std::string_view(encoded.bytes).substr(0, encoded.bytes.size() / divisor), 65536);
      EXPECT_TRUE(plain.starts_with(decoded.text)) << name(encoded.codec);
      // Spark flushes behind the first line and then seldom: a block that is not whole gives nothing.
      EXPECT_GT(decoded.text.size(), 0U) << name(encoded.codec);
      EXPECT_EQ(decoded.problem.empty(), encoded.codec == Codec::None) << name(encoded.codec);
    }
  }
}

TEST(EventLogCodecs, SurviveDamage) {
  for (const Encoded& encoded : encodings()) {
    std::uint32_t random = 12345;
    for (int round = 0; round < 40; ++round) {
      std::string damaged = encoded.bytes;
      for (int flip = 0; flip < 5; ++flip) {
        random = random * 1664525U + 1013904223U;
        damaged[random % damaged.size()] = static_cast<char>(random >> 24U);
      }
      const Decoded decoded = decode(damaged, 65536);
      EXPECT_LT(decoded.text.size(), std::size_t{64} << 20U) << name(encoded.codec);
    }
  }
}

}  // namespace
}  // namespace planvet::test
