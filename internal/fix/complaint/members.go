package complaint

import (
	"maps"
	"slices"
	"strings"
)

// members are what values of the languages' libraries can be asked for, those that people misspell: the checker knows them, and a source that asks
// for one wrongly need not ask for it anywhere else.
var members = map[string][]string{
	"Python": strings.Fields(`append extend insert remove pop clear index count sort reverse copy keys values items get setdefault update add discard union intersection difference
		issubset issuperset upper lower strip lstrip rstrip split rsplit splitlines join replace startswith endswith find rfind format title capitalize encode decode isdigit isalpha
		isalnum isspace isupper islower zfill ljust rjust center partition read write readline readlines writelines close flush seek group groups match search fullmatch findall finditer
		exists is_file is_dir read_text write_text parent suffix stem name mkdir iterdir sqrt floor ceil path environ getenv makedirs listdir dirname basename abspath dumps loads
		total_seconds strftime isoformat timestamp popleft appendleft most_common`),
	"Java": strings.Fields(`length charAt substring indexOf lastIndexOf contains startsWith endsWith isEmpty isBlank trim strip toLowerCase toUpperCase equals equalsIgnoreCase compareTo
		hashCode toString replace replaceAll split join valueOf format matches concat getBytes toCharArray chars repeat lines size add addAll remove removeAll removeIf get set put putAll
		putIfAbsent getOrDefault containsKey containsValue keySet values entrySet getKey getValue clear iterator hasNext next stream sort forEach computeIfAbsent computeIfPresent merge
		append insert reverse deleteCharAt setLength isPresent orElse orElseGet orElseThrow ifPresent map flatMap filter collect toList toArray anyMatch allMatch noneMatch findFirst
		findAny sorted distinct limit skip reduce count sum average min max mapToInt boxed push pop peek poll offer getMessage getCause printStackTrace getClass getName println printf
		print parseInt parseLong parseDouble intValue longValue doubleValue abs pow sqrt floor ceil round random asList singletonList emptyList unmodifiableList nextInt nextLine close
		read write flush readLine`),
}

// packages are those of Go's library that stand in a folder, by the name that they are used by; of two of a name the one that is used more.
var packages = map[string]string{}

func init() {
	for _, p := range strings.Fields(`archive/tar archive/zip compress/gzip compress/zlib container/heap container/list container/ring crypto/aes crypto/cipher crypto/hmac crypto/md5
		crypto/rsa crypto/sha1 crypto/sha256 crypto/sha512 crypto/tls crypto/x509 database/sql encoding/base64 encoding/binary encoding/csv encoding/gob encoding/hex encoding/json
		encoding/pem encoding/xml go/ast go/format go/parser go/token go/types hash/crc32 hash/fnv io/fs io/ioutil log/slog math/big math/bits math/cmplx math/rand net/http
		net/http/httptest net/mail net/netip net/url os/exec os/signal os/user path/filepath runtime/debug runtime/pprof sync/atomic text/tabwriter text/template unicode/utf16
		unicode/utf8`) {
		packages[p[strings.LastIndexByte(p, '/')+1:]] = p
	}
	modules["Go"] = append(modules["Go"], "cmp", "embed", "flag", "hash", "html", "iter", "runtime", "syscall", "testing")
	for home, names := range map[string]string{
		"typing":             "Annotated AsyncGenerator AsyncIterator Awaitable Collection Final Literal NoReturn Protocol Self SupportsInt TYPE_CHECKING TextIO TypeAlias TypedDict Hashable Concatenate ParamSpec Generic",
		"functools":          "cached_property total_ordering singledispatch cache",
		"contextlib":         "asynccontextmanager closing redirect_stdout ExitStack nullcontext",
		"collections":        "ChainMap UserDict",
		"itertools":          "islice cycle repeat accumulate zip_longest starmap takewhile dropwhile pairwise",
		"dataclasses":        "asdict replace",
		"enum":               "IntEnum StrEnum auto",
		"concurrent.futures": "ThreadPoolExecutor ProcessPoolExecutor as_completed",
		"operator":           "itemgetter attrgetter",
		"types":              "SimpleNamespace MappingProxyType TracebackType",
		"urllib.parse":       "urlparse urljoin urlencode quote_plus",
		"datetime":           "timedelta",
		"pathlib":            "PurePath PurePosixPath",
		"string":             "ascii_lowercase ascii_uppercase ascii_letters digits",
		"threading":          "Thread Lock RLock",
		"uuid":               "uuid4 UUID",
		"argparse":           "ArgumentParser Namespace",
		"textwrap":           "dedent indent",
		"statistics":         "mean median stdev",
		"bisect":             "bisect_left bisect_right insort",
		"heapq":              "heappush heappop heapify",
		"tempfile":           "TemporaryDirectory NamedTemporaryFile mkdtemp",
		"inspect":            "isclass signature",
	} {
		for name := range strings.FieldsSeq(names) {
			homes["Python"][name] = home
		}
	}
	delete(homes["Python"], "replace")
	for home, names := range map[string]string{
		"java.util":                   "ArrayDeque Base64 BitSet Calendar ConcurrentModificationException Date Deque EnumMap EnumSet IdentityHashMap LinkedHashSet ListIterator NavigableMap NoSuchElementException OptionalDouble OptionalInt OptionalLong PriorityQueue Properties Queue ServiceLoader SortedMap SortedSet StringJoiner StringTokenizer Timer WeakHashMap",
		"java.util.stream":            "DoubleStream LongStream StreamSupport Collector",
		"java.util.function":          "BiConsumer BiFunction BiPredicate BinaryOperator BooleanSupplier DoubleFunction IntFunction IntPredicate IntUnaryOperator ToDoubleFunction ToIntFunction ToLongFunction UnaryOperator",
		"java.util.concurrent":        "Callable CompletableFuture ConcurrentHashMap ConcurrentLinkedQueue ConcurrentMap CopyOnWriteArrayList CountDownLatch ExecutionException Executor ExecutorService Executors Future LinkedBlockingQueue ScheduledExecutorService Semaphore ThreadLocalRandom TimeUnit TimeoutException",
		"java.util.concurrent.atomic": "AtomicBoolean AtomicInteger AtomicLong AtomicReference LongAdder",
		"java.util.concurrent.locks":  "Lock ReadWriteLock ReentrantLock ReentrantReadWriteLock",
		"java.io":                     "BufferedInputStream BufferedOutputStream BufferedReader BufferedWriter ByteArrayInputStream ByteArrayOutputStream Closeable EOFException FileInputStream FileNotFoundException FileOutputStream FileReader FileWriter InputStreamReader ObjectInputStream ObjectOutputStream OutputStream OutputStreamWriter PrintStream PrintWriter Reader Serializable StringReader StringWriter Writer",
		"java.nio.file":               "DirectoryStream FileVisitResult NoSuchFileException SimpleFileVisitor StandardCopyOption StandardOpenOption",
		"java.nio.charset":            "Charset",
		"java.nio":                    "ByteBuffer",
		"java.math":                   "MathContext RoundingMode",
		"java.time":                   "Clock DayOfWeek LocalDateTime LocalTime Month OffsetDateTime Period YearMonth ZoneId ZoneOffset ZonedDateTime",
		"java.time.format":            "DateTimeFormatter DateTimeParseException",
		"java.time.temporal":          "ChronoField ChronoUnit",
		"java.net":                    "HttpURLConnection InetAddress MalformedURLException ServerSocket Socket URI URISyntaxException URL URLDecoder URLEncoder",
		"java.net.http":               "HttpClient HttpRequest HttpResponse",
		"java.security":               "MessageDigest NoSuchAlgorithmException SecureRandom",
		"java.text":                   "DecimalFormat NumberFormat ParseException SimpleDateFormat",
		"java.lang.reflect":           "Constructor Field InvocationTargetException Method Modifier",
	} {
		for name := range strings.FieldsSeq(names) {
			homes["Java"][name] = home
		}
	}
	modules["JavaScript"] = append(modules["JavaScript"], "child_process", "dns", "querystring", "readline", "tls", "vm")
	homes["JavaScript"] = map[string]string{}
	for home, names := range map[string]string{
		"fs":            "readFileSync writeFileSync existsSync mkdirSync readdirSync statSync appendFileSync unlinkSync rmSync copyFileSync createReadStream createWriteStream mkdtempSync",
		"path":          "basename dirname extname",
		"url":           "fileURLToPath pathToFileURL",
		"util":          "promisify inspect isDeepStrictEqual",
		"events":        "EventEmitter once",
		"crypto":        "createHash createHmac randomBytes randomUUID",
		"child_process": "execFile execFileSync execSync spawn spawnSync fork",
		"os":            "tmpdir homedir cpus",
	} {
		for name := range strings.FieldsSeq(names) {
			homes["JavaScript"][name] = home
		}
	}
	homes["TypeScript"] = maps.Clone(homes["JavaScript"])
	modules["TypeScript"] = slices.Clone(modules["JavaScript"])
}
