"""UMR files for tests: two documents of two sentences each, and what they are made of."""

HEAD = "#" * 80

FIRST = f"""\
{HEAD}
# meta-info :: sent_id = birds-1 :: type = made_up
# :: snt1
Index: 1   2    3     4    5
Words: The old birds sang .
Sentence: The old birds sang.

# sentence level graph:
(s1s / sing-01
    :ARG0 (s1b / bird
        :mod (s1o / old)
        :refer-number plural)
    :aspect performance)

# alignment:
s1s: 4-4
s1b: 1-1, 3-3
s1o: 2-2

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :before s1s))
    :modal ((root :modal author)
        (author :full-affirmative s1s)))
"""

SECOND = f"""\
{HEAD}
# meta-info :: sent_id = birds-2
# :: snt2
Index: 1    2   3
Words: They flew .

# sentence level graph:
(s2f / fly-01
    :ARG0 (s2t / they)
    :quant 2)

# alignment:
s2f: 2-2
s2t: 1-1

# document level annotation:
(s2s0 / sentence
    :temporal ((s1s :before s2f))
    :coref ((s1b :same-entity s2t)))
"""

ONE = f"{FIRST}\n\n{SECOND}"
TWO = f"{ONE}\n\n{ONE}"
