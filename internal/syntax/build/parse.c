// The border between Go and tree-sitter: one grammar, one source at a time. Go asks for room for a source, lets the parser
// work in short turns, so that it can give up between two of them, and fetches the whole tree as one array. What a parse took
// from the heap is given back all at once by the next request for room, so that no source can leave anything behind for the next.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "heap.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

// GRAMMAR is the grammar's own function, named by build.sh.
const TSLanguage *GRAMMAR(void);

// Node is a node of the tree as Go reads it: little-endian, in pre-order.
typedef struct {
  uint32_t start, end; // the bytes of the source that it spans
  uint32_t size;       // how many nodes it is, itself and everything below it
  uint16_t kind;
  uint8_t field; // the role it has in its parent; 0 is none
  uint8_t flags;
} Node;

enum { NAMED = 1, EXTRA = 2, MISSING = 4, HAS_ERROR = 8 };

// TURN is how many times the parser reports its progress before it must come back, about every hundred steps: some milliseconds.
enum { TURN = 100 };

static struct {
  char *text;
  uint32_t size;
  TSParser *parser;
  TSTree *tree;
  uint32_t reports;
} job;

static const char *read_source(void *unused, uint32_t at, TSPoint point, uint32_t *length) {
  (void)unused, (void)point;
  *length = at < job.size ? job.size - at : 0;
  return job.text + (job.size - *length);
}

static bool turn_is_over(TSParseState *state) {
  (void)state;
  return ++job.reports >= TURN;
}

// room forgets the last source and is where to put the next one.
char *EXPORT(room)(uint32_t size) {
  heap_reset();
  job.text = heap_take(size);
  job.size = size;
  job.tree = NULL;
  job.parser = ts_parser_new();
  if (!ts_parser_set_language(job.parser, GRAMMAR())) abort(); // the runtime and the grammar do not go together
  return job.text;
}

// parse works for one turn, and tells whether the tree is whole.
bool EXPORT(parse)(void) {
  TSInput input = {.read = read_source, .encoding = TSInputEncodingUTF8};
  TSParseOptions options = {.progress_callback = turn_is_over};
  job.reports = 0;
  job.tree = ts_parser_parse_with_options(job.parser, NULL, input, options);
  return job.tree != NULL;
}

static Node record(TSTreeCursor *cursor, uint32_t parent) {
  TSNode node = ts_tree_cursor_current_node(cursor);
  return (Node){
      .start = ts_node_start_byte(node),
      .end = ts_node_end_byte(node),
      .size = parent, // as long as it is open
      .kind = ts_node_symbol(node),
      .field = (uint8_t)ts_tree_cursor_current_field_id(cursor),
      .flags = (ts_node_is_named(node) ? NAMED : 0) | (ts_node_is_extra(node) ? EXTRA : 0) |
               (ts_node_is_missing(node) ? MISSING : 0) | (ts_node_has_error(node) ? HAS_ERROR : 0),
  };
}

// nodes is the tree: the number of its nodes in the upper half, where they are in the lower one.
uint64_t EXPORT(nodes)(void) {
  TSNode root = ts_tree_root_node(job.tree);
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  uint32_t count = 0, total = ts_node_descendant_count(root);
  Node *all = heap_take(total * sizeof(Node));
  uint32_t current = 0, parent = 0;
  for (;;) {
    if (count == total) abort(); // it has counted wrong
    current = count++;
    all[current] = record(&cursor, parent);
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      parent = current;
      continue;
    }
    for (;;) {
      parent = all[current].size;
      all[current].size = count - current;
      if (ts_tree_cursor_goto_next_sibling(&cursor)) break;
      if (!ts_tree_cursor_goto_parent(&cursor)) return (uint64_t)count << 32 | (uint32_t)(uintptr_t)all;
      current = parent;
    }
  }
}

// full reports whether it was for want of memory that a call has trapped.
bool EXPORT(full)(void) { return heap_full(); }

static char *put(char *to, const char *name) {
  size_t size = strlen(name ? name : "") + 1;
  if (size > 1) memcpy(to, name, size);
  else *to = 0;
  return to + size;
}

// names are the names of the kinds and then of the fields, from 0 up, each with a NUL behind it; before them stand, as two
// 32-bit numbers, how many there are of either.
uint32_t *EXPORT(names)(void) {
  heap_reset();
  const TSLanguage *grammar = GRAMMAR();
  uint32_t kinds = ts_language_symbol_count(grammar), fields = ts_language_field_count(grammar) + 1;
  size_t size = 2 * sizeof(uint32_t);
  for (uint32_t i = 0; i < kinds; i++) size += strlen(ts_language_symbol_name(grammar, i)) + 1;
  for (uint32_t i = 0; i < fields; i++) {
    const char *name = ts_language_field_name_for_id(grammar, i);
    size += strlen(name ? name : "") + 1;
  }
  uint32_t *all = heap_take(size);
  all[0] = kinds;
  all[1] = fields;
  char *to = (char *)&all[2];
  for (uint32_t i = 0; i < kinds; i++) to = put(to, ts_language_symbol_name(grammar, i));
  for (uint32_t i = 0; i < fields; i++) to = put(to, ts_language_field_name_for_id(grammar, i));
  return all;
}
