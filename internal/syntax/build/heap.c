// The heap of a parser: blocks of 32 sizes in steps of 16 bytes, above that powers of two. A block that is freed waits for the
// next request of its size; everything is given back at once when the next source comes. A request that cannot be met is a trap.
#include "heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Block {
  uint32_t class; // stays in front of the bytes that are handed out
  uint32_t unused;
  struct Block *next; // the next free one; the first of the bytes that are handed out
} Block;

enum { HEADER = 8, STEP = 16, SMALL = 32, CLASSES = SMALL + 24, PAGE = 65536, GROW = 16 * PAGE };

extern uint8_t __heap_base; // set by the linker: the end of the grammar's tables

static uint8_t *top = &__heap_base;
static Block *waiting[CLASSES];
static bool full;

void heap_reset(void) {
  top = (uint8_t *)(((uintptr_t)&__heap_base + STEP - 1) / STEP * STEP);
  memset(waiting, 0, sizeof waiting);
}

bool heap_full(void) { return full; }

void *heap_take(size_t size) {
  size_t whole = (size + STEP - 1) / STEP * STEP;
  size_t have = __builtin_wasm_memory_size(0) * (size_t)PAGE - (size_t)(uintptr_t)top;
  if (whole > have) {
    size_t more = whole - have < GROW ? GROW : whole - have;
    if (__builtin_wasm_memory_grow(0, (more + PAGE - 1) / PAGE) == (size_t)-1) {
      full = true;
      __builtin_trap();
    }
  }
  void *taken = top;
  top += whole;
  return taken;
}

static uint32_t class_of(size_t size) {
  size_t whole = size + HEADER;
  if (whole <= STEP * SMALL) return (whole - 1) / STEP;
  return SMALL + (31 - __builtin_clz((whole - 1) / (STEP * SMALL)));
}

static size_t size_of(uint32_t class) {
  if (class < SMALL) return (size_t)STEP * (class + 1);
  return (size_t)STEP * SMALL * 2 << (class - SMALL);
}

void *malloc(size_t size) {
  if (size > 1u << 30) __builtin_trap(); // no source is that large
  uint32_t class = class_of(size);
  Block *block = waiting[class];
  if (block) {
    waiting[class] = block->next;
    return &block->next;
  }
  block = heap_take(size_of(class));
  block->class = class;
  return &block->next;
}

void free(void *bytes) {
  if (!bytes) return;
  Block *block = (Block *)((uint8_t *)bytes - HEADER);
  block->next = waiting[block->class];
  waiting[block->class] = block;
}

void *calloc(size_t count, size_t size) {
  size_t whole;
  if (__builtin_mul_overflow(count, size, &whole)) __builtin_trap();
  return memset(malloc(whole), 0, whole);
}

void *realloc(void *bytes, size_t size) {
  if (!bytes) return malloc(size);
  Block *block = (Block *)((uint8_t *)bytes - HEADER);
  size_t had = size_of(block->class) - HEADER;
  if (size <= had) return bytes;
  void *moved = malloc(size);
  memcpy(moved, bytes, had);
  free(bytes);
  return moved;
}
