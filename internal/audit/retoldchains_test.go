package audit_test

import (
	"strings"
	"testing"
)

// TestRetoldChains are tests of Java's that ask by a chain of AssertJ's or Truth's what they asked by a plain assertion, in either direction, and chains that ask less.
func TestRetoldChains(t *testing.T) {
	const path = "src/test/java/a/CartTest.java"
	file := func(imports, body string) string {
		return "package a;\n\n" + imports + "\nimport org.junit.jupiter.api.Test;\n\nclass CartTest {\n    @Test\n    void asks() {\n        Cart cart = Cart.of(\"tea\", 3);\n        cart.add(\"milk\");\n" + body + "    }\n}\n"
	}
	const (
		junit   = "import static org.junit.jupiter.api.Assertions.*;\n"
		assertj = "import static org.assertj.core.api.Assertions.assertThat;\n"
		truth   = "import static com.google.common.truth.Truth.assertThat;\n"
	)
	for _, c := range []struct {
		name, plain, library, chain string
	}{
		{"the object that is true", "assertTrue(cart.open());", truth, "assertThat(cart.open()).isEqualTo(Boolean.TRUE);"},
		{"the object that is false", "assertEquals(Boolean.FALSE, cart.open());", truth, "assertThat(cart.open()).isFalse();"},
		{"something is in it", "assertTrue(cart.names().contains(\"tea\"));", assertj, "assertThat(cart.names()).contains(\"tea\");"},
		{"something is not in it", "assertFalse(cart.names().contains(\"coal\"));", truth, "assertThat(cart.names()).doesNotContain(\"coal\");"},
		{"two are in it", "assertTrue(cart.names().contains(\"tea\"));\n        assertTrue(cart.names().contains(\"milk\"));", assertj, "assertThat(cart.names()).contains(\"tea\", \"milk\");"},
		{"how a text begins and ends", "assertTrue(cart.text().startsWith(\"tea\"));\n        assertFalse(cart.text().endsWith(\"x\"));", assertj, "assertThat(cart.text()).startsWith(\"tea\");\n        assertThat(cart.text()).doesNotEndWith(\"x\");"},
		{"nothing is in it", "assertTrue(cart.left().isEmpty());", truth, "assertThat(cart.left()).isEmpty();"},
		{"something is", "assertFalse(cart.names().isEmpty());", assertj, "assertThat(cart.names()).as(\"names of %s\", cart).isNotEmpty();"},
		{"how many there are", "assertEquals(2, cart.names().size());", assertj, "assertThat(cart.names()).hasSize(2);"},
		{"a key", "assertTrue(cart.prices().containsKey(\"tea\"));", truth, "assertThat(cart.prices()).containsKey(\"tea\");"},
		{"the same object", "assertSame(cart.owner(), cart.payer());", truth, "assertThat(cart.payer()).isSameInstanceAs(cart.owner());"},
		{"a kind", "assertTrue(cart.owner() instanceof Person);", assertj, "assertThat(cart.owner()).isInstanceOf(Person.class);"},
		{"a kind, by JUnit", "assertInstanceOf(Person.class, cart.owner());", truth, "assertThat(cart.owner()).isInstanceOf(Person.class);"},
		{"more than", "assertTrue(cart.total() > 3);", truth, "assertThat(cart.total()).isGreaterThan(3);"},
		{"nought", "assertEquals(0, cart.debt());", assertj, "assertThat(cart.debt()).isZero();"},
		{"all there are", "assertEquals(List.of(\"tea\", \"milk\"), cart.names());", assertj, "assertThat(cart.names()).containsExactly(\"tea\", \"milk\");"},
		{"all there are, in their order", "assertEquals(Arrays.asList(\"tea\", \"milk\"), cart.names());", truth, "assertThat(cart.names()).containsExactly(\"tea\", \"milk\").inOrder();"},
		{"what an error says", "assertEquals(\"full\", cart.last().getMessage());", assertj, "assertThat(cart.last()).hasMessage(\"full\");"},
		{"a part of what it says", "assertTrue(cart.last().getMessage().contains(\"full\"));", truth, "assertThat(cart.last()).hasMessageThat().contains(\"full\");"},
	} {
		plain, chain := file(junit, "        "+c.plain+"\n"), file(c.library, "        "+c.chain+"\n")
		retelling{c.name, path, plain, chain, false}.try(t)
		retelling{c.name + ", turned round", path, chain, plain, false}.try(t)
	}
	const (
		in   = "        assertTrue(cart.names().contains(\"tea\"));\n"
		out  = "        assertFalse(cart.names().contains(coals));\n"
		all  = "        assertEquals(List.of(\"tea\", \"milk\"), cart.names());\n"
		open = "        assertTrue(cart.open());\n"
	)
	for _, c := range []struct{ name, plain, imports, chain string }{
		{"the other truth", open, truth, "        assertThat(cart.open()).isEqualTo(Boolean.FALSE);\n"},
		{"a truth of somebody else's", open, truth + "import a.fakes.Boolean;\n", "        assertThat(cart.open()).isEqualTo(Boolean.TRUE);\n"},
		{"one of several", in, assertj, "        assertThat(cart.names()).containsAnyOf(\"tea\", \"coal\");\n"},
		{"nobody asks", in, assertj, "        assertThat(cart.names());\n"},
		{"nothing is asked for", in, assertj, "        assertThat(cart.names()).contains();\n"},
		{"another thing", in, assertj, "        assertThat(cart.names()).contains(\"coal\");\n"},
		{"in something else", in, assertj, "        assertThat(List.of(\"tea\")).contains(\"tea\");\n"},
		{"that it is not", in, assertj, "        assertThat(cart.names()).doesNotContain(\"tea\");\n"},
		{"in any order, by Truth", all, truth, "        assertThat(cart.names()).containsExactly(\"tea\", \"milk\");\n"},
		{"some of all", all, assertj, "        assertThat(cart.names()).contains(\"tea\", \"milk\");\n"},
		{"one of them less", all, assertj, "        assertThat(cart.names()).containsExactly(\"tea\");\n"},
		{"of a size at most", "        assertEquals(2, cart.names().size());\n", assertj, "        assertThat(cart.names()).hasSizeLessThan(3);\n"},
		{"a kind above it", "        assertTrue(cart.owner() instanceof Person);\n", assertj, "        assertThat(cart.owner()).isInstanceOf(Object.class);\n"},
		{"equal, where it was the same", "        assertSame(cart.owner(), cart.payer());\n", assertj, "        assertThat(cart.payer()).isEqualTo(cart.owner());\n"},
		{"a chain of somebody else's", in, "import static a.fakes.Asserts.assertThat;\n", "        assertThat(cart.names()).contains(\"tea\");\n"},
	} {
		retelling{c.name, path, file(junit, c.plain), file(c.imports, c.chain), true}.try(t)
	}
	const fake = "    static Chain assertThat(Object any) {\n        return new Chain();\n    }\n}\n"
	own := strings.TrimSuffix(file("", "        assertThat(cart.names()).contains(\"tea\");\n"), "}\n") + fake
	retelling{"a chain of the file's own", path, file(junit, in), own, true}.try(t)
	array := file(assertj, "        assertThat(cart.names()).doesNotContain(coals);\n")
	retelling{"that an array is not in it", path, array, file(junit, out), true}.try(t)
}
