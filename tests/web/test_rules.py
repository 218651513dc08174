"""Rules that are typed on the page, against pigevo's reading of the same text."""

import json

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.errors import InputError
from pigevo.strategies.rules import parse_rule
from pigevo.strategies.rules.reading import known_rules
from pigevo.web.site import GAME
from tests.strategies.rule_cases import rules
from tests.web.in_node import needs_node, run, written

pytestmark = needs_node
SMALL = pigevo.Pig(target=37)

PLANS = """
import { planOf, readRule, RuleError } from "./js/draw/rules.js";
import { mapOfPlan, rollOfMap } from "./js/draw/hold_map.js";
const texts = JSON.parse(new TextDecoder().decode(read("texts")));
const wrong = [];
const plans = texts.flatMap((text) => {
  try {
    const plan = planOf(game, readRule(text));
    if (text === texts[0]) write("roll", rollOfMap(game, mapOfPlan(game, plan)));
    return [...plan];
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    wrong.push([text, error.message]);
    return [];
  }
});
write("plans", Int32Array.from(plans));
say(wrong);
"""


def by_the_page(folder, game, texts):
    """The plans that the page makes of texts, and what it says of those that are no rules."""
    wrong = run(PLANS, folder, game, texts=np.frombuffer(json.dumps(texts).encode(), np.uint8))
    return written(folder / "plans", (-1, game.target, game.target), np.int32), wrong


def check(folder, game, texts):
    plans, wrong = by_the_page(folder, game, texts)
    assert wrong == []
    for text, plan in zip(texts, plans, strict=True):
        np.testing.assert_array_equal(plan, parse_rule(text).planned(game), text)
    np.testing.assert_array_equal(written(folder / "roll", game.shape), parse_rule(texts[0]).strategy(game).roll)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rules")


@settings(max_examples=3, deadline=None, phases=[Phase.generate])  # every example starts node: none is made smaller
@given(random=st.lists(rules, min_size=20, max_size=30))
def test_random_rules(folder, random):
    check(folder, SMALL, [rule.text for rule in random if len(rule.text) <= 500])


SPELLINGS = [
    "rule: 25", " rule:25 ", "21 + ( j - i ) / 8 ;  race  either >= 71", "(21)+((j-i))/8", "21+j-i/8-(j-i)",
    "(19 if ahead else 24) if own>=50 else 17 if behind else end", "multiple( 25, )", "max(25,(j-i)-10)", "max(25,j-i-0+1)",
    "25; race (own)>=(60) and leaves<=25 or own + (2*opponent)>=178 and behind", "00", "21+(j-i)/8;race (own>=3 and ahead) or (behind)",
    "end if own>=3 else (25)", "25; race (own>=60 or opponent>=74)", "max(25,j-i+0)", "max(17, 18+(j-i)/8)",
    "max(17,(18)+i)", "max(17,18-j/9+i)",
]  # fmt: skip


FRONTS = sorted({entry.rule.text for entry in known_rules(GAME)})
DIVISIONS = [f"21{sign}{of}/{by}" for sign in "+-" for of in ("(j-i)", "i", "j") for by in range(1, 21)]


@pytest.mark.parametrize("texts", [FRONTS, DIVISIONS, SPELLINGS], ids=["the fronts", "roundings", "spellings"])
def test_rules_are_read_as_pigevo_reads_them(tmp_path, texts):
    assert len(texts) > 10
    check(tmp_path, GAME, texts)


WRONG = [
    "25; last 9", "18+(j-i)/turns", "max(17,18*2)", "max(17,18/2)", "max(17,18)", "max(17,2*own+opponent)", "max(17,18+(j-i)/8,3)",
    "max(17,18+(j-i)/turns)", "max(17,18+max(3,j-i))", "max(25,(j-i)/1)", "max(25,(j-i)*1)",
    "", "rule:", "foo", "25 25", "5+", "+5", "-5", "21+(j-i)/0", "21+(i-j)/8", "21+(j-i)*8", "j-i+5", "21+(j-i)/8.0", "1.5", "1e3", "025",
    "25;", "25; race", "25; run own>=3", "25; race own", "25; race own>3", "25; race own>=3 or", "25; race own>=3; race ahead",
    "25; race 3<=own", "25; race not ahead", "25; race (own>=3 or ahead) and behind", "25; race lead>=5>=3", "25; race leaves>=3",
    "19 if leaves<=3 else 2", "19 if own>=3", "19 if ahead and behind else 3", "multiple()", "multiple(0)", "multiple(2,3)", "marks()",
    "marks(5,5)", "marks(5,3)", "quarters(1,2,3)", "max(25)", "max(25,i-j)", "max(25,j-i+2)", "max(j-i,25)", "5001", "own>=3", "ahead",
    "constructor", "toString(3)", "25; race constructor>=3", "21+constructor/3", "x()", "25; race own>=(3", "25]", "'25'", "21+(j-i)/8/2",
    "2*own+opponent", "9" * 501, "25; race own>=-3", "marks(2,3,x)", "(" * 400, "multiple=3", "21+(j-i)//8", "25, 26", "race own>=3", "else", "25; race own>=5 if ahead else behind",
    "25; race\u00a0own>=3 !", "multiple(n=3)", "Multiple(3)", "End", "(21+(j-i)/8", "max(25,j-(i-10))", "25; race (own+2)*opponent>=3",
]  # fmt: skip


def test_examples_are_in_the_words_of_pigevo(tmp_path):
    examples = run('import { EXAMPLES } from "./js/draw/rules.js"; say(EXAMPLES);', tmp_path)
    assert len(examples) == 12
    for text, sentence in examples:
        assert sentence.replace("\u2019", "'") == parse_rule(text).sentence


def test_what_is_no_rule_gets_one_sentence(tmp_path):
    plans, wrong = by_the_page(tmp_path, GAME, WRONG)
    assert ([text for text, _ in wrong], len(plans)) == (WRONG, 0)
    for text, sentence in wrong:
        with pytest.raises(InputError):
            parse_rule(text).planned(GAME)
        assert sentence.endswith("."), text
        assert len(sentence) < 700
        assert "undefined" not in sentence
        assert "\n" not in sentence
