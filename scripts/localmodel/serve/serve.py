"""Serves one model on loopback until standard input ends, so that it never outlives whoever started it.

The first line on standard output is the address.
"""
import json
import os
import sys
import threading

import xllamacpp


def until_input_ends():
    sys.stdin.buffer.read()
    os._exit(0)  # nothing of it has to be kept


how = json.loads(sys.argv[1])
os.nice(how["nice"])
threading.Thread(target=until_input_ends, daemon=True).start()

params = xllamacpp.CommonParams()
params.model.path = how["model"]
params.model_alias = {how["name"]}
params.hostnames = ["127.0.0.1"]
params.port = how["port"]
params.cors_origins = ""  # no page in a browser has any business here
params.ui = False
params.n_ctx = how["context"]
params.n_parallel = 1  # one call has all of the context
params.cpuparams.n_threads = how["threads"]
params.cpuparams_batch.n_threads = how["threads"]
params.sampling.seed = how["seed"]
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
threading.Event().wait()
