//go:build !linux

package main

import "testing"

func TestMain(m *testing.M) {
	defer program.Remove()
	m.Run()
}
