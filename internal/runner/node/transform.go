package node

import (
	"fmt"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// loaders are how esbuild calls what files are written in.
var loaders = map[string]api.Loader{
	".js": api.LoaderJSX, ".cjs": api.LoaderJSX, ".mjs": api.LoaderJSX, ".jsx": api.LoaderJSX,
	".ts": api.LoaderTS, ".cts": api.LoaderTS, ".mts": api.LoaderTS, ".tsx": api.LoaderTSX,
}

// transform makes CommonJS of JavaScript of a source. An error is about the source: it does not parse, or cannot be made CommonJS.
func (s *sources) transform(file, text string, mapped bool) (served, error) {
	loader, known := loaders[path.Ext(file)]
	if !known {
		loader = api.LoaderJSX
	}
	esm := s.isModule(file, text)
	o := api.TransformOptions{
		Loader: loader, Format: api.FormatCommonJS, Target: api.ESNext, Platform: api.PlatformNode, Sourcefile: path.Base(file), LogLevel: api.LogLevelSilent,
		Supported: map[string]bool{"dynamic-import": false}, Charset: api.CharsetUTF8, TsconfigRaw: s.compiler(),
		Define: map[string]string{"import.meta.url": "__fettleURL", "import.meta.filename": "__filename", "import.meta.dirname": "__dirname"},
	}
	if mapped {
		o.Sourcemap, o.SourcesContent = api.SourceMapExternal, api.SourcesContentExclude
	}
	r := api.Transform(text, o)
	if len(r.Errors) > 0 {
		e := r.Errors[0]
		if e.Location != nil {
			return served{}, fmt.Errorf("%s:%d: %s", file, e.Location.Line, e.Text)
		}
		return served{}, fmt.Errorf("%s: %s", file, e.Text)
	}
	out := served{Text: string(r.Code), ESM: esm}
	if esm && !strings.HasPrefix(out.Text, `"use strict"`) {
		out.Text = `"use strict";` + out.Text
	}
	if mapped {
		marks, err := readMap(r.Map, out.Text, len(out.Text)-len(r.Code))
		if err != nil {
			return served{}, fmt.Errorf("source map of %s: %w", file, err)
		}
		out.Marks = marks
	}
	return out, nil
}

// compiler is what the project's own compiler is told, as far as it changes how a program runs.
func (s *sources) compiler() string {
	return `{"compilerOptions": {"verbatimModuleSyntax": false}}`
}
