// Every kind of line that explain output is made of. Which of them may follow which is not said here: damaged pastes
// have them in any order, and what a line means depends on the section it stands in.
//
//   == Physical Plan ==                                          banner
//   AdaptiveSparkPlan (25)                                       plain line with an operator id (the root of a tree)
//   +- == Final Plan ==                                          adaptive header
//      :  +- * BroadcastHashJoin Inner BuildRight (8)            tree line: bars, connector, mark, name, operator id
//      +- ShuffleQueryStage (5), Statistics(sizeInBytes=1.0 B)   .. and a tail behind the id
//   (8) BroadcastHashJoin [codegen id : 2]                       block head
//   Left keys [1]: [a#1]                                         field
//   Condition : (a#1 > 5)                                        field
//   ===== Subqueries =====                                       section
//   Subquery:1 Hosting operator id = 4 Hosting Expression = x    hosted plan head
//   == Subtree 1 / 2 (maxMethodCodeSize:282; ..) ==              banner
//   /* 001 */ public Object generate(Object[] references) {      generated code
//   -- planvet: spark 3.5.9                                      header line of ours
#pragma once

#include "grammar/line_scan.hpp"
#include "grammar/pegtl.hpp"

namespace planvet::grammar::line {

// clang-format off

struct blanks : peg::star< peg::one< ' ', '\t' > > {};
struct number : peg::plus< peg::digit > {};
struct rest : up_to_line_end {};
struct end : peg::eolf {};

// The bars of ancestors, then how the node hangs on its parent. ":-" is a connector, ": " a bar.
struct bars : peg::star< peg::sor< peg::one< ' ', '\t' >, peg::seq< peg::one< ':' >, peg::not_at< peg::one< '-' > > > > > {};
struct connector : peg::seq< peg::one< '+', ':' >, peg::one< '-' >, peg::opt< peg::one< ' ' > > > {};

// *(3) and * are whole-stage code generation, ^(3) and ^ native stages of Gluten; ! marks missing input columns and
// ' an unresolved logical node.
struct stage_number : number {};
struct codegen_mark : peg::seq< peg::one< '*', '^' >, peg::opt< peg::one< '(' >, stage_number, peg::one< ')' > >, peg::star< peg::one< ' ' > > > {};
struct doubt_mark : peg::one< '!', '\'' > {};
struct marks : peg::star< peg::sor< codegen_mark, doubt_mark, peg::one< ' ' > > > {};

// The operator id is the last "(digits)" of the line but for a tail of known shape; names hold brackets themselves.
struct unknown_id : TAO_PEGTL_STRING( "unknown" ) {};
struct id_number : number {};
struct id : peg::seq< peg::one< '(' >, peg::sor< id_number, unknown_id >, peg::one< ')' > > {};
struct tail_words : peg::seq< peg::string< ',', ' ' >, peg::sor< TAO_PEGTL_STRING( "coalesced" ), TAO_PEGTL_STRING( "local" ), TAO_PEGTL_STRING( "skewed" ), TAO_PEGTL_STRING( "Statistics(" ) > > {};
struct tail_columnar : TAO_PEGTL_STRING( " (columnarIn=" ) {};
struct tail_reason : TAO_PEGTL_STRING( " [COMET" ) {};
struct tail_cut : TAO_PEGTL_STRING( "... " ) {};
struct tail : peg::sor< peg::seq< blanks, peg::at< peg::eolf > >, peg::seq< peg::at< peg::sor< tail_words, tail_columnar, tail_reason, tail_cut > >, rest > > {};
struct name_with_id : peg::seq< to_bracket, peg::until< peg::at< id, tail >, peg::one< '(' >, to_bracket >, id, tail > {};
struct name_without_id : rest {};

struct node : peg::seq< marks, peg::sor< name_with_id, name_without_id > > {};

// "+- == Final Plan ==": the head of one of the plans of an adaptive query.
struct final_plan : TAO_PEGTL_ISTRING( "Final Plan" ) {};
struct current_plan : TAO_PEGTL_ISTRING( "Current Plan" ) {};
struct initial_plan : TAO_PEGTL_ISTRING( "Initial Plan" ) {};
struct adaptive_title : peg::seq< peg::string< '=', '=', ' ' >, peg::sor< final_plan, current_plan, initial_plan >, peg::string< ' ', '=', '=' >, blanks, peg::at< peg::eolf > > {};
struct adaptive_header : peg::seq< adaptive_title, end > {};
struct tree_node : peg::seq< node, end > {};
struct tree_line : peg::seq< bars, connector, peg::sor< adaptive_header, tree_node > > {};
struct bare_adaptive_header : peg::seq< bars, adaptive_title, end > {};

// "== Physical Plan ==", "===== Subqueries =====".
struct banner_mark : peg::seq< peg::string< '=', '=' >, peg::star< peg::one< '=' > > > {};
struct banner_close : peg::seq< peg::one< ' ' >, banner_mark, blanks, peg::eolf > {};
struct banner_title : peg::plus< peg::not_at< banner_close >, peg::not_one< '\n' > > {};
struct banner : peg::seq< blanks, banner_mark, peg::one< ' ' >, banner_title, peg::one< ' ' >, banner_mark, blanks, end > {};

// "Subquery:1 Hosting operator id = 4 Hosting Expression = x", "Subplan:1".
struct host_id : peg::sor< number, unknown_id > {};
struct hosting_expression : rest {};
struct subquery_head : peg::seq< TAO_PEGTL_STRING( "Subquery:" ), number, TAO_PEGTL_STRING( " Hosting operator id = " ), host_id, blanks, peg::opt< TAO_PEGTL_STRING( "Hosting Expression = " ) >, hosting_expression, end > {};
struct subplan_head : peg::seq< TAO_PEGTL_STRING( "Subplan:" ), number, blanks, end > {};

// "(8) BroadcastHashJoin [codegen id : 2]", "(12) ReusedExchange [Reuses operator id: 6]".
struct block_id : number {};
struct block_codegen : number {};
struct block_reuses : peg::sor< number, unknown_id > {};
struct head_end : peg::seq<
    peg::opt< TAO_PEGTL_STRING( " [codegen id : " ), block_codegen, peg::one< ']' > >,
    peg::opt< TAO_PEGTL_STRING( " [Reuses operator id: " ), block_reuses, peg::one< ']' > >,
    blanks, peg::eolf > {};
struct block_name : peg::plus< peg::sor< peg::not_one< ' ', '\n' >, peg::seq< peg::not_at< head_end >, peg::one< ' ' > > > > {};
struct block_head : peg::seq< peg::one< '(' >, block_id, peg::string< ')', ' ' >, block_name, head_end > {};

// "Left keys [1]: [a#1]", "Condition : (a#1 > 5)", "Output: []".
struct label_character : peg::sor< peg::alnum, peg::one< ' ', '_', '.' > > {};
struct field_count : number {};
struct count_mark : peg::seq< peg::one< '[' >, field_count, peg::one< ']' > > {};
struct label : peg::seq< peg::alpha, peg::star< label_character > > {};  // takes the blank before '[' or ':' along
struct colon : peg::seq< peg::opt< count_mark >, peg::star< peg::one< ' ' > >, peg::one< ':' >, peg::at< peg::sor< peg::one< ' ' >, peg::eolf > > > {};
struct field_value : rest {};
struct field : peg::seq< label, colon, peg::opt< peg::one< ' ' > >, field_value, end > {};

struct blank_line : peg::seq< blanks, peg::eol > {};
struct last_blanks : peg::seq< peg::plus< peg::one< ' ', '\t' > >, peg::eof > {};
struct java_line : peg::seq< peg::string< '/', '*', ' ' >, number, peg::string< ' ', '*', '/' >, rest, end > {};
struct own_header_text : rest {};
struct own_header : peg::seq< blanks, peg::string< '-', '-' >, blanks, TAO_PEGTL_STRING( "planvet:" ), blanks, own_header_text, end > {};
struct cut_count : number {};
struct cut_line : peg::seq< TAO_PEGTL_STRING( "Truncated plan of " ), cut_count, TAO_PEGTL_STRING( " characters" ), blanks, end > {};
struct plain_line : peg::seq< blanks, node, end > {};

struct any : peg::sor< tree_line, field, blank_line, block_head, bare_adaptive_header, banner, subquery_head, subplan_head, cut_line, java_line, own_header, last_blanks, plain_line > {};
struct document : peg::until< peg::eof, any > {};

// clang-format on

}  // namespace planvet::grammar::line
