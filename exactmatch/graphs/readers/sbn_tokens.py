"""The closed lists of words of sequence box notation, and the patterns of its other tokens.

The lists are those of the Parallel Meaning Bank 5 and of its scorer, which reads no other words.
"""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Relations of two boxes; each begins a new box.
DISCOURSE_RELATIONS = _words(
    "ALTERNATION ATTRIBUTION COMMENTARY CONDITION CONJUNCTION CONSEQUENCE CONTINUATION CONTRAST "
    "ELABORATION EXPLANATION NECESSITY NEGATION POSSIBILITY PRECONDITION RESULT SOURCE"
)

#: Comparisons: of times, places and quantities, and other operators of three letters.
OPERATORS = _words(
    "ANA APX BOT EPR EQU ESU LEQ LES MOR NEQ STI STO SXN SXP SXY SY1 SY2 SZN SZP TAB TCT TIN TOP "
    "TPR TSU"
)

#: Roles of events, concepts and times.
ROLES = _words(
    "Affectee Affector Agent Asset Attribute AttributeOf Bearer Beneficiary Cause Causer ClockTime "
    "Co-Agent Co-Patient Co-Theme Colour ColourOf Consumer Content ContentOf Context Creator "
    "DayOfMonth DayOfWeek Decade Degree Destination Duration Equal Experiencer Extent FeatureOf "
    "Finish Frequency Goal Instance InstanceOf Instrument Location MadeOf Manner Material Measure "
    "MonthOfYear Name Of Operand Order Owner Part PartOf Participant Path Patient Pivot Player "
    "Precondition Product Proposition Quantity QuantityOf Recipient Result Role Source Start "
    "Stimulus Sub SubOf Theme Time Title Topic Unit User Value YearOfCentury"
)

#: A concept, at the beginning of a token: ``fly.v.08``; x is the word class of entities without a
#: name.
CONCEPT_WORD = re.compile(r"(.+)(\.[nvarx]\.\d+)")

#: An index, at the beginning of a token: of a concept (``-1``) or of a box (``<1``).
INDEX = re.compile(r"[-+<>]\d+")
