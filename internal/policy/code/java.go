package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// disabled are protections of web applications that can be turned off.
var disabled = pattern.New(`(?i)csrf|frameOptions|contentSecurityPolicy|xssProtection|hsts|httpStrictTransportSecurity`)

var javaRules = pattern.Table(func() *ruleset {
	return &ruleset{
		mentions: mentionsOf(
			mentionRow{Dynamic, Danger, `ScriptEngineManager javax.script.ScriptEngineManager GroovyShell groovy.lang.GroovyShell javax.tools.ToolProvider ToolProvider
			SpelExpressionParser MVEL.eval Ognl.getValue JShell.create URLClassLoader`},
			mentionRow{Deserialization, Danger, `ObjectInputStream java.io.ObjectInputStream XMLDecoder java.beans.XMLDecoder XStream com.thoughtworks.xstream.XStream SerializationUtils.deserialize`},
			mentionRow{Interference, Danger, `System.setSecurityManager`},
			mentionRow{Native, Danger, `Unsafe.getUnsafe sun.misc.Unsafe.getUnsafe System.load Runtime.getRuntime().load`},
			mentionRow{Native, Review, `System.loadLibrary`},
			mentionRow{Network, Note, `URL Socket java.net.URL java.net.Socket HttpClient.newHttpClient HttpURLConnection HttpRequest.newBuilder`},
			mentionRow{Weakening, Danger, `NoopHostnameVerifier.INSTANCE NoopHostnameVerifier X509TrustManager X509ExtendedTrustManager NoOpPasswordEncoder.getInstance TrustAllStrategy.INSTANCE TrustAllStrategy
			InsecureTrustManagerFactory.INSTANCE AllowAllHostnameVerifier SSLSocketFactory.ALLOW_ALL_HOSTNAME_VERIFIER
			SSLConnectionSocketFactory.ALLOW_ALL_HOSTNAME_VERIFIER PlaintextPasswordEncoder Algorithm.none`},
			mentionRow{Weakening, Review, `User.withDefaultPasswordEncoder MessageDigestPasswordEncoder Md4PasswordEncoder LdapShaPasswordEncoder StandardPasswordEncoder TrustSelfSignedStrategy TrustSelfSignedStrategy.INSTANCE`},
			mentionRow{Dynamic, Review, `JexlBuilder JexlEngine MVEL.executeExpression MVEL.compileExpression Ognl.parseExpression`},
		),
		calls: callsOf(
			callRow{"Runtime.getRuntime().exec", func(c *call) *hit {
				if v := c.arg(0, ""); v.isList {
					return c.argv(v)
				}
				if harmless(c.arg(0, "")) {
					return c.hit(Process, Note)
				}
				return c.hit(Process, Danger)
			}},
			callRow{javaStarters, func(c *call) *hit {
				if len(c.args) == 1 && c.args[0].isList {
					return c.argv(c.args[0])
				}
				if h := c.argv(value{isList: true, list: c.args}); h != nil {
					return h
				}
				if len(c.args) > 0 && !c.args[0].known() && c.s.foreign(c.node(0)) {
					return c.hit(Process, Review)
				}
				return nil
			}},
			callRow{`DocumentBuilderFactory.newInstance SAXParserFactory.newInstance XMLInputFactory.newInstance XMLInputFactory.newFactory XMLReaderFactory.createXMLReader
			SAXReader SAXBuilder DocumentBuilderFactory.newDefaultInstance`, javaXML},
			callRow{"ProcessHandle.allProcesses ProcessHandle.of", javaEnds},
			callRow{"PasswordEncoder", javaEncoder},
			callRow{"Velocity.evaluate", draftAt(3)},
			callRow{"Template", draftAt(1)},
			callRow{"JWT.decode", javaDecodes},
			callRow{"Expression java.beans.Expression java.beans.Statement", javaNamed},
			callRow{`DSL.condition DSL.sql DSL.field Restrictions.sqlRestriction`, func(c *call) *hit { return c.fragment() }},
			callRow{"Class.forName", unlessKnown(Dynamic, Review)},
			callRow{"CommandLine.parse", unlessKnown(Process, Danger)},
			callRow{"defineClass", always(Dynamic, Danger)},
			callRow{"FileUtils.deleteDirectory FileUtils.forceDelete FileSystemUtils.deleteRecursively", func(c *call) *hit { return c.folder(c.arg(0, "")) }},
			callRow{"PosixFilePermissions.fromString", func(c *call) *hit {
				if t := c.arg(0, "").text; len(t) == 9 && t[7] == 'w' {
					return c.hit(Weakening, Review)
				}
				return nil
			}},
			callRow{"Random Math.random ThreadLocalRandom.current RandomStringUtils.randomNumeric RandomStringUtils.randomAlphanumeric RandomStringUtils.randomAlphabetic RandomStringUtils.random SplittableRandom", weakRandom},
			callRow{"MessageDigest.getInstance DigestUtils.md5Hex DigestUtils.sha1Hex DigestUtils.md5 DigestUtils.sha1 DigestUtils.md5DigestAsHex Hashing.md5 Hashing.sha1", weakHash},
			callRow{"Cipher.getInstance", weakCipher},
			callRow{"System.setProperty", func(c *call) *hit {
				if properties.MatchString(c.arg(0, "").text) {
					return c.hit(Interference, Review)
				}
				return nil
			}},
			callRow{"Files.delete Files.deleteIfExists Files.write Files.writeString Files.move FileWriter FileOutputStream PrintWriter RandomAccessFile FileUtils.write FileUtils.writeStringToFile", writes},
			callRow{"Files.copy FileUtils.copyFile FileUtils.copyDirectory", copiesFile},
			callRow{"Files.readString Files.readAllBytes Files.readAllLines FileReader FileInputStream", func(c *call) *hit { return c.read(c.arg(0, "")) }},
			callRow{"System.exit Runtime.getRuntime().halt", func(c *call) *hit {
				if strings.HasSuffix(c.path, "halt") {
					return c.hit(Interference, Danger)
				}
				return endsWhileLoading(c)
			}},
		),
		methods: callsOf(
			callRow{"exec", func(c *call) *hit {
				if strings.Contains(strings.ToLower(c.receiver()), "runtime") || c.object().path == "?rt" {
					return c.hit(Process, Danger)
				}
				return nil
			}},
			callRow{"readObject readUnshared", always(Deserialization, Danger)},
			callRow{"getMethod getDeclaredMethod", javaReflection},
			callRow{"findVirtual findStatic findSpecial bind", javaHandle},
			callRow{"invokeMethod invokeExactMethod invokeStaticMethod findMethod", javaNamed},
			callRow{"hostnameVerifier setSSLHostnameVerifier loadTrustMaterial", javaAccepts},
			callRow{"parseClaimsJwt parsePlaintextJwt parseUnsecuredClaims unsecured setSkipSignatureVerification", always(Weakening, Danger)},
			callRow{"createTemplate render createExpression createScript", draftBy(engines, 0)},
			callRow{"compileInline getLiteralTemplate buildConstraintViolationWithTemplate", draftAt(0)},
			callRow{"search", asksOf(ldapFilters)},
			callRow{"evaluate compile selectNodes selectSingleNode", asksOf(xpaths)},
			callRow{"setTagInspector", func(c *call) *hit {
				return given(c.node(0) != nil && c.s.accepts(c.node(0)), Deserialization, "setTagInspector")
			}},
			callRow{"where and or having", func(c *call) *hit { return c.condition() }},
			callRow{"anyRequest", func(c *call) *hit {
				if up := c.n.Parent; up.Is(program.Attr) && up.Name == "permitAll" {
					return &hit{Weakening, Review, "permitAll"}
				}
				return nil
			}},
			callRow{"eval", javaEval},
			callRow{"command", javaBuilder},
			callRow{"setCommand", unlessKnown(Process, Review)},
			callRow{"setConfig", func(c *call) *hit {
				return given(c.arg(0, "").text == "StrictHostKeyChecking" && c.arg(1, "").text == "no", Weakening, "StrictHostKeyChecking")
			}},
			callRow{"load loadAs loadAll", yamlOf},
			callRow{"enableDefaultTyping activateDefaultTyping", always(Deserialization, Danger)},
			callRow{"readClassAndObject", always(Deserialization, Review)},
			callRow{"lookup", jndi},
			callRow{"delete renameTo createNewFile mkdirs", func(c *call) *hit { return c.write(c.object()) }},
			callRow{"setWritable setReadable setExecutable", func(c *call) *hit {
				may, _ := c.s.says(c.node(0))
				if _, everybody := c.s.says(c.node(1)); may && everybody {
					return c.hit(Weakening, Review)
				}
				return nil
			}},
			callRow{"disable", func(c *call) *hit {
				if disabled.MatchString(c.receiver()) {
					return c.hit(Weakening, Review)
				}
				return nil
			}},
			callRow{"print println write printf format append", writesPage},
			callRow{"setAccessible", always(Dynamic, Review)},
			callRow{"defineClass", always(Dynamic, Danger)},
			callRow{"loadClass", func(c *call) *hit {
				if strings.HasPrefix(c.receiver(), "super") || c.receiver() == "this" || len(c.args) == 0 {
					return nil // a loader's own
				}
				return unlessKnown(Dynamic, Review)(c)
			}},
			callRow{`executeQuery executeUpdate execute createQuery createNativeQuery prepareStatement queryForList queryForObject queryForMap update batchUpdate
			query queryForStream queryForRowSet addBatch executeLargeUpdate prepareCall createSQLQuery`, func(c *call) *hit { return c.execute() }},
			callRow{"allowCredentials setAllowCredentials", javaOrigins},
			callRow{"createValueExpression createMethodExpression", func(c *call) *hit {
				if n := c.node(1); n != nil && c.s.taint(n, 0).from == said && !c.s.looked(c.n, n) {
					return c.hit(Dynamic, Danger)
				}
				return nil
			}},
			callRow{"setHostnameVerifier setDefaultHostnameVerifier", always(Weakening, Review)},
		),
		texts: []textRow{
			{pattern.New(`-agentlib:jdwp=[^"\s]*address=(\*|0\.0\.0\.0)`), hit{Weakening, Danger, "jdwp"}},
			{pattern.New(`^"\{noop\}`), hit{Weakening, Review, "{noop}"}},
		},
		environment: set("System.getenv System.getenv()"),
	}
})
