package code

import "strings"

var javaRules = ruleset{
	mentions: mentionsOf(
		mentionRow{Dynamic, Danger, `ScriptEngineManager javax.script.ScriptEngineManager GroovyShell groovy.lang.GroovyShell javax.tools.ToolProvider ToolProvider
			SpelExpressionParser MVEL.eval Ognl.getValue JShell.create URLClassLoader`},
		mentionRow{Deserialization, Danger, `ObjectInputStream java.io.ObjectInputStream XMLDecoder java.beans.XMLDecoder XStream com.thoughtworks.xstream.XStream SerializationUtils.deserialize`},
		mentionRow{Deserialization, Review, `DocumentBuilderFactory.newInstance SAXParserFactory.newInstance XMLInputFactory.newInstance XMLInputFactory.newFactory`},
		mentionRow{Interference, Danger, `System.setSecurityManager`},
		mentionRow{Native, Danger, `Unsafe.getUnsafe sun.misc.Unsafe.getUnsafe System.load Runtime.getRuntime().load`},
		mentionRow{Native, Review, `System.loadLibrary`},
		mentionRow{Network, Note, `URL Socket java.net.URL java.net.Socket HttpClient.newHttpClient HttpURLConnection HttpRequest.newBuilder`},
		mentionRow{Weakening, Danger, `NoopHostnameVerifier.INSTANCE X509TrustManager`},
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
		callRow{"ProcessBuilder java.lang.ProcessBuilder", func(c *call) *hit {
			if len(c.args) == 1 && c.args[0].isList {
				return c.argv(c.args[0])
			}
			if h := c.argv(value{isList: true, list: c.args}); h != nil {
				return h
			}
			if len(c.args) > 0 && !c.args[0].known() {
				return c.hit(Process, Review)
			}
			return nil
		}},
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
		callRow{"Random Math.random ThreadLocalRandom.current", weakRandom},
		callRow{"MessageDigest.getInstance", weakHash},
		callRow{"Cipher.getInstance", weakCipher},
		callRow{"System.setProperty", func(c *call) *hit {
			if properties.MatchString(c.arg(0, "").text) {
				return c.hit(Interference, Review)
			}
			return nil
		}},
		callRow{"Files.delete Files.deleteIfExists Files.write Files.writeString Files.move Files.copy FileWriter FileOutputStream PrintWriter RandomAccessFile FileUtils.write FileUtils.writeStringToFile", writes},
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
			if c.node(1) != nil && c.node(1).Text() == "false" && c.node(0).Text() == "true" {
				return c.hit(Weakening, Review)
			}
			return nil
		}},
		callRow{"disable", func(c *call) *hit {
			if strings.Contains(c.receiver(), "csrf") {
				return c.hit(Weakening, Review)
			}
			return nil
		}},
		callRow{"print println write", written},
		callRow{"setAccessible", always(Dynamic, Review)},
		callRow{"defineClass", always(Dynamic, Danger)},
		callRow{"executeQuery executeUpdate execute createQuery createNativeQuery prepareStatement queryForList queryForObject queryForMap update batchUpdate", func(c *call) *hit { return c.execute() }},
		callRow{"setHostnameVerifier setDefaultHostnameVerifier", always(Weakening, Review)},
	),
	environment: set("System.getenv System.getenv()"),
}
