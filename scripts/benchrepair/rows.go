package main

import (
	_ "embed"
)

//go:embed readings.json
var readings []byte

// limits are those of a row. The first candidate is applied however sure fettle is of it, because what is measured is what it holds likeliest, and
// how sure it is.
const limits = "limits: {confidence: 0, iterations: 1}\n"
