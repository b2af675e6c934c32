package search

import (
	"slices"
	"testing"

	"fettle/internal/diag"
)

// What tests say of an exception that never came is read in the words of each of the frameworks.
func TestDemanded(t *testing.T) {
	for says, want := range map[string][]string{
		"Failed: DID NOT RAISE ValueError":                    {"ValueError"},
		"Failed: DID NOT RAISE <class 'shop.errors.TooMany'>": {"TooMany"},
		"AssertionError: KeyError not raised by f":            {"KeyError"},
		"Missing expected exception (RangeError).":            {"RangeError"},
		"Missing expected exception.":                         {"Error"},
		"expect(received).toThrow(expected)\nExpected constructor: TypeError\nReceived function did not throw": {"TypeError", "Error"},
		"AssertionError: expected [Function take] to throw RangeError":                                         {"RangeError"},
		"AssertionError: expected [Function take] to throw an error":                                           {"Error"},
		"Expected java.lang.IllegalArgumentException to be thrown, but nothing was thrown.":                    {"IllegalArgumentException"},
		"java.lang.AssertionError: Expected exception: java.lang.IllegalStateException":                        {"IllegalStateException"},
		"assert 3 == 4": nil,
	} {
		for _, d := range []diag.Diagnostic{{Message: says}, {Message: "it failed", Detail: says}} {
			if got := demanded([]diag.Diagnostic{d}); !slices.Equal(got, want) {
				t.Errorf("%q: %q, not %q", says, got, want)
			}
		}
	}
}
