package assertions

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// IsEquality reports whether a function of this name asks whether two values are equal.
func IsEquality(name string) bool { return equalCalls[name] }

// equalCalls are functions that ask whether two values are equal.
var equalCalls = map[string]bool{
	"equals": true, "Equal": true, "DeepEqual": true, "isDeepStrictEqual": true, "deepEqual": true, "deepEquals": true, "isEqual": true, "is": true,
	"equalsIgnoreCase": true, "EqualFold": true, "includes": true, "contains": true, "__eq__": true, "eq": true, "Contains": true,
}

// Likens reports whether a call of this name asks, or asserts, that two values are equal.
func Likens(name string) bool { return IsEquality(name) || Matcher(name) == Equal }

// expectsEqual reports whether a call of this name asserts that two values are equal, and does not only ask.
func expectsEqual(name string) bool { return Matcher(name) == Equal && !IsEquality(name) }

// Comparing is how much a comparison by an operator demands.
func Comparing(op string) Strength { return compares[op] }

var compares = map[string]Strength{
	"==": Equal, "===": Equal, "is": Equal, "<": Ordered, "<=": Ordered, ">": Ordered, ">=": Ordered, "in": Within, "not in": Different,
	"!=": Different, "!==": Different, "is not": Different, "instanceof": Within,
}

// Opposite is the operator by which the opposite is asked.
func Opposite(op string) string { return opposites[op] }

var opposites = map[string]string{
	"==": "!=", "!=": "==", "===": "!==", "!==": "===", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}

// Matcher is how much an assertion of this name demands; nothing, where nobody knows it.
func Matcher(name string) Strength { return matchers[name] }

// matchers are the names of assertions by what they demand; of what is not here nobody knows.
var matchers = func() map[string]Strength {
	all := make(map[string]Strength)
	for s, names := range map[Strength]string{
		Equal: "assertEqual assertEquals Equal equal strictEqual deepEqual deepStrictEqual toBe toEqual toStrictEqual isEqualTo assertListEqual assertDictEqual assertTupleEqual " +
			"assertSetEqual assertSequenceEqual assertCountEqual assertArrayEquals assertIterableEquals assertSame assertIs isSameAs Same Exactly EqualValues JSONEq ElementsMatch " +
			"containsExactly eql eq assertMultiLineEqual EqualError toHaveReturnedWith toHaveBeenCalledWith toHaveBeenNthCalledWith assert_called_once_with toMatchSnapshot toMatchInlineSnapshot ErrorIs " +
			"toHaveText toHaveURL toHaveTitle toHaveValue toHaveTextContent toHaveDisplayValue toHaveAttribute toHaveCount",
		Settled: "NoError assertNull assertIsNone Nil toBeNull toBeUndefined isNull toBeVisible toBeHidden toBeChecked toBeDisabled toBeEnabled",
		Ordered: "assertGreater assertGreaterEqual assertLess assertLessEqual Greater GreaterOrEqual Less LessOrEqual toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan " +
			"toBeLessThanOrEqual toBeCloseTo assertAlmostEqual InDelta InEpsilon isGreaterThan isLessThan isBetween isCloseTo Len toHaveLength hasSize toHaveBeenCalledTimes assert_called_with",
		Within: "assertIn toContain toContainEqual toMatch toMatchObject contains Contains assertRegex Regexp isInstanceOf assertIsInstance toBeInstanceOf assertInstanceOf IsType " +
			"Subset assertRaisesRegex throws toThrow rejects assertRaises raises assertThrows Panics Error ErrorAs ErrorContains toThrowError doesNotMatch match toHaveProperty include " +
			"assert_called_once toHaveBeenCalledOnce Empty isEmpty toBeNaN Zero toContainText toHaveClass toBeInTheDocument",
		Different: "assertNotEqual assertNotEquals NotEqual notEqual notStrictEqual notDeepEqual assertNotIn NotContains assertIsNotNone assertNotNull NotNil toBeDefined isNotNull isNotEqualTo " +
			"NotEmpty isNotEmpty assertIsNot assertNotSame notDeepStrictEqual toHaveBeenCalled assert_called",
		Truthy: "assertTrue assertFalse True False ok toBeTruthy toBeFalsy isTrue isFalse doesNotThrow assertDoesNotThrow NotPanics",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = s
		}
	}
	return all
}()

// IsAsserting reports whether what is called is called on what asserts.
func IsAsserting(callee *code.Node) bool { return asserting.MatchString(callee.Text()) }

var asserting = pattern.New(`(?i)(^|\W)(assert|assertions|require|expect|should|t|self|this|softly|mock\w*)\b|assert`)
