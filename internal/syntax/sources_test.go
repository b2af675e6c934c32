package syntax_test

import (
	"slices"
	"testing"

	"fettle/internal/syntax"
)

// TestSources: what is hard to read about each language is read right. A wish is "kind text" of a node that must be there.
func TestSources(t *testing.T) {
	for _, test := range []struct {
		name   string
		lang   syntax.Lang
		src    string
		wishes []string
	}{
		{"f-strings", syntax.Python, "s = f'{a!r:>{w}} {{no}} {d[\"k\"]} {f\"{x}\"}'\n", []string{"interpolation {a!r:>{w}}", "format_expression {w}", "interpolation {d[\"k\"]}", "interpolation {x}"}},
		{"a string over lines", syntax.Python, "s = '''a\n# no comment\n'''  # one\nr = rb'\\x' b'y'\n", []string{"comment # one", "concatenated_string rb'\\x' b'y'"}},
		{"decorators", syntax.Python, "@a.b(1)\n@c\nasync def f(x, /, *, y: int = 1, **k) -> None: ...\n", []string{"decorator @a.b(1)", "decorator @c", "typed_default_parameter y: int = 1"}},
		{"match", syntax.Python, "match = 1\nmatch match:\n    case {'a': [x, *_], **r} if x: pass\n    case A(b=1) | None: pass\n", []string{"case_clause case A(b=1) | None: pass", "if_clause if x"}},
		{"walrus and type parameters", syntax.Python, "def f[T: int](x: T): return (y := x)\ntype A[T] = list[T]\n", []string{"named_expression y := x", "type_alias_statement type A[T] = list[T]"}},
		{"except*", syntax.Python, "try:\n  pass\nexcept* (A, B) as e:\n  raise\n", []string{"except_clause except* (A, B) as e:\n  raise"}},
		{"with in brackets", syntax.Python, "with (open(a) as f, open(b) as g):\n\tpass\n", []string{"as_pattern open(b) as g"}},
		{"indents of comments and strings", syntax.Python, "def f():\n    # c\n        # d\n    return (\n1)\n# e\n", []string{"return_statement return (\n1)", "comment # e"}},

		{"JSX", syntax.JavaScript, "const a = <A b={c} {...d}>text {e} <br/></A>;", []string{"jsx_attribute b={c}", "jsx_self_closing_element <br/>", "jsx_expression {e}"}},
		{"regular expression or division", syntax.JavaScript, "let a = b / c / d; let e = /f[/]g/u.test(h) ? 1 : i / 2;", []string{"regex /f[/]g/u", "binary_expression b / c / d", "binary_expression i / 2"}},
		{"templates", syntax.JavaScript, "x = tag`a ${b + `c ${d}`} \\` $ {`;", []string{"template_substitution ${b + `c ${d}`}", "template_substitution ${d}"}},
		{"semicolons left out", syntax.JavaScript, "let a = 1\nlet b = a\n++a\nreturn_: for (;;) break return_\n", []string{"update_expression ++a", "labeled_statement return_: for (;;) break return_"}},
		{"classes", syntax.JavaScript, "class A extends B { static #x = 1; static { f() } get y() { return #x in this } async *g() {} }", []string{"private_property_identifier #x", "class_static_block static { f() }"}},
		{"optional chaining", syntax.JavaScript, "a?.b?.[0]?.(c) ?? d; a ? .5 : 1; x ||= 1n;", []string{"number .5", "number 1n", "augmented_assignment_expression x ||= 1n"}},
		{"hash-bang and HTML comments", syntax.JavaScript, "#!/usr/bin/env node\n<!-- no -->\nf()\n", []string{"hash_bang_line #!/usr/bin/env node", "call_expression f()"}},

		{"generics", syntax.TypeScript, "function f<T extends keyof U, U = {}>(x: T): x is T & string { return g<T>(x)!; }", []string{"type_arguments <T>", "type_predicate x is T & string", "non_null_expression g<T>(x)!"}},
		{"decorators", syntax.TypeScript, "@C({a: 1}) class A { @I() private readonly x?: number; constructor(@P() public y: string) { super() } }", []string{"decorator @C({a: 1})", "decorator @I()", "decorator @P()", "accessibility_modifier public"}},
		{"types", syntax.TypeScript, "type A<T> = T extends (infer U)[] ? `a-${U & string}` : { readonly [K in keyof T]?: T[K] }; let x = y satisfies Z as const;", []string{"conditional_type T extends (infer U)[] ? `a-${U & string}` : { readonly [K in keyof T]?: T[K] }", "satisfies_expression y satisfies Z"}},
		{"a cast is no JSX", syntax.TypeScript, "let a = <T>b; const enum E { A = 1 << 2 } declare module 'm' { export = E; }", []string{"type_assertion <T>b", "binary_expression 1 << 2"}},
		{"JSX is no cast", syntax.TSX, "const f = <T,>(x: T) => <A<T> x={x}>{x as T}</A>;", []string{"as_expression x as T", "jsx_attribute x={x}", "type_parameters <T,>"}},

		{"text blocks", syntax.Java, "class A { String s = \"\"\"\n  a \"b\" \\\n  { // no\n  \"\"\"; }", []string{"string_literal \"\"\"\n  a \"b\" \\\n  { // no\n  \"\"\""}},
		{"records and sealed types", syntax.Java, "sealed interface S permits R {} record R<T>(@A int x, T... y) implements S { R { assert x > 0; } }", []string{"permits permits R", "compact_constructor_declaration R { assert x > 0; }", "spread_parameter T... y"}},
		{"switches", syntax.Java, "class A { int f(Object o) { return switch (o) { case R(int x, var y) when x > 1 -> x; case null, default -> { yield 0; } }; } }", []string{"guard when x > 1", "yield_statement yield 0;"}},
		{"generics or shifts", syntax.Java, "class A<T extends B<C<D>>> { void f() { int a = b >>> c; A::<X>g; } }", []string{"binary_expression b >>> c"}},
		{"lambdas and annotations", syntax.Java, "class A { @S({\"a\", B.C}) Runnable r = (final var x) -> { int @N [] y; }; var z = A[]::new; }", []string{"annotation @S({\"a\", B.C})", "method_reference A[]::new"}},

		{"generics", syntax.Go, "package p\n\ntype N interface{ ~int | ~string }\n\nfunc F[K comparable, V N](m map[K]V) (r []V) { return G[K, V](m)[:] }\n", []string{"type_arguments [K, V]", "type_elem ~int | ~string", "type_parameter_declaration V N"}},
		{"strings and runes", syntax.Go, "package p\n\nvar s, r = `a\n// no\n\\`, '\\''\n", []string{"raw_string_literal `a\n// no\n\\`", "rune_literal '\\''"}},
		{"composites in conditions", syntax.Go, "package p\n\nfunc f() {\n\tif x == (T{1}) {\n\t}\n\tfor range 3 {\n\t}\n\tselect {\n\tcase c <- <-d:\n\t}\n}\n", []string{"composite_literal T{1}", "send_statement c <- <-d"}},

		{"macros", syntax.Rust, "macro_rules! m { ($($x:expr),* $(,)?) => { vec![$($x + 1),*] }; }\nfn f() { m!{1, \"}\"}; println!(\"{x:?}\"); }\n", []string{"macro_invocation m!{1, \"}\"}", "token_repetition_pattern $($x:expr),*"}},
		{"lifetimes or characters", syntax.Rust, "fn f<'a>(x: &'a str) -> char { 'l: loop { break 'l }; 'a' }\n", []string{"lifetime 'a", "char_literal 'a'", "label 'l"}},
		{"raw strings and comments", syntax.Rust, "const S: &str = r#\"a\"b\"#; /* a /* b */ c */ /// doc\nfn f() { let r#type = br\"x\"; }\n", []string{"raw_string_literal r#\"a\"b\"#", "block_comment /* a /* b */ c */", "identifier r#type"}},
		{"the edition of 2024", syntax.Rust, "unsafe extern \"C\" { fn f(); }\nasync fn g() -> impl Fn() { if let Some(x) = a.await? && x > 1 {} ; let y @ 1..=2 = z else { return }; &raw const y }\n", []string{"let_condition let Some(x) = a.await?", "captured_pattern y @ 1..=2"}},
		{"generics or shifts", syntax.Rust, "fn f() { let a: Vec<Vec<u8>> = x.iter().collect::<Vec<_>>(); b >> c; }\n", []string{"binary_expression b >> c", "type_arguments <Vec<_>>"}},
	} {
		t.Run(string(test.lang)+" "+test.name, func(t *testing.T) {
			tree := parse(t, test.lang, test.src)
			sound(t, tree)
			var have []string
			for n := range tree.Root().Walk() {
				have = append(have, n.Kind()+" "+n.Text())
			}
			for _, w := range test.wishes {
				if !slices.Contains(have, w) {
					t.Errorf("there is no %q", w)
				}
			}
			if faults := tree.Errors(); len(faults) > 0 {
				t.Errorf("%d errors, the first %q", len(faults), faults[0].Text())
			}
			if t.Failed() {
				t.Log(tree.Root())
			}
		})
	}
}
