// Rules that a person can remember, as they are typed: `21+(j-i)/8; race either>=71`; and the field in which they are. pigevo reads the
// same grammar.
//
// A rule is read as a function `(own, opponent, target)`: the turn total at which it holds, `FAR` where it rolls to win.
// Its words are in the part of Python's grammar that rules are written in, with its precedence, so that a rule means here what it
// means to pigevo. They are first read as a tree of nodes `{kind, ...}`: names, whole numbers, `A if B else C`, or, and, comparisons,
// sums, products, calls.
import { make } from "../dom.js";

/** Something that is no expression. */
class Failure extends Error {}

const TOKEN = /[ \t\f]*(?:(0+|[1-9]\d*)(?![\w.])|([A-Za-z_]\w*)|(>=|<=|[-+*/(),<>]))/y;
const LEVELS = [["+", "-"], ["*", "/"]]; // operators by precedence, the lowest first
const COMPARISONS = [">=", "<=", "<", ">"];

function tokensOf(text) {
  const tokens = [];
  const all = text.trimEnd();
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < all.length; ) {
    const [, number, name, sign] = TOKEN.exec(all) ?? fail();
    tokens.push(number !== undefined ? Number(number) : (name ?? sign));
  }
  return tokens;
}

function fail() {
  throw new Failure();
}

const WORD = /^[A-Za-z_]/;
const RESERVED = ["if", "else", "or", "and"];

/** The tree of a text. */
function treeOf(text) {
  const tokens = tokensOf(text);
  let at = 0;
  const take = (token) => tokens[at] === token && (at++, true);
  const need = (token) => take(token) || fail();

  function whole() {
    const then = listOf("or");
    if (!take("if")) return then;
    const condition = listOf("or");
    need("else");
    return { kind: "choice", condition, then, other: whole() };
  }

  /** Parts with `or` or `and` between them; one part alone is itself. */
  function listOf(word) {
    const part = () => (word === "or" ? listOf("and") : comparison());
    const parts = [part()];
    while (take(word)) parts.push(part());
    return parts.length === 1 ? parts[0] : { kind: word, parts };
  }

  function comparison() {
    const left = chain(0);
    if (!COMPARISONS.includes(tokens[at])) return left;
    return { kind: "comparison", sign: tokens[at++], left, right: chain(0) };
  }

  function chain(level) {
    if (level === LEVELS.length) return single();
    let left = chain(level + 1);
    while (LEVELS[level].includes(tokens[at])) left = { kind: "pair", level, sign: tokens[at++], left, right: chain(level + 1) };
    return left;
  }

  function single() {
    const token = tokens[at++];
    if (typeof token === "number") return { kind: "number", value: token };
    if (token === "(") {
      const inner = whole();
      need(")");
      return inner;
    }
    if (token === undefined || !WORD.test(token) || RESERVED.includes(token)) fail();
    return take("(") ? { kind: "call", name: token, parts: parameters() } : { kind: "name", name: token };
  }

  function parameters() {
    const parts = [];
    while (!take(")")) {
      parts.push(whole());
      if (!take(",")) {
        need(")");
        break;
      }
    }
    return parts;
  }

  const tree = whole();
  if (at < tokens.length) fail();
  return tree;
}

/** A sum or product as text without spaces, with the brackets around a sum within a product; anything else is `?`. */
function textOf(tree) {
  if (tree.kind === "number") return String(tree.value);
  if (tree.kind === "name") return tree.name;
  if (tree.kind !== "pair") return "?";
  const within = (part) => (part.kind === "pair" && part.level < tree.level ? `(${textOf(part)})` : textOf(part));
  return within(tree.left) + tree.sign + within(tree.right);
}

/** A turn total that is never reached: the player rolls to win. */
const FAR = 10000;

const LONGEST = 500;
const LARGEST = 5000;
const MEASURES = {
  own: (i) => i,
  opponent: (i, j) => j,
  either: (i, j) => Math.max(i, j),
  both: (i, j) => Math.min(i, j),
  sum: (i, j) => i + j,
  "own+2*opponent": (i, j) => i + 2 * j,
  "2*own+opponent": (i, j) => 2 * i + j,
  lead: (i, j) => i - j,
  deficit: (i, j) => j - i,
};
const BY_SIGHT = { ahead: MEASURES.lead, behind: MEASURES.deficit };
const PARTS = { "j-i": (i, j) => j - i, i: (i) => i, j: (i, j) => j };
const BASES = "25, 21+(j-i)/8, multiple(25), marks(25,50,74), max(25,j-i-10), max(17,18+(j-i)/8), quarters(24,25,23,25), end, A if CONDITION else B";
const CONDITIONS = `${Object.keys(MEASURES).join(">=N, ")}>=N, ahead, behind, leaves<=N`;

/** What is wrong with a rule, in one sentence. */
export class RuleError extends Error {}

function refuse(sentence) {
  throw new RuleError(sentence);
}

function number(tree, least, what) {
  if (tree.kind !== "number") refuse(`The number ${what} must be written as a whole number, such as 25.`);
  if (tree.value < least || tree.value > LARGEST) refuse(`The number ${what} must be from ${least} to ${LARGEST}, not ${tree.value}.`);
  return tree.value;
}

function has(table, name) {
  return Object.hasOwn(table, name);
}

function constant(tree) {
  const n = number(tree, 0, "to hold at");
  return () => n;
}

function multiple(parts) {
  if (parts.length !== 1) refuse("multiple(25) has one number.");
  const n = number(parts[0], 1, "whose multiples count");
  return (i) => n - (i % n);
}

function marks(parts) {
  const scores = parts.map((one) => number(one, 1, "of a mark"));
  if (!scores.length || scores.some((mark, at) => at && mark <= scores[at - 1])) refuse("marks(25,50,74) are one or more numbers, each larger than the one before.");
  return (i) => (scores.find((mark) => mark > i) ?? FAR) - i;
}

function quarters(parts) {
  if (parts.length !== 4) refuse("quarters(24,25,23,25) are four turn totals.");
  const totals = parts.map((one) => number(one, 0, "to hold at"));
  return (i, j, target) => totals[Math.min(Math.floor((4 * i) / target), 3)];
}

/** `max(25,j-i-10)`, or a sum with a lower limit, `max(17,18+(j-i)/8)`. */
function keepUp(parts) {
  if (parts.length !== 2) refuse("max(25,j-i-10) has a number, and what you are behind or a sum.");
  const least = number(parts[0], 0, "to hold at");
  if (parts[1].kind === "pair" && firstOf(parts[1]).kind === "number") {
    const added = sum(parts[1]);
    return (i, j) => Math.max(least, added(i, j));
  }
  const allowed = allowedOf(parts[1]);
  if (allowed < -1) refuse("In max(25,j-i+1) at most 1 is added.");
  return (i, j) => Math.max(least, j - i - allowed);
}

/** The first term of a sum. */
function firstOf(tree) {
  return tree.kind === "pair" ? firstOf(tree.left) : tree;
}

/** The deficit allowed by `j-i-10`, `j-i` or `j-i+1`. */
function allowedOf(tree) {
  if (textOf(tree) === "j-i") return 0;
  if (tree.kind !== "pair" || tree.level > 0 || allowedOf(tree.left) !== 0) refuse("The second part of max(25,j-i-10) is j-i-10, j-i or j-i+1.");
  const by = number(tree.right, 0, "of points behind");
  return tree.sign === "-" ? by : -by;
}

/** A constant and fractions, each rounded to the nearest whole number, halves up. */
function sum(tree) {
  const fractions = [];
  let left = tree;
  for (; left.kind === "pair" && left.level === 0; left = left.left) fractions.push(fraction(left.sign, left.right));
  const n = number(left, 0, "that fractions are added to");
  if (!fractions.length) refuse(`A turn total is one of: ${BASES}.`);
  return (i, j) => fractions.reduce((total, part) => total + part(i, j), n);
}

function fraction(sign, tree) {
  const divided = tree.kind === "pair" && tree.sign === "/";
  const name = textOf(divided ? tree.left : tree);
  if (!has(PARTS, name)) refuse("A fraction is one of (j-i), i or j, divided by a whole number: 21+(j-i)/8.");
  const by = divided ? number(tree.right, 1, "to divide by") : 1;
  const factor = sign === "+" ? 1 : -1;
  return (i, j) => factor * Math.floor((2 * PARTS[name](i, j) + by) / (2 * by)); // whole numbers: nothing is rounded twice
}

const CALLS = { multiple, marks, quarters, max: keepUp };

function base(tree) {
  if (tree.kind === "number") return constant(tree);
  if (tree.kind === "name" && tree.name === "end") return () => FAR;
  if (tree.kind === "call" && has(CALLS, tree.name)) return CALLS[tree.name](tree.parts);
  if (tree.kind === "pair") return sum(tree);
  if (tree.kind !== "choice") refuse(`A turn total is one of: ${BASES}.`);
  const condition = conditionOf(tree.condition, false);
  const [then, other] = [base(tree.then), base(tree.other)];
  return (i, j, target) => (condition(i, j) ? then : other)(i, j, target);
}

/** A condition `(i, j, left)`, where `left` is what the planned hold leaves to go, which can end a race only. */
function conditionOf(tree, inRace) {
  if (tree.kind === "name" && has(BY_SIGHT, tree.name)) return (i, j) => BY_SIGHT[tree.name](i, j) >= 1;
  const what = tree.kind === "comparison" ? textOf(tree.left) : "";
  if (tree.sign === ">=" && has(MEASURES, what)) {
    const n = number(tree.right, 0, "of a condition");
    return (i, j) => MEASURES[what](i, j) >= n;
  }
  if (tree.sign !== "<=" || what !== "leaves") refuse(`A condition is one of: ${CONDITIONS}.`);
  if (!inRace) refuse("leaves<=N can stand after race only.");
  const n = number(tree.right, 0, "of points to go");
  return (i, j, left) => left <= n;
}

function raceOf(tree) {
  const within = (one, kind) => (one.kind === kind ? one.parts : [one]);
  const groups = within(tree, "or").map((group) => within(group, "and").map((one) => conditionOf(one, true)));
  return (i, j, left) => groups.some((group) => group.every((holds) => holds(i, j, left)));
}

function read(text, choices) {
  try {
    return treeOf(text);
  } catch (error) {
    if (!(error instanceof Failure || error instanceof RangeError)) throw error;
    return refuse(text.trim() ? `\u201c${text.trim()}\u201d cannot be read; expected here: ${choices}.` : `Something is missing here; expected: ${choices}.`);
  }
}

/** The rule in a text, with or without `rule:` before it; throws a `RuleError` if the text is no rule. */
export function readRule(text) {
  const source = text.trim().replace(/^rule:/, "").trim();
  if (source.length > LONGEST) refuse(`A rule has at most ${LONGEST} characters, not ${source.length}.`);
  const semicolon = source.indexOf(";");
  const plan = base(read(semicolon < 0 ? source : source.slice(0, semicolon), BASES));
  if (semicolon < 0) return plan;
  const [, word, conditions] = /^([^ ]*)(.*)$/s.exec(source.slice(semicolon + 1).trim());
  if (word !== "race") refuse(`After the semicolon write race and a condition: ${CONDITIONS}.`);
  const race = raceOf(read(conditions, CONDITIONS));
  return (i, j, target) => {
    const total = plan(i, j, target);
    return race(i, j, target - i - total) ? FAR : total;
  };
}

/** The turn totals of a rule by own score, then opponent's. */
export function planOf(game, rule) {
  const { target } = game;
  return Int32Array.from({ length: target ** 2 }, (_, at) => rule(Math.floor(at / target), at % target, target));
}

/** Examples of rules, each with its sentence in pigevo. */
export const EXAMPLES = [
  ["25", "Hold at 25."],
  ["21+(j-i)/8", "Hold at 21, plus an eighth of what you are behind or minus an eighth of what you are ahead."],
  ["multiple(25)", "Roll until your score and your turn total together reach or pass the next multiple of 25."],
  ["marks(25,50,74)", "Roll until your score and your turn total together reach or pass the next of the marks 25, 50 or 74; after it, roll to win."],
  ["max(25,j-i-10)", "Hold at 25, but roll on while you are more than 10 behind, your turn total included."],
  ["19 if ahead else 24", "If you are ahead, hold at 19; otherwise hold at 24."],
  ["end", "Roll to win."],
  ["25; race either>=71", "Hold at 25. But roll to win once either of you has 71 or more."],
  ["25; race own>=60 or opponent>=74", "Hold at 25. But roll to win once you have 60 or more, or the other player has 74 or more."],
  ["25; race sum>=121", "Hold at 25. But roll to win once your scores add up to 121 or more."],
  ["25; race 2*own+opponent>=178", "Hold at 25. But roll to win once twice your score and the other player\u2019s add up to 178 or more."],
  ["25; race leaves<=25", "Hold at 25. But roll to win once the hold you plan would leave you 25 or fewer points to go."],
];

/**
 * The field in which a rule is typed: its hold values are shown at once, or a sentence says what is wrong with it. `changed(plan, refused)` is called with the turn totals of each rule that is typed, or with null, and whether the text is refused; `fill(text)` sets the field without this
 * call; `text()` is what stands there; `textOf(fits)` is the typed rule if `fits` is true for its turn totals, otherwise an empty text.
 */
export function ruleField(game, strategies, announce, changed) {
  const trouble = make("p", { id: "rule-trouble", class: "trouble", hidden: true });
  const help = make("p", { id: "rule-help", class: "soft" }, "Where to hold, by own score ", make("code", {}, "i"), " and opponent\u2019s ",
    make("code", {}, "j"), ", and after ", make("code", {}, "; race"), " when to roll to win.");
  const examples = make("details", {}, make("summary", {}, "Examples, and what they do"),
    make("ul", {}, EXAMPLES.map(([text, sentence]) => make("li", {}, make("code", {}, text), " ", sentence))));
  const known = make("datalist", { id: "rules-known" }, strategies.filter((one) => one.rule).map((one) => make("option", { value: one.rule }, one.title)));
  const input = make("input", {
    type: "text", id: "rule", list: "rules-known", maxlength: 500, placeholder: "21+(j-i)/8; race either>=71", autocomplete: "off",
    autocapitalize: "off", spellcheck: "false", "aria-describedby": "rule-trouble rule-help", oninput: typed,
    onchange: () => trouble.hidden || announce(trouble.textContent),
  });
  const element = make("div", { class: "rule" }, make("label", { for: "rule" }, "Your rule"), input, known, trouble, help, examples);

  /** What is typed, with plain blanks: a text that was pasted may have others, which are none to pigevo. */
  const typedText = () => input.value.replace(/\s/g, " ").trim();

  /** The turn totals of the typed rule; null if nothing is typed, or if it is no rule, which a message says. */
  function read() {
    const text = typedText();
    let wrong = "";
    let plan = null;
    try {
      plan = text ? planOf(game, readRule(text)) : null;
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      wrong = error.message;
    }
    trouble.textContent = wrong;
    trouble.hidden = !wrong;
    input.setAttribute("aria-invalid", String(Boolean(wrong)));
    return plan;
  }

  function typed() {
    changed(read(), !trouble.hidden);
  }

  function fill(text) {
    input.value = text;
    read();
  }

  function textOf(fits) {
    const plan = read();
    return plan && fits(plan) ? typedText().replace(/^rule:/, "").trim() : "";
  }

  return { element, fill, text: () => input.value, textOf };
}
