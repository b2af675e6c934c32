package main

import (
	"testing"

	"fettle/internal/testenv/disk"
)

func TestMain(m *testing.M) {
	disk.Main()
	defer program.Remove()
	m.Run()
}
