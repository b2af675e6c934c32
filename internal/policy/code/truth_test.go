package code_test

import "testing"

// TestTruth is an option that is on or off by a name, a default, a number or a double no, and beside each what says the other thing, or leaves it to others.
func TestTruth(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import requests\nVERIFY = False\nrequests.get(u, verify=VERIFY)", true},
		{"import requests\nVERIFY = True\nrequests.get(u, verify=VERIFY)", false},
		{"import requests\ndef get(u, verify=False):\n    return requests.get(u, verify=verify)", true},
		{"import requests\ndef get(u, verify=True):\n    return requests.get(u, verify=verify)", false},
		{"import requests\ndef get(u, verify=None):\n    return requests.get(u, verify=verify)", false},
		{"import requests\nrequests.get(u, verify=not True)", true},
		{"def f(session, u):\n    off = False\n    return session.get(u, verify=off)", true},
		{"def f(session):\n    session.verify = 0", true},
		{"def f(session):\n    session.verify = '/etc/ssl/ca.pem'", false},
		{"class A:\n    def __init__(self, verify=False):\n        self.verify = verify", false},
		{"import subprocess\nSHELL = True\nsubprocess.run(c, shell=SHELL)", true},
		{"import subprocess\nSHELL = False\nsubprocess.run(c, shell=SHELL)", false},
		{"import subprocess\ndef run(c, shell=False):\n    subprocess.run(c, shell=shell)", true},
		{"async def f(session, u):\n    return await session.get(u, ssl=False)", true},
		{"async def f(session, u):\n    return await session.get(u, ssl=None)", false},
		{"async def f(session, u, context):\n    return await session.get(u, ssl=context)", false},
		{"import ssl\nfrom urllib.request import urlopen\nurlopen(u, context=ssl.SSLContext())", true},
		{"import ssl\nfrom urllib.request import urlopen\nc = ssl.SSLContext(ssl.PROTOCOL_TLS)\nurlopen(u, context=c)", true},
		{"import ssl\nfrom urllib.request import urlopen\nurlopen(u, context=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))", false},
		{"import ssl\nfrom urllib.request import urlopen\nurlopen(u, context=ssl.create_default_context())", false},
		{"import ssl\nfrom urllib.request import urlopen\nc = ssl.SSLContext()\nc.verify_mode = ssl.CERT_REQUIRED\nurlopen(u, context=c)", false},
		{"import ssl\nc.verify_mode = ssl.VerifyMode.CERT_NONE", true},
		{"import ssl\nc.verify_mode = ssl.VerifyMode.CERT_REQUIRED", false},
		{"OFF = False\nsettings = {'verify_ssl': OFF}", true},
		{"def f(s):\n    s.timeout, s.verify = 5, False", true},
		{"def f(s):\n    s.verify, s.allow_redirects = True, False", false},
		{"import requests\nCA_BUNDLE = '/etc/ssl/ca.pem'\ndef get(u, verify=False):\n    if not verify:\n        verify = CA_BUNDLE\n    return requests.get(u, verify=verify)", false},
		{"ON = True\nsettings = {'verify_ssl': ON}", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const strict = false\nconst a = { rejectUnauthorized: strict }", true},
		{"const strict = true\nconst a = { rejectUnauthorized: strict }", false},
		{"const a = { rejectUnauthorized: undefined }", false},
		{"const f = (strict = false) => new https.Agent({ rejectUnauthorized: strict })", true},
		{"const f = (strict = true) => new https.Agent({ rejectUnauthorized: strict })", false},
		{"const shell = false\nrequire('child_process').spawn('git', ['log'], { shell })", false},
		{"const shell = true\nrequire('child_process').spawn('git', ['log'], { shell })", true},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"crypto/tls\"\nconst skip = true\nvar c = &tls.Config{InsecureSkipVerify: skip}", true},
		{"import \"crypto/tls\"\nconst skip = false\nvar c = &tls.Config{InsecureSkipVerify: skip}", false},
	})
}
