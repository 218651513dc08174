"""What recorded games tell: the dice that fit a turn, what turns cost, a player's habits, and wins by the seat."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import pigevo
from pigevo.cli.commands.people import command
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import GAMES
from pigevo.games.pig_variants import HoldToWin
from pigevo.people import (
    HoldValue,
    Pairings,
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
    turn_cost,
    when_behind,
    worths_of,
)
from pigevo.people.analysis import DIFFERS, answered_preference, suggested_preference
from pigevo.people.habits import SLIPS, log_chances
from pigevo.people.pairings import compared, pairings, roll_correlation, winner_of
from pigevo.people.recorded_games import RecordedGame, history_of, to_the_target, why_impossible
from pigevo.simulation.stepwise import Turn, play_turns
from tests.people.games import FIGURE_6, people, played, slipping, turns_of

RACES = [pigevo.Pig(target=30, sides=4), pigevo.Race(24, {1: 0.3, 6: 0.3}, 0.4), HoldToWin(30, sides=4, beyond=5)]


def fitting(game, own, rolls, banked):
    """Every row of points that fits, with its chance; those that go on past the target only if no other fits."""
    short = list(rows_to(game, game.target, own, rolls, banked))
    return iter(short or rows_to(game, game.size, own, rolls, banked))


def rows_to(game, most, own, rolls, banked):
    chances = dict(game.die) | {0: game.bust}
    for row in itertools.product(chances, repeat=rolls):
        *before, last = row
        if 0 in before or own + sum(before) >= most or (0 if last == 0 else sum(row)) != banked:
            continue
        yield row, math.prod(chances[points] for points in row)


def decisions(game, own, row):
    """The turn totals at which the player decided, and whether it rolled."""
    totals = np.cumsum(row).tolist()
    for total in totals[:-1]:
        yield total, True
    if row[-1] and own + totals[-1] < game.size:
        yield totals[-1], False


@pytest.mark.parametrize("game", RACES, ids=str)
@pytest.mark.parametrize(("own", "opponent"), [(0, 7), (9, 2), (20, 3)])
def test_against_every_row_of_dice(game, own, opponent):
    worths, seen = worths_of(game), 0
    dear = 0
    for rolls, banked in itertools.product(range(1, 6), range(0, game.size + 6)):
        rows = list(fitting(game, own, rolls, banked))
        assert bool(rows) == (why_impossible(game, own, rolls, banked, None) == "")
        if not rows:
            continue
        seen += 1
        turn = RecordedTurn("x", 1, own, opponent, rolls, banked)
        whole = sum(chance for _, chance in rows)
        expected = np.zeros((rolls - 1, game.size))
        costs, differed = [], 0.0
        for row, chance in rows:
            lost = 0.0
            for n, (total, rolled) in enumerate(decisions(game, own, row)):
                better = (worths.hold - worths.roll)[own, opponent, total]
                lost += max(0.0, better if rolled else -better)
                if rolled:
                    expected[n, total] += chance / whole
            costs.append((lost, chance / whole))
            differed += chance / whole * (lost > DIFFERS)
        assert history_of(game, turn).at == pytest.approx(expected, abs=1e-12)
        cost = turn_cost(game, turn)
        assert cost.mean == pytest.approx(sum(lost * chance for lost, chance in costs), abs=1e-12)
        assert cost.least == pytest.approx(min(lost for lost, _ in costs), abs=1e-12)
        assert cost.most == pytest.approx(max(lost for lost, _ in costs), abs=1e-12)
        assert cost.differed == pytest.approx(differed, abs=1e-9)
        dear += cost.most > cost.mean > cost.least
    assert seen > 8
    assert dear > 3 or own == 20  # where the dice make a difference


@pytest.mark.parametrize("game", [pigevo.Pig(target=40), pigevo.Piglet(target=8), HoldToWin(40, beyond=9)], ids=str)
def test_the_costs_of_a_strategy_add_up_to_what_it_lacks(game):
    """Exactly: what the optimum wins more against itself is the expected cost of the strategy's decisions."""
    best, worths = pigevo.optimal(game), worths_of(game)
    mine = pigevo.Strategy.from_function(game, lambda i, j, k: k < 5)
    decides = np.broadcast_to(game.decision_states, game.shape)
    cost = np.where(decides, np.where(mine.roll, *worths.costs()), 0.0)
    visits = pigevo.reach(mine, best.strategy)
    p = pigevo.win_probability(mine, best.strategy)
    assert (visits.first * cost).sum() == pytest.approx(best.value - p.first, abs=1e-12)
    assert (visits.second * cost).sum() == pytest.approx(best.second - p.second, abs=1e-12)
    assert best.value - p.first > 0.001


def test_the_optimum_costs_nothing_and_dice_make_costs_exact():
    game = pigevo.Pig(target=40)
    best, mine = pigevo.optimal(game).strategy, pigevo.hold_at(game, 8)
    known = played(best, mine, games=10)
    assert all(turn_cost(game, turn).most == 0 for turn in turns_of(known))
    blind = played(best, mine, games=10, dice=False)
    costs = [
        (turn_cost(game, a), turn_cost(game, b))
        for a, b in zip(turns_of(known, "bob"), turns_of(blind, "bob"), strict=True)
    ]
    assert sum(exact.mean for exact, _ in costs) > 0.05
    for exact, averaged in costs:
        assert exact.least == exact.mean == exact.most
        assert averaged.least - 1e-12 <= exact.mean <= averaged.most + 1e-12


def test_without_the_opponent_s_turns_it_is_refused():
    with pytest.raises(pigevo.InputError, match="needs the opponent's turns"):
        turn_cost(pigevo.Pig(target=40), RecordedTurn("x", 1, 0, None, 2, 8))


def test_decisions_with_the_target_reached_say_nothing_of_a_hold_value():
    game = HoldToWin(30, beyond=20)
    for dice, at, held in (
        ((5, 6, 2, 1), [5], None),  # 18 and 12, and on to 31 and 33
        ((5, 6, 2), [5], None),
        ((5, 4), [5], 9),
        ((6, 6), [6], None),
    ):
        points = tuple(0 if face == 1 else face for face in dice)
        turn = RecordedTurn("x", 1, 20, 0, len(dice), 0 if 0 in points else sum(points), points)
        short, whole = to_the_target(game, turn), history_of(game, turn)
        assert (short.at.argmax(axis=1).tolist(), short.held) == (at, held)
        assert len(whole.at) == len(dice) - 1
        assert whole.held == (None if 0 in points else sum(points))


def test_a_turn_without_dice_went_on_past_the_target_only_if_it_must_have():
    game = HoldToWin(30, beyond=20)
    short, on = (history_of(game, RecordedTurn("x", 1, 25, 0, rolls, 0)) for rolls in (3, 4))
    assert np.flatnonzero(short.at.any(axis=0)).tolist() == [2, 4]
    assert on.at[:, 5:].any()
    assert to_the_target(game, RecordedTurn("x", 1, 25, 0, 4, 0)).at[:, 5:].sum() == 0


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
    players = [pigevo.parse_strategy(f"rule: {rule}", PIG), OTHER]
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


TO_10 = pigevo.Pig(target=10)


def record(*games):
    """Games by their players, the first mover in front, and the rolls and points of all turns."""
    rows = ["game,player,turn,rolls,banked"]
    for number, (players, turns) in enumerate(games):
        rows += [f"g{number},{players[n % 2]},{n // 2 + 1},{r},{b}" for n, (r, b) in enumerate(turns)]
    return parse_people("\n".join(rows), TO_10)


WON = [(2, 10)]
"""The first turn wins."""

LOST = [(1, 0), (2, 10)]


@pytest.mark.parametrize("target", [3, 10])
def test_games_that_are_won_in_the_first_turn_count_as_such(target):
    """They have one player's turns alone in the file; of 40 games to 10 the first player seemed to win none of 16."""
    game = pigevo.Pig(target=target)
    games = people(pigevo.hold_at(game, target), pigevo.hold_at(game, target), games=40, seed=11)
    won = sum(winner_of(played, target) == played.players[0] for played in games.games)
    assert sum(played.ended_at_once(target) for played in games.games) > 5
    read = parse_people(as_csv(games), game)
    assert as_csv(read) == as_csv(games)  # the seat of the only player, too
    for known in (games, read):
        seats = pairings(known, {}).seats
        assert (seats.games, seats.won) == (40, won)
    turns = sum(len(played.turns) for played in games.games)
    assert sum(habits.judged for habits in analyse(read).players) == turns


def test_games_of_which_one_player_was_recorded_do_not_count_only_when_they_were_won():
    """Those that were won in the first turn looked whole: 15 of 15, where 23 of 40 were won."""
    target = 3
    game = pigevo.Pig(target=target)
    games = people(pigevo.hold_at(game, target), pigevo.hold_at(game, target), games=40, seed=11)
    rows = as_csv(games).splitlines()
    column = rows[0].split(",").index("player")
    ann = next(row.split(",")[column] for row in rows[1:])
    alone = parse_people("\n".join([rows[0], *(row for row in rows[1:] if row.split(",")[column] == ann)]), game)
    seats = pairings(alone, {}).seats
    assert (seats.games, seats.won) == (0, 0)


def test_a_player_without_an_opponent_has_one_seat():
    rows = "game,player,seat,turn,rolls,banked\na,x,{},1,2,5\na,x,{},2,2,5\n"
    assert [parse_people(rows.format(*seats), TO_10).games[0].seat for seats in ((2, ""), ("", 1), ("", ""))] == [
        2,
        1,
        None,
    ]
    with pytest.raises(InputError, match=r"row 3: the seat of x in game a was 1 above"):
        parse_people(rows.format(1, 2), TO_10)


def test_a_difference_of_shares_has_newcombe_s_interval():
    values = np.array([1] * 56 + [0] * 14 + [1] * 48 + [0] * 32, dtype=float)
    comparison = compared(values, np.arange(150) < 70, shares=True)
    assert (comparison.games, comparison.others) == (70, 80)
    assert comparison.difference == pytest.approx(0.2)
    assert (comparison.low, comparison.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)  # Newcombe 1998, table II
    assert comparison.verdict == "more"


def test_a_difference_of_means_has_welch_s_interval():
    values = np.array([0.1, 0.2, 0.15, 0.12, 0.5, 0.6, 0.4])
    comparison = compared(values, np.arange(7) < 4)
    oracle = stats.ttest_ind(values[:4], values[4:], equal_var=False)
    assert (comparison.low, comparison.high) == pytest.approx(tuple(oracle.confidence_interval(0.95)))
    assert comparison.verdict == "less"
    assert compared(-values, np.arange(7) < 4).verdict == "more"


@pytest.mark.parametrize("shares", [True, False])
@pytest.mark.parametrize("chosen", [0, 2, 6])
def test_of_few_games_nothing_is_decided(chosen, shares):
    comparison = compared(np.array([1.0, 1, 0, 0, 0, 0]), np.arange(6) < chosen, shares)
    assert (comparison.low, comparison.high, comparison.verdict) == (None, None, "undecided")
    assert compared(np.ones(6), np.arange(6) < 3).verdict == "undecided"


def test_who_moved_first_is_counted_where_somebody_has_won():
    seats = pairings(record(("xy", LOST), ("xy", LOST), ("yx", LOST), ("xz", WON)), {}).seats
    assert (seats.games, seats.won, seats.verdict) == (3, 0, "undecided")  # the last one has one side only
    many = [("xy", LOST)] * 6 + [("xy", [(1, 0), (1, 0)])]
    assert pairings(record(*many), {}).seats.verdict == "second"
    assert pairings(record(*many), {}).seats.games == 6


def test_seats_are_mirrored_where_each_moved_first_equally_often():
    games = [("xy", LOST), ("yx", LOST), ("xz", LOST), ("zx", LOST), ("xz", LOST)]
    mirrored = pairings(record(*games), {}).mirrored_seats
    assert (mirrored.games, mirrored.others) == (2, 3)


ALIKE = [(1, 0), (1, 0), (3, 0), (3, 0), (1, 0), (1, 0), (2, 0), (2, 0), (4, 0)]
OPPOSITE = [(1, 0), (3, 0)] * 4


def test_rolls_correlate_with_those_of_the_turn_before():
    alike, opposite, few, same = record(
        ("xy", ALIKE), ("xy", OPPOSITE), ("xy", ALIKE[:5]), ("xy", [(1, 0)] * 8)
    ).games  # fmt: skip
    rolls = [turn.rolls for turn in alike.turns]
    assert roll_correlation(alike) == pytest.approx(stats.spearmanr(rolls[:-1], rolls[1:]).statistic)
    assert roll_correlation(alike) > 0
    assert roll_correlation(opposite) == pytest.approx(-1)
    assert roll_correlation(few) is None
    assert roll_correlation(same) is None


def test_mirrored_play_is_fairer_where_both_gave_away_alike():
    people = record(*[("xy", ALIKE)] * 4, *[("xy", OPPOSITE)] * 3)
    given = {(f"g{n}", "x"): 0.1 + 0.01 * n for n in range(4)} | {(f"g{n}", "y"): 0.11 for n in range(4)}
    given |= {(f"g{n}", "x"): 0.4 + 0.01 * n for n in range(4, 7)}
    paired = pairings(people, given)
    assert paired.mirrored == ("g0", "g1", "g2", "g3")
    assert paired.mirrored_play.mean == pytest.approx(0.01)
    assert paired.mirrored_play.other == pytest.approx(0.45)
    assert paired.mirrored_play.verdict == "less"


def test_the_difference_of_a_game_is_that_of_the_players_costs():
    people = record(("xy", [*ALIKE[:6], (1, 2), *ALIKE[7:]]), ("xy", [(1, 3), *OPPOSITE[1:]]))
    analysis = analyse(people)
    assert isinstance(analysis.pairings, Pairings)
    costs = [
        abs(sum(sign * turn.cost.mean for sign, player in zip((1, -1), analysis.players, strict=True)
                for turn in player.costly if turn.game == game)) for game in ("g0", "g1")
    ]  # fmt: skip
    play = analysis.pairings.mirrored_play
    assert (play.mean, play.other) == pytest.approx((costs[0], costs[1]))
    assert 0 < costs[0] != costs[1] > 0


def games_of_rolls(pairs, games=6):
    """Games in which ann's turns have the first number of rolls of each pair, and bob's turns after them the second."""
    turns = [
        RecordedTurn(player, number, 0, 0, rolls, 0)
        for number, pair in enumerate(pairs, 1)
        for player, rolls in zip(("ann", "bob"), pair, strict=True)
    ]
    ends = np.linspace(0, len(pairs), games + 1).astype(int) * 2
    return [
        RecordedGame(f"g{n}", ("ann", "bob"), tuple(turns[begin:end]))
        for n, (begin, end) in enumerate(itertools.pairwise(ends))
    ]


@pytest.mark.parametrize(("of_own", "verdict"), [(1, "follows"), (-1, "goes against")])
def test_a_player_who_copies_the_opponent_follows(of_own, verdict):
    draw = np.random.default_rng(3)
    theirs = draw.integers(1, 6, 48)
    own = 6 + of_own * theirs + draw.integers(0, 3, 48)
    found = following(games_of_rolls(np.stack([theirs, own], axis=1).tolist()), "bob")
    assert found.correlation == pytest.approx(stats.spearmanr(theirs, own).statistic)
    assert (found.verdict, found.turns) == (verdict, 48)
    assert found.p == 1 / 1000  # no random order of 999 is as far from 0


@pytest.mark.slow
def test_who_rolls_more_often_in_the_same_games_is_seldom_said_to_follow():
    """At most one in twenty: orders are drawn inside each game."""
    draw, wrong, ps = np.random.default_rng(4), 0, []
    for _ in range(60):
        level = np.repeat(draw.integers(0, 8, 6), 6)  # both roll more often in some games
        pairs = np.stack([level + draw.integers(1, 5, 36), level + draw.integers(1, 5, 36)], axis=1).tolist()
        found = following(games_of_rolls(pairs), "bob")
        ps.append(found.p)
        wrong += found.verdict != "open"
    assert wrong <= stats.binom.ppf(1 - 1e-4, 60, 0.05)
    assert stats.kstest(ps, "uniform").pvalue > 1e-4
