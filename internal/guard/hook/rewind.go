package hook

import "fettle/internal/guard/transcript"

// rewound forgets what was counted since the point to which the person has taken the conversation back: it did not happen any more. Asked once
// after each message, of the transcript's end. Which files the agent has written is not forgotten, as they may still be there.
func (s *session) rewound(o *occasion) bool {
	if s.Since != 1 || s.Spoken < 2 || o.Agent != "" || o.Transcript == "" || !transcript.Rewound(o.Transcript) {
		return false
	}
	s.Failures, s.Denied, s.Pending, s.Known, s.Acts = nil, nil, nil, nil, 0
	s.Refused, s.Errored, s.First = false, "", ""
	s.Words = s.Words[max(0, len(s.Words)-1):] // which of the others still stand is not known
	return true
}
