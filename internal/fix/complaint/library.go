package complaint

// modules are those of the languages' libraries whose names are used as they are.
var modules = map[string][]string{
	"Python": {
		"abc", "argparse", "array", "ast", "asyncio", "base64", "bisect", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "enum", "errno",
		"fnmatch", "fractions", "functools", "gc", "getpass", "glob", "gzip", "hashlib", "heapq", "hmac", "html", "inspect", "io", "itertools", "json", "locale", "logging", "math",
		"operator", "os", "pathlib", "pickle", "platform", "pprint", "queue", "random", "re", "secrets", "select", "shlex", "shutil", "signal", "socket", "sqlite3", "ssl", "stat",
		"statistics", "string", "struct", "subprocess", "sys", "tempfile", "textwrap", "threading", "time", "traceback", "types", "typing", "unicodedata", "unittest", "urllib", "uuid",
		"warnings", "weakref", "zipfile", "zlib",
	},
	"JavaScript": {"assert", "buffer", "crypto", "events", "fs", "http", "https", "net", "os", "path", "stream", "url", "util", "zlib"},
	"Go":         {"bufio", "bytes", "context", "errors", "fmt", "io", "log", "maps", "math", "net", "os", "path", "reflect", "regexp", "slices", "sort", "strconv", "strings", "sync", "time", "unicode"},
}

// homes are where names of the languages' libraries come from.
var homes = map[string]map[string]string{
	"Python": {
		"Any": "typing", "Callable": "typing", "ClassVar": "typing", "Dict": "typing", "Generator": "typing", "Iterable": "typing", "Iterator": "typing", "List": "typing",
		"Mapping": "typing", "NamedTuple": "typing", "Optional": "typing", "Sequence": "typing", "Set": "typing", "Tuple": "typing", "Type": "typing", "TypeVar": "typing",
		"Union": "typing", "cast": "typing", "overload": "typing", "Counter": "collections", "OrderedDict": "collections", "defaultdict": "collections", "deque": "collections",
		"namedtuple": "collections", "dataclass": "dataclasses", "field": "dataclasses", "Path": "pathlib", "partial": "functools", "reduce": "functools", "wraps": "functools",
		"lru_cache": "functools", "chain": "itertools", "combinations": "itertools", "groupby": "itertools", "product": "itertools", "permutations": "itertools", "timedelta": "datetime",
		"timezone": "datetime", "Enum": "enum", "ABC": "abc", "abstractmethod": "abc", "contextmanager": "contextlib", "suppress": "contextlib", "Decimal": "decimal",
		"Fraction": "fractions", "StringIO": "io", "BytesIO": "io", "deepcopy": "copy", "sqrt": "math", "ceil": "math", "floor": "math",
	},
	"Java": {
		"ArrayList": "java.util", "Arrays": "java.util", "Collection": "java.util", "Collections": "java.util", "Comparator": "java.util", "HashMap": "java.util", "HashSet": "java.util",
		"Iterator": "java.util", "LinkedHashMap": "java.util", "LinkedList": "java.util", "List": "java.util", "Locale": "java.util", "Map": "java.util", "Objects": "java.util",
		"Optional": "java.util", "Random": "java.util", "Scanner": "java.util", "Set": "java.util", "TreeMap": "java.util", "TreeSet": "java.util", "UUID": "java.util",
		"Collectors": "java.util.stream", "IntStream": "java.util.stream", "Stream": "java.util.stream", "Function": "java.util.function", "Predicate": "java.util.function",
		"Supplier": "java.util.function", "Consumer": "java.util.function", "File": "java.io", "IOException": "java.io", "InputStream": "java.io", "UncheckedIOException": "java.io",
		"Path": "java.nio.file", "Paths": "java.nio.file", "Files": "java.nio.file", "StandardCharsets": "java.nio.charset", "BigDecimal": "java.math", "BigInteger": "java.math",
		"Duration": "java.time", "Instant": "java.time", "LocalDate": "java.time", "Pattern": "java.util.regex", "Matcher": "java.util.regex",
	},
}
