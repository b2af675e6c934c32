package hook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fettle/internal/guard"
	"fettle/internal/policy/shell"
)

// PostFile is where a guard that stays notes in the guard's folder where it is to be found.
const PostFile = "resident.json"

// itself refuses what reaches for the guard by what the policy cannot know: by a script that the agent has written before, or by the address of a guard that stays,
// and the settings in which its token stands. Everything else that is the guard's own is refused without a session, too ([guard.Judge]).
func (h *Hook) itself(s *session, o *occasion, v shell.Verdict) *shell.Verdict {
	own, err := ownPost(filepath.Dir(s.dir))
	if err != nil {
		return &shell.Verdict{Decision: shell.Deny, Class: "guard", Rule: "guard-own", Reason: "where the guard answers cannot be read: " + err.Error(),
			Alternative: "the person installs it again: fettle guard install"}
	}
	own.Folders = slices.Concat(guard.OwnOf(o.at).Folders, []string{filepath.Dir(s.dir)})
	if own.Listen != "" {
		usual := filepath.Join(o.at.Home, ".claude", "settings.json")
		for _, file := range append(own.Files, usual) {
			own.Files = append(own.Files, file, o.trail.follow(file)) // settings are often kept elsewhere and linked to
		}
	}
	for _, text := range o.trail.Scripts {
		if why := own.Names(text); why != "" {
			w := guard.Refused(v, why)
			return &w
		}
	}
	if own.Listen == "" {
		return nil
	}
	if w := own.Heed(v, o.Call, o.at); w.Decision > v.Decision {
		return &w
	}
	return nil
}

// ownPost is what there is of a guard that stays.
func ownPost(dir string) (own guard.Own, err error) {
	data, err := os.ReadFile(filepath.Join(dir, PostFile))
	if errors.Is(err, fs.ErrNotExist) {
		return own, nil
	}
	settings := ""
	if err == nil {
		err = read(data, []part{{name: "listen", at: &own.Listen}, {name: "settings", at: &settings}})
	}
	if settings != "" {
		own.Files = []string{settings}
	}
	return own, err
}
