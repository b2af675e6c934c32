package code

import "strings"

var javaRules = ruleset{
	mentions: mentionsOf(
		mentionRow{Dynamic, Danger, `ScriptEngineManager javax.script.ScriptEngineManager GroovyShell groovy.lang.GroovyShell javax.tools.ToolProvider ToolProvider
			SpelExpressionParser MVEL.eval Ognl.getValue`},
		mentionRow{Deserialization, Danger, `ObjectInputStream java.io.ObjectInputStream XMLDecoder java.beans.XMLDecoder XStream com.thoughtworks.xstream.XStream`},
		mentionRow{Native, Danger, `Unsafe.getUnsafe sun.misc.Unsafe.getUnsafe System.load Runtime.getRuntime().load`},
		mentionRow{Native, Review, `System.loadLibrary`},
		mentionRow{Network, Note, `URL Socket java.net.URL java.net.Socket HttpClient.newHttpClient HttpURLConnection HttpRequest.newBuilder`},
		mentionRow{Weakening, Danger, `NoopHostnameVerifier.INSTANCE`},
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
		callRow{"Files.delete Files.deleteIfExists Files.write Files.writeString Files.move Files.copy FileWriter FileOutputStream", writes},
		callRow{"Files.readString Files.readAllBytes Files.readAllLines FileReader FileInputStream", func(c *call) *hit { return c.read(c.arg(0, "")) }},
		callRow{"System.exit Runtime.getRuntime().halt", func(c *call) *hit {
			if strings.HasSuffix(c.path, "halt") {
				return c.hit(Interference, Danger)
			}
			return nil
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
		callRow{"getMethod getDeclaredMethod", func(c *call) *hit {
			if c.arg(0, "").known() {
				return nil
			}
			return c.hit(Dynamic, Review)
		}},
		callRow{"setAccessible", always(Dynamic, Review)},
		callRow{"defineClass", always(Dynamic, Danger)},
		callRow{"executeQuery executeUpdate execute createQuery createNativeQuery prepareStatement", func(c *call) *hit { return c.execute() }},
		callRow{"setHostnameVerifier", always(Weakening, Review)},
	),
	environment: set("System.getenv System.getenv()"),
}
