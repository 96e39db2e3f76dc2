// One value a vendor, each in the file of its name; dialects.cpp lists them.
#pragma once

#include "analyzer/dialect/dialect.hpp"

namespace planvet::dialect {

extern const Dialect kSpark;
extern const Dialect kPhoton;
extern const Dialect kComet;
extern const Dialect kGluten;
extern const Dialect kRapids;

}  // namespace planvet::dialect
