#pragma once

#include <stdbool.h>
#include <stddef.h>

// heap_reset gives back all that was ever taken.
void heap_reset(void);

// heap_take is memory that stays until then.
void *heap_take(size_t size);

// heap_full reports whether there has been a request that could not be met.
bool heap_full(void);
