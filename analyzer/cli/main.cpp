#include <iostream>

#include "analyzer/version.hpp"

int main() {
  std::cout << "planvet " << planvet::kVersion << '\n';
  return 0;
}
