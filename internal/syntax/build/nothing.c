// What tree-sitter's runtime mentions and a parser here never comes to: its logs, its drawings of a parse, its clock. They are
// empty, so that the module needs nothing from outside.
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#undef stderr
FILE *const stderr = NULL;

int fprintf(FILE *restrict f, const char *restrict format, ...) { return (void)f, (void)format, 0; }
int snprintf(char *restrict to, size_t size, const char *restrict format, ...) { return (void)format, size ? *to = 0 : 0; }
int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list args) {
  return (void)format, (void)args, size ? *to = 0 : 0;
}
int fputc(int c, FILE *f) { return (void)f, c; }
int fclose(FILE *f) { return (void)f, 0; }
size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict f) { return (void)from, (void)size, (void)f, count; }
FILE *fdopen(int fd, const char *mode) { return (void)fd, (void)mode, NULL; }
int clock_gettime(clockid_t clock, struct timespec *now) { return (void)clock, *now = (struct timespec){0}, 0; }
