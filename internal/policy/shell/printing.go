package shell

import (
	"strings"
)

// echo prints its arguments.
func echo(s *shell, argv []value) value {
	end, escapes := "\n", false
	rest := argv[1:]
	for len(rest) > 0 && len(rest[0].text) > 1 && rest[0].text[0] == '-' && strings.Trim(rest[0].text[1:], "neE") == "" {
		for _, c := range rest[0].text[1:] {
			switch c {
			case 'n':
				end = ""
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		rest = rest[1:]
	}
	out := words(rest).literal()
	if out.from&fromSecret != 0 {
		s.note(Print, out.show(), "echo")
	}
	if escapes {
		out = out.escaped()
	}
	return out.plus(known(end))
}

// printf prints by a format, again and again until its arguments are used up.
func printf(s *shell, argv []value) value {
	s.subscripts(argv[:min(3, len(argv))])
	rest := argv[1:]
	to := ""
	for len(rest) > 1 && strings.HasPrefix(rest[0].text, "-") {
		if rest[0].text == "-v" {
			to = rest[1].text
			rest = rest[1:]
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return value{}
	}
	out := format(rest[0].literal(), rest[1:])
	if to != "" {
		s.assignTo(to, out)
		return value{}
	}
	if out.from&fromSecret != 0 {
		s.note(Print, out.show(), "printf")
	}
	return out
}

// format applies a format to arguments. The conversions of text are exact; of numbers only that they are numbers matters.
func format(form value, args []value) value {
	var out value
	from := form.escaped().from
	for _, a := range args {
		from |= a.from
	}
	const most = 64
	for turn := 0; turn < most && (turn == 0 || len(args) > 0); turn++ {
		before := len(args)
		out, args = formatOnce(form.text, args, out)
		if len(args) == before {
			break
		}
	}
	out.from = from
	return out
}

func formatOnce(form string, args []value, out value) (value, []value) {
	next := func() value {
		if len(args) == 0 {
			return value{}
		}
		a := args[0].literal()
		args = args[1:]
		return a
	}
	for i := 0; i < len(form); i++ {
		if form[i] != '%' {
			j := i
			for j < len(form) && form[j] != '%' {
				j++
			}
			out.text += ansi(form[i:j])
			i = j - 1
			continue
		}
		j := i + 1
		for j < len(form) && strings.IndexByte("-+ #0123456789.*", form[j]) >= 0 {
			j++
		}
		if j == len(form) {
			break
		}
		switch form[j] {
		case '%':
			out.text += "%"
		case 's', 'q':
			a := next()
			if j > i+1 { // a width fills it up, a precision cuts it off
				a = unknown(a.from)
			}
			out = out.plus(a)
		case 'b':
			a := next()
			a.text = ansi(a.text)
			out = out.plus(a)
		case 'c':
			if a := next(); a.text != "" {
				out.text += a.text[:1]
			}
		default:
			next()
			out = out.plus(anything)
		}
		i = j
	}
	return out, args
}
