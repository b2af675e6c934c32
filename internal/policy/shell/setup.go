package shell

import (
	"slices"
	"strings"
)

// setup says of a program that what it prints is to be evaluated, and sets a shell up for it.
const setup = "setup"

// profiles are the files by which people's own shells are set up: those that they read when they begin, and those of programs that are nothing but functions of a shell.
// Below a home, but for those that begin with a slash. Whoever may write there may do so for every shell that is started, and none of them is an agent's to write.
const profiles = ` .nvm/nvm.sh .nvm/bash_completion .cargo/env .ghcup/env .deno/env .local/bin/env .asdf/asdf.sh .rvm/scripts/rvm .sdkman/bin/sdkman-init.sh
 .opam/opam-init/init.sh .opam/opam-init/init.zsh .bashrc .bash_profile .bash_login .profile .zshrc .zprofile .zshenv .bash_aliases .fzf.bash .fzf.zsh .iterm2_shell_integration.bash
 miniconda3/etc/profile.d/conda.sh anaconda3/etc/profile.d/conda.sh miniforge3/etc/profile.d/conda.sh mambaforge/etc/profile.d/conda.sh .nix-profile/etc/profile.d/nix.sh
 emsdk/emsdk_env.sh google-cloud-sdk/path.bash.inc google-cloud-sdk/completion.bash.inc
 /etc/profile /etc/bashrc /etc/bash.bashrc /etc/profile.d/nix.sh /usr/share/nvm/init-nvm.sh /opt/conda/etc/profile.d/conda.sh /usr/share/bash-completion/bash_completion
 /opt/homebrew/opt/nvm/nvm.sh /usr/local/opt/nvm/nvm.sh /opt/homebrew/opt/asdf/libexec/asdf.sh /nix/var/nix/profiles/default/etc/profile.d/nix-daemon.sh `

// setsUp reports a file by which the person's own shell is set up, where the command has not made a home of another folder.
func (s *shell) setsUp(at located) bool {
	if _, moved := s.vars.get("HOME"); moved || at.several() {
		return false
	}
	path, below := within(s.at.Home, at.path)
	if !below {
		path = at.path
	}
	return slices.Contains(strings.Fields(profiles), path) && s.unmoved("HOME")
}

// unmoved reports that the command does not say that a program, or what it keeps in the home, lies where an agent may have put it.
func (s *shell) unmoved(program string) bool {
	for name, v := range s.vars.m {
		if name == "PATH" && s.searchesOwn(v) {
			return false
		}
		if name != "HOME" && !strings.HasPrefix(name, "XDG_") && !strings.Contains(name, program) || strings.Trim(v.text, "0123456789") == "" {
			continue
		}
		if at := s.locate(v, s.cwd); at.several() || at.zone != Home && at.zone != System && at.zone != Elsewhere && at.path != s.at.Home {
			return false
		}
	}
	return true
}

// setsUp reports that what the program prints is its own.
func (v *invocation) setsUp() bool {
	name, _, _ := strings.Cut(v.name, " ")
	return v.prog.Prints == setup && v.unmoved(strings.ToUpper(name))
}

// searchesOwn reports a PATH in which a folder is one where an agent may put programs.
func (s *shell) searchesOwn(path value) bool {
	for folder := range strings.SplitSeq(path.text, ":") {
		if at := s.locate(value{folder, path.from}, s.cwd); folder != string(hole) && (at.several() || at.zone.own() || at.zone == Scratch || at.zone == Generated) {
			return true
		}
	}
	return false
}
