// Every log of the corpus, cut at 200 places all over it and with bytes changed at 200 others, as text and as it is
// compressed: nothing crashes or hangs, memory is bounded, and what is missing is said. A few places where a sanitizer
// watches.
//
// Long logs are read once for each kind of damage: where it happens, a copy of the process goes on with it.
#include <algorithm>
#include <cstdint>
#include <malloc.h>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/io/log_parts.hpp"
#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/eventlog/codec.hpp"
#include "analyzer/read/eventlog/event_log.hpp"
#include "tests/in_process.hpp"
#include "tests/support/branches.hpp"
#include "tests/support/cpu_clock.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

constexpr std::size_t kPlaces = kIsSanitized ? 4 : 200;
// Lines of text stand for themselves: so many are changed for one read.
constexpr std::size_t kChangesOfText = 4;
// To copy the process takes as long as to read half a megabyte or two.
constexpr std::size_t kLongLog = std::size_t{4} << 20U;
// The parts behind a damaged one are read after so many damages: they are long, and nothing in them is damaged.
constexpr std::size_t kReadsOn = 20;
constexpr double kMostSeconds = kIsSanitized ? 60 : 3;  // of one read
constexpr std::uint64_t kMostMemory = std::uint64_t{32} << 20U;

enum class DamageKind : std::uint8_t { Cut, Change };

struct Change {
  std::size_t at = 0;
  std::size_t value = 0;
  bool is_bit = false;
};

// What happens to a log in one read, its places counted over all parts.
struct Damage {
  std::size_t at = 0;
  std::vector<Change> changes;  // the first one is there; none: the part ends there
  bool reads_on = false;        // behind the damaged part
  [[nodiscard]] bool is_cut() const { return changes.empty(); }
};

// One bit, or up to twenty bytes near each other.
void add_changes(std::size_t at, Dice& dice, std::vector<Change>& changes) {
  const bool is_bit = dice.below(2) == 0;
  for (std::size_t left = is_bit ? 1 : 1 + dice.below(20); left > 0; --left) {
    changes.push_back({at, dice.below(256), is_bit});
    at += dice.below(300);
  }
}

// One place in each piece of the log, so that all of it is met.
std::vector<Damage> damages_of(DamageKind kind, bool is_text, std::size_t size, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Damage> damages;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const std::size_t begin = size * i / kPlaces;
    const std::size_t at = begin + dice.below(std::max<std::size_t>(size * (i + 1) / kPlaces - begin, 1));
    const bool is_one_more = kind == DamageKind::Change && is_text && i % kChangesOfText != 0;
    if (!is_one_more) damages.push_back({at, {}, damages.size() % kReadsOn == 0});
    if (kind == DamageKind::Change) add_changes(at, dice, damages.back().changes);
  }
  return damages;
}

// The damage that bytes meet on their way to the reader: one, or in each copy of the process another.
class DamagedWay {
 public:
  explicit DamagedWay(const Damage& damage) : damage_(&damage) {}
  DamagedWay(const std::vector<Damage>& damages, Branches& branches) : damages_(damages), branches_(&branches) {}

  // How many of `size` bytes from `at` on are to be handed on before something else happens.
  [[nodiscard]] std::size_t untouched(std::size_t at, std::size_t size) {
    for (; damage_ == nullptr && next_ < damages_.size() && damages_[next_].at == at; ++next_) {
      if (branches_->begin("damaged at " + std::to_string(at))) damage_ = &damages_[next_];
    }
    std::size_t end = at + size;
    if (damage_ == nullptr) {
      if (next_ < damages_.size()) end = std::min(end, damages_[next_].at);
    } else if (damage_->is_cut() && damage_->at >= at) {
      end = std::min(end, damage_->at);
    }
    return end - at;
  }

  void change(std::size_t at, std::span<char> bytes) const {
    if (damage_ == nullptr) return;
    for (const Change& change : damage_->changes) {
      if (change.at < at || change.at - at >= bytes.size()) continue;
      char& byte = bytes[change.at - at];
      byte = static_cast<char>(change.is_bit ? byte ^ (1 << (change.value % 8)) : static_cast<int>(change.value));
    }
  }

  [[nodiscard]] const Damage* damage() const { return damage_; }  // none: the log is read whole

 private:
  std::span<const Damage> damages_;
  Branches* branches_ = nullptr;
  const Damage* damage_ = nullptr;
  std::size_t next_ = 0;
};

class DamagedPart : public ByteSource {
 public:
  DamagedPart(std::string_view bytes, std::size_t begin, DamagedWay& way) : bytes_(bytes), at_(begin), way_(way) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t size = way_.untouched(at_, std::min(buffer.size(), bytes_.size()));
    bytes_.copy(buffer.data(), size);
    way_.change(at_, buffer.first(size));
    bytes_.remove_prefix(size);
    at_ += size;
    return size;
  }

 private:
  std::string_view bytes_;
  std::size_t at_;
  DamagedWay& way_;
};

// What is known of documents that came. They are not kept: memory is measured here.
struct SeenDocuments {
  std::set<std::int64_t> ids;
  bool has_note = false;

  void add(const PlanDocument& document) {
    has_note = has_note || !document.notes.empty();
    EXPECT_TRUE(ids.insert(document.execution_id.value_or(-1)).second)
        << "query " << *document.execution_id << " twice";
    expect_sound(document);
  }
};

struct Part {
  std::string text;
  std::string compressed;
  bool is_compacted = false;
};

struct CutCase {
  std::string name;
  std::vector<io::LogPart> parts;
};

std::vector<CutCase> cut_cases() {
  std::vector<CutCase> cases;
  for (const EventLogCase& log : all_log_cases()) cases.push_back({log.name, log_parts(log)});
  for (const std::string codec : {"zstd", "lz4", "snappy", "lzf"}) {
    const std::string path = source_path("corpus/eventlogs/spark-3.5.9/writes/codecs/eventlog." + codec);
    cases.push_back({"spark-3.5.9/writes/" + codec, {{path, false, {}}}});
  }
  return cases;
}

bool is_zstd(std::string_view bytes) { return read::eventlog::codec_of(bytes) == read::eventlog::Codec::Zstd; }

// How gtest names a case in what it prints.
void PrintTo(const CutCase& log, std::ostream* out) { *out << log.name; }

class EventLogCuts : public testing::TestWithParam<CutCase> {
 protected:
  void expect_sound_at_all_places(DamageKind kind, bool is_text, std::uint64_t seed);

 private:
  void read(DamagedWay& way) const;
  [[nodiscard]] bool is_between_lines(std::size_t at) const;

  bool is_text_ = false;
  std::vector<Part> parts_;
};

// A log that ends there may be whole for all that its lines say.
bool EventLogCuts::is_between_lines(std::size_t at) const {
  for (const Part& part : parts_) {
    if (at <= part.text.size()) {
      return at == 0 || at == part.text.size() || part.text[at - 1] == '\n' || part.text[at] == '\n';
    }
    at -= part.text.size();
  }
  return true;
}

void EventLogCuts::read(DamagedWay& way) const {
  const double before = cpu_seconds();
  SeenDocuments seen;
  read::EventLogReader reader("app.log", [&](PlanDocument&& document) { seen.add(document); });
  std::size_t begin = 0;
  for (const Part& part : parts_) {
    const std::string_view bytes = is_text_ ? part.text : part.compressed;
    DamagedPart damaged(bytes, begin, way);
    read::eventlog::DecodedSource decoded(damaged);
    reader.read(decoded, part.is_compacted);
    begin += bytes.size();
    if (way.damage() != nullptr && !way.damage()->reads_on && way.damage()->at < begin) break;
  }
  const read::EventLogResult result = reader.finish();
  EXPECT_EQ(result.documents, seen.ids.size());
  if (way.damage() == nullptr) {
    EXPECT_FALSE(seen.ids.empty());
    return;
  }
  // A stream of zstd has an end; other codecs end as well where a block does.
  const bool is_told = !way.damage()->is_cut()                      ? result.broken_lines > 0
                       : way.damage()->reads_on                     ? false
                       : !is_text_ && is_zstd(parts_[0].compressed) ? true
                                                                    : !is_between_lines(result.bytes);
  EXPECT_TRUE(!is_told || seen.ids.empty() || seen.has_note);
  EXPECT_LT(cpu_seconds() - before, kMostSeconds);
}

void EventLogCuts::expect_sound_at_all_places(DamageKind kind, bool is_text, std::uint64_t seed) {
  is_text_ = is_text;
  std::size_t size = 0;
  std::size_t text_size = 0;
  for (const io::LogPart& part : GetParam().parts) {
    parts_.push_back({decompressed_file(part.path), read_file(part.path), part.is_compacted});
    text_size += parts_.back().text.size();
    size += is_text ? parts_.back().text.size() : parts_.back().compressed.size();
  }
  const std::vector<Damage> damages = damages_of(kind, is_text, size, seed);
  Branches branches({.cpu_seconds = 100, .memory_bytes = kMostMemory});
  if (text_size > kLongLog) {
    DamagedWay way(damages, branches);
    read(way);
    if (way.damage() != nullptr) branches.end();
    EXPECT_EQ(branches.count(), damages.size());
  } else if (branches.begin("all places")) {
    // Readers come and go: what they took is kept for the next one.
    mallopt(M_MMAP_THRESHOLD, 1 << 28);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    for (const Damage& damage : damages) {
      SCOPED_TRACE(damage.at);
      DamagedWay way(damage);
      read(way);
    }
    branches.end();
  }
  branches.join();
}

TEST_P(EventLogCuts, CutText) { expect_sound_at_all_places(DamageKind::Cut, true, 1); }
TEST_P(EventLogCuts, CutWhileCompressed) { expect_sound_at_all_places(DamageKind::Cut, false, 2); }
TEST_P(EventLogCuts, ChangedText) { expect_sound_at_all_places(DamageKind::Change, true, 3); }
TEST_P(EventLogCuts, ChangedWhileCompressed) { expect_sound_at_all_places(DamageKind::Change, false, 4); }

// The commands themselves on a sample of cut logs: what is missing is said, and nothing is called clean.
class EventLogCutCommands : public testing::TestWithParam<EventLogCase> {};

TEST_P(EventLogCutCommands, SayThatTheLogIsCut) {
  const std::string compressed = read_file(GetParam().directory + "/eventlog.zst");
  const std::string text = decompressed_file(GetParam().directory + "/eventlog.zst");
  const TemporaryFolder folder;
  const std::string path = folder.path("app.log");
  Dice dice(5);
  std::size_t told = 0;
  for (const std::string* const bytes : {&text, &compressed}) {
    for (std::size_t part = 2; part < 5; ++part) {
      const std::size_t size = bytes->size() * part / 5 + dice.below(bytes->size() / 5);
      SCOPED_TRACE((bytes == &text ? "text cut at " : "compressed, cut at ") + std::to_string(size));
      write_file(path, bytes->substr(0, size));
      const CommandRun check = run_in_process({"check", path, "--isolated"});
      const CommandRun annotate = run_in_process({"annotate", path});
      EXPECT_EQ(check.out.find("Clean"), std::string::npos) << check.out;
      if (check.status == 2) {
        EXPECT_NE(check.err.find("it holds no query with a plan"), std::string::npos) << check.err;
        EXPECT_EQ(check.err, annotate.err);
        EXPECT_EQ(annotate.status, 2);
        continue;
      }
      ++told;
      EXPECT_NE(check.out.find("could not be read whole: what is missing was not judged"), std::string::npos)
          << check.out;
      EXPECT_EQ(run_in_process({"check", path, "--isolated", "--strict"}).status, 1);
      EXPECT_EQ(annotate.status, 0);
      const bool is_told = annotate.out.find(" without an end") != std::string::npos ||
                           annotate.out.find("parts are missing or could not be read") != std::string::npos;
      EXPECT_TRUE(is_told) << annotate.out;
    }
  }
  EXPECT_GT(told, 0U);
}

INSTANTIATE_TEST_SUITE_P(Corpus, EventLogCutCommands, testing::ValuesIn(sampled(event_log_cases())),
                         [](const auto& instance) { return test_name(instance.param); });

INSTANTIATE_TEST_SUITE_P(Corpus, EventLogCuts, testing::ValuesIn(cut_cases()), [](const auto& instance) {
  return test_name({instance.param.name, {}});
});

}  // namespace
}  // namespace planvet::test
