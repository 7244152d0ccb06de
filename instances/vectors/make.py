"""Write words.txt: vectors of a few hundred words, near to each other within a field of meaning.

They are made up, and only for trials of graded similarity: each field has a direction drawn at
random, and each of its words a smaller one of its own on top. A word in two fields has both.
"""

import random
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPONENTS = 24
#: How far a word lies from the middle of its field.
SPREAD = 0.55

FIELDS = """
cat kitten tiger | dog puppy wolf | giraffe elephant zebra | whale fish cod seal
bee insect comet | boy lad son brother child | girl lass sister daughter child
child infant baby young son daughter | man human person boss manager
woman wife she lady human person | family grandmother father mother son
mayor leader president boss manager employer | clerk employee worker sailor passenger
prince king queen | detective police | astronomer star comet
union company firm institution university | buy purchase acquire | sell offer
pay cash money coin monetary-quantity euro bank | price rate-entity | say tell report state remark
ask request question | answer reply respond | explain clarify exclude | know believe think
remember recall forget | discover find notice | choose prefer want wish | want wish desire need
need require obligate | permit allow possible | refuse dismiss fire reject | begin start open
end stop close cease | close shut | continue last remain stay keep | keep retain hold hand
leave depart go pass | come arrive visit reach | live stay remain dwell | sleep doze rest slumber
sprint run hurry dash | walk stroll march | swim dive float | fall drop collapse
wash clean scrub | cook stir mix squeeze peel | eat feed devour drink
burn fire heat thick thicken | crack break tear strike | injure hurt wound harm | leak drip flow
press push squeeze | pump hum | cancel annul | marry wed wedding | sign agree | plan design
write note letter novel book story tale | story tale novel book film movie
photograph picture map | name title | word language | large big great tall
small little short slight | old aged ancient | young new fresh | slow lazy quick fast
deep low down below | high tall above overhead | far distant | near close next | more most less
glad happy merry | sorry sad | dear loved love | honest proper just | thank praise | laugh smile
frighten scare alarm | love like adore | coarse rough raw | wet damp water weather | cold ice cool
city town village country | house home cellar door gate button case | shop store warehouse office
street bridge road platform | ship boat harbor sea island | train bus car
machine device toaster kettle | light lighthouse lamp | gold money treasure
bread soup potato egg branch | rubber gasket seal coolant | day night midnight week year now today
friday sunday tuesday day | before after until already still | second minute hour
temperature celsius degree temperature-quantity | north south east west | every any all some
anybody nobody somebody | and or but | in out inner inside
contrast cause concern include ensure share | change become turn | work labor office
secret hidden | have own possess | have-part have part | be-located-at have location
take seize hand
"""


def vector(rng: random.Random, size: float) -> list[float]:
    """Return a vector of this length in a random direction."""
    numbers = [rng.gauss(0, 1) for _ in range(COMPONENTS)]
    length = sum(number**2 for number in numbers) ** 0.5
    return [size * number / length for number in numbers]


def vectors() -> dict[str, list[float]]:
    """Return the vector of each word."""
    found: dict[str, list[float]] = {}
    for row in FIELDS.strip().replace("\n", "|").split("|"):
        middle = vector(random.Random(f"field {row.split()}"), 1)
        for word in row.split():
            if word not in found:
                found[word] = vector(random.Random(f"word {word}"), SPREAD)
            found[word] = [a + b for a, b in zip(found[word], middle, strict=True)]
    return found


def main() -> None:
    """Write the file, in the format of word2vec."""
    found = vectors()
    lines = [f"{len(found)} {COMPONENTS}"]
    for word in sorted(found):
        lines.append(" ".join([word, *(f"{number:.2f}" for number in found[word])]))
    text = "\n".join(lines) + "\n"
    (HERE / "words.txt").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
