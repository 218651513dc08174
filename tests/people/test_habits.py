"""A player's habits: hold values, risk when behind, following the other, and errors under a rule."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

import pigevo
from pigevo.cli.commands.people import command
from pigevo.dice import Draw
from pigevo.games import GAMES
from pigevo.games.pig_variants import HoldToWin
from pigevo.people import (
    HoldValue,
    People,
    Person,
    RecordedTurn,
    analyse,
    as_csv,
    following,
    hold_value,
    neutral_values,
    parse_people,
    recorded_game,
    when_behind,
)  # fmt: skip
from pigevo.people.analysis import answered_preference, suggested_preference, turn_cost
from pigevo.people.habits import SLIPS, log_chances
from pigevo.people.recorded_games import history_of
from pigevo.simulation.stepwise import Turn, play_turns
from tests.people.games import FIGURE_6, people, played, slipping, turns_of
from tests.people.test_recorded_games import decisions, fitting

PIG = pigevo.Pig()
OTHER = pigevo.hold_at(PIG, 20)


@pytest.mark.parametrize("dice", [True, False])
@pytest.mark.parametrize("n", [8, 20, 31])
def test_the_hold_value_of_a_player_without_slips_is_in_the_interval(n, dice):
    hold = hold_value(PIG, turns_of(played(pigevo.hold_at(PIG, n), OTHER, games=12, seed=n, dice=dice)))
    assert hold.low <= n <= hold.high
    assert abs(hold.value - n) <= 1
    assert hold.high - hold.low <= 3
    assert hold.early == hold.late == SLIPS[0]


def test_the_chances_of_a_turn_are_those_of_all_rows_of_dice():
    game = pigevo.Pig(target=15, sides=4)
    for rolls, banked in itertools.product(range(1, 5), range(0, 18)):
        rows = list(fitting(game, 2, rolls, banked))
        turn = RecordedTurn("x", 1, 2, None, rolls, banked)
        if not rows or not history_of(game, turn).decisions:
            continue
        logs = log_chances(game, [history_of(game, turn)])[0].reshape(game.target, len(SLIPS), len(SLIPS))
        for n, early, late in itertools.product(range(1, game.target + 1), (0, 6), (2, 9)):
            chance = 0.0
            for row, weight in rows:
                for total, rolled in decisions(game, 2, row):
                    slip = SLIPS[early] if total < n else SLIPS[late]
                    weight *= 1 - slip if rolled == (total < n) else slip
                chance += weight
            chance /= sum(weight for _, weight in rows)
            assert np.exp(logs[n - 1, early, late]) == pytest.approx(chance, rel=1e-4)


def test_a_neutral_player_takes_the_most_points_of_a_turn():
    assert neutral_values(PIG) == (20, 21)
    for game in (PIG, pigevo.Piglet(target=10, heads=0.6), pigevo.Pig(target=60, sides=5)):
        means = {}
        for n in range(1, game.target // 2):
            outcomes = pigevo.turn_outcomes(pigevo.hold_at(game, n))
            means[n] = sum(points * chance for points, chance in outcomes.items())
        low, high = neutral_values(game)
        best = max(means.values())
        assert {n for n, mean in means.items() if mean > best - 1e-9} == set(range(low, high + 1))


def test_in_a_short_game_nobody_is_averse_who_never_holds():
    """To 10 points whoever never holds was averse to risk, because holding at 10 is below 20."""
    for target in (3, 10, 19, 20):
        game = pigevo.Pig(target=target)
        assert neutral_values(game) == (target, target)
        always = turns_of(played(pigevo.hold_at(game, target), pigevo.hold_at(game, 2), games=30, seed=1))
        assert suggested_preference(hold_value(game, always), game) == "open"
    assert neutral_values(pigevo.Pig(target=21)) == (20, 21)
    game = pigevo.Pig(target=19)
    early = turns_of(played(pigevo.hold_at(game, 3), pigevo.hold_at(game, 2), games=30, seed=1))
    assert suggested_preference(hold_value(game, early), game) == "averse"


@pytest.mark.parametrize(("name", "n"), [("pig", 20), ("piglet", 1), ("two_dice", 19), ("ten_rounds", 20)])
def test_a_throw_at_the_smallest_neutral_value_loses_as_much_as_it_adds(name, n):
    game = GAMES[name].bind({})
    assert neutral_values(game)[0] == n
    gains = sum(throw.chance * throw.points for throw in game.effective_throws if not throw.ends)
    assert game.bust * n >= gains - 1e-9 > game.bust * (n - 1)


@pytest.mark.parametrize(("behind", "ahead", "verdict"), [(30, 15, "more"), (12, 24, "less")])
def test_more_or_less_risk_when_behind_is_seen(behind, ahead, verdict):
    player = slipping(PIG, lambda i, j: np.where(i < j, behind, ahead), 0.05, 0.1)
    turns = turns_of(played(player, OTHER, games=12, seed=4, dice=False))
    compared = when_behind(PIG, turns)
    assert compared.verdict == verdict
    decided = [turn for turn in turns if history_of(PIG, turn).decisions]
    assert compared.behind.turns == sum(turn.own < turn.opponent for turn in decided)
    assert compared.otherwise.turns == sum(turn.own >= turn.opponent for turn in decided)
    assert compared.behind.low <= behind <= compared.behind.high
    assert compared.otherwise.low <= ahead <= compared.otherwise.high


@pytest.mark.slow
def test_one_rule_is_seldom_called_two():
    """Of 15 players at most 4 are called different: by chance more once in 1,000 at a level of .05."""
    game = pigevo.Pig(target=60)
    player, other = slipping(game, lambda i, j: 15, 0.1, 0.2), pigevo.hold_at(game, 15)
    verdicts = [when_behind(game, turns_of(played(player, other, games=6, seed=seed))).verdict for seed in range(15)]
    assert sum(verdict != "open" for verdict in verdicts) <= 4


def test_risk_when_behind_needs_both_sides_and_enough_turns():
    (game,) = parse_people(FIGURE_6, PIG).games
    with pytest.raises(pigevo.InputError, match="one side only"):
        when_behind(PIG, game.turns)
    with pytest.raises(pigevo.InputError, match=r"^[2-3] turns with a decision, . begun behind: too few"):
        when_behind(PIG, turns_of(played(OTHER, OTHER))[:3])
    with pytest.raises(pigevo.InputError, match=r"^1 turn with a decision, 0 begun behind: too few"):
        when_behind(PIG, turns_of(played(OTHER, OTHER))[:1])
    with pytest.raises(pigevo.InputError, match="one side only"):
        following([game], "player 2")


def copying(seed, copies):
    """A game in which the second player rolls as often as the first did before, or as often as it did in another turn."""
    draw = np.random.default_rng(seed)
    rolls = draw.integers(1, 6, 20)
    answers = rolls if copies else draw.permutation(rolls)
    scores, turns = [0, 0], []
    for pair in zip(rolls.tolist(), answers.tolist(), strict=True):
        for player, number in enumerate(pair):
            turns.append(Turn(player, scores[player], scores[1 - player], (*[2] * (number - 1), 0), 0))
    return recorded_game(str(seed), ("ann", "bob"), turns)


@pytest.mark.slow
def test_a_player_who_copies_is_recognised_and_others_are_seldom_taken_for_one():
    copied = following([copying(1, True)], "bob")
    assert (copied.verdict, copied.turns) == ("follows", 20)
    assert copied.correlation == pytest.approx(1.0)
    assert following([copying(seed, True) for seed in (1, 2)], "bob").p == pytest.approx(0.001)
    verdicts = [following([copying(seed, False)], "bob").verdict for seed in range(15)]
    assert sum(verdict != "open" for verdict in verdicts) <= 4
    assert following([copying(1, True)], "ann").verdict == "open"


def test_an_analysis_has_all_figures_of_all_players():
    made = people(pigevo.hold_at(PIG, 27), pigevo.optimal(PIG).strategy, games=8, seed=3)
    analysis = analyse(made)
    ann, bob = analysis.players
    assert (ann.person.preference, ann.suggested, ann.answered) == ("seeking", "seeking", "seeking")
    assert (ann.games, ann.turns, ann.judged) == (8, len(turns_of(made.games)), ann.turns)
    assert not bob.costly
    assert bob.cost.mean == 0
    assert ann.cost.mean == pytest.approx(sum(turn.cost.mean for turn in ann.costly), abs=1e-12)
    assert ann.cost.mean > 0.05
    assert bob.answered is None
    assert analysis.by_preference.keys() == {"seeking"}
    assert analysis.by_preference["seeking"] == ann.course
    assert ann.refused == {}


def test_figures_that_need_both_sides_are_refused_for_one():
    (player,) = analyse(parse_people(FIGURE_6, PIG)).players
    assert player.course.slope == pytest.approx(
        np.polyfit(np.arange(1, 13), [16, 24, 32, 48, 48, 48, 61, 70, 70, 86, 86, 101], 1)[0]
    )
    assert player.cost is player.behind is player.following is None
    assert set(player.refused) == {"cost", "behind", "following"}
    assert all(
        "needs the opponent's turns, and game figure 6 has only those of player 2." in reason
        for reason in player.refused.values()
    )
    assert player.suggested == "averse"


@pytest.mark.parametrize(
    ("low", "value", "high", "preference"),
    [(10, 14, 19, "averse"), (10, 14, 20, "neutral"), (21, 25, 30, "neutral"), (22, 25, 30, "seeking"),
     (9, 14, 19, "averse"), (9, 20, 60, "open")],
)  # fmt: skip
def test_play_suggests_a_preference_where_the_whole_interval_does(low, value, high, preference):
    assert suggested_preference(HoldValue(value, low, high, 0.1, 0.1, 10, 30), PIG) == preference
    assert suggested_preference(None, PIG) is None


@pytest.mark.parametrize(
    ("answers", "preference"),
    [
        ("aa", "averse"),
        ("bb", "seeking"),
        ("ab", "neutral"),
        ("ba", "neutral"),
        ((None, "a"), None),
        (("b", None), None),
    ],
)
def test_what_the_answers_suggest(answers, preference):
    assert answered_preference(Person("x", None, *answers)) == preference


RULE = "21+(j-i)/8; race either>=71"
HEAD = "game,player,seat,turn,dice,rolls,banked,rule\n"


def test_every_decision_with_known_dice_is_compared_with_the_rule():
    rows = [
        f"1,ann,1,1,6 6 6,3,18,{RULE}",  # at 12 rolls as asked, at 18 holds too early: 2 decisions and the roll at 6
        "1,bob,2,1,6 6 6 6 6 6 6 6 6 6 6 6,12,72,",
        f"1,ann,1,2,6 6 6 6 6 1,6,0,{RULE}",  # bob has 72: race, as asked
        "1,bob,2,2,1,1,0,",
        f"1,ann,1,3,6 6,2,12,{RULE}",  # holds at 12 in the race
    ]
    (errors,) = analyse(parse_people(HEAD + "\n".join(rows), PIG)).players[0].by_rule
    assert (errors.rule, errors.decisions, errors.early, errors.late, errors.errors) == (RULE, 3 + 5 + 2, 2, 0, 2)
    assert errors.low < 2 / 10 < errors.high


def test_the_rule_itself_has_no_errors_and_hold_at_20_has_them_both_ways():
    rule = "16 if ahead else 24"
    players = [pigevo.parse_strategy(f"rule: {rule}", PIG), pigevo.hold_at(PIG, 20)]
    games = []
    for number in range(20):
        turns = list(play_turns(*players, Draw(number, "dice"), 1000))
        game = recorded_game(str(number), ("ruler", "holder"), turns)
        games.append(replace(game, turns=tuple(replace(turn, rule=rule) for turn in game.turns)))
    people = People(PIG, (Person("ruler"), Person("holder")), tuple(games))
    ruler, holder = (player.by_rule[0] for player in analyse(parse_people(as_csv(people), PIG)).players)
    assert (ruler.errors, ruler.left_out) == (0, 0)
    assert ruler.decisions > 300
    assert min(holder.early, holder.late) > 20


def test_turns_without_dice_are_left_out_and_other_files_have_no_column_for_rules():
    rows = f"1,ann,1,1,,3,18,{RULE}\n1,bob,2,1,2 2,2,4,\n"
    people = parse_people(HEAD + rows, PIG)
    (errors,) = analyse(people).players[0].by_rule
    assert (errors.decisions, errors.left_out, errors.low) == (0, 1, None)
    assert as_csv(people).splitlines()[0].endswith(",dice,rule")
    plain = as_csv(parse_people("game,player,turn,rolls,banked\n1,ann,1,3,18\n", PIG))
    assert "rule" not in plain


def test_a_text_that_is_not_a_rule_is_refused_with_its_row():
    with pytest.raises(pigevo.InputError, match=r"row 2: rule is .*21\+\(j-i\)/8"):
        parse_people(HEAD + "1,ann,1,1,6 6 6,3,18,hold sometimes\n", PIG)


def test_the_command_prints_the_rate_with_its_interval(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(HEAD + f"1,ann,1,1,6 6 6,3,18,{RULE}\n1,bob,2,1,1,1,0,\n")
    output = CliRunner().invoke(command, [str(path)]).output
    assert f"plays by        {RULE}" in output
    assert "1 error in 3 decisions, 33.3 % (0.8 % to 90.6 %): held too early 1 times, rolled on 0" in output
    record = json.loads(CliRunner().invoke(command, [str(path), "--json"]).output)
    assert record["players"][0]["by_rule"][0]["early"] == 1
    assert np.isclose(record["players"][0]["by_rule"][0]["low"], 1 - (1 - 0.025) ** (1 / 3))


@pytest.mark.parametrize("dice", [True, False])
@pytest.mark.parametrize("most", [60, 100])
def test_what_a_player_does_with_the_target_reached_does_not_count_for_the_hold_value(most, dice):
    """One holds there at once, at totals of less than 24, and one rolls on to 24, which costs something each time."""
    game = HoldToWin(60, beyond=40)
    player = pigevo.Strategy.from_function(game, lambda i, j, k: k < 24 and i + k < most)
    turns = turns_of(played(player, pigevo.hold_at(game, 20), games=20, seed=4, dice=dice))
    hold = hold_value(game, turns)
    assert hold.low <= 24 <= hold.high <= 26
    assert hold.early == hold.late == SLIPS[0]
    past = [turn for turn in turns if turn.dice and turn.own + sum(turn.dice[:-1]) >= 60]
    assert bool(past) == (dice and most == 100)
    assert all(turn_cost(game, turn).mean > 0.01 for turn in past)


def test_a_rule_holds_at_the_target_where_players_must_hold_to_win():
    text = HEAD + f"1,ann,1,1,6 6 6 1,4,0,{RULE}\n1,bob,2,1,2 2,2,4,\n"  # 18 of 18 points, and rolled on
    (errors,) = analyse(parse_people(text, HoldToWin(18))).players[0].by_rule
    assert (errors.decisions, errors.early, errors.late) == (3, 0, 1)
