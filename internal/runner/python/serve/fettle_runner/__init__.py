"""fettle's way of running Python tests fast.

pytest is started by the user's own command with one more plugin, `fettle_runner.plugin`. It collects the wanted tests once, by pytest's own
machinery, and then, instead of running them and ending, it serves requests: to trace tests, and to try changed sources against them.

The modules, from the outside in:

    plugin    pytest's hooks: options that only report are taken back, collection is narrowed, the rest is handed to one of the modes
    plain     the mode that does nothing but run the tests and tell how they came out
    boss      the process that stands before the first file of the repository has been imported; it forks all others
    warm      the process that has collected the tests and forks a child for each few candidates
    trial     what such a child does with a candidate
    reload    candidates for which modules have to be imported again
    trace     what a test ran
    values    the types of the values it saw
    compare   how candidates differ where no test looks
    settings  what Go has asked for, and which files are the repository's own
    child     forking, limits, and what to say of a child that dies
    items     running one test of pytest's as often as is wanted, leanly
    workshop  a changed source as code objects in the place of those that run
    source    the text of a source: its functions, and where steps are counted
    loader    what is imported: texts laid over files, sources with counted steps
    state     what a candidate may leave behind, and putting it back
    kept      the repository's files, which it may not touch, and putting them back
    fuel      counted steps
    wire      lines of JSON
"""
