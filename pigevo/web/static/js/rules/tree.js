// The tree of a rule's words: names, whole numbers, `A if B else C`, or, and, comparisons, sums, products, calls.
//
// It is the part of Python's grammar that rules are written in, with its precedence, so that a rule means here what
// it means to pigevo. A node is `{kind, ...}`; what cannot be read throws a `Failure`.

/** Something that is no expression. */
export class Failure extends Error {}

const TOKEN = /\s*(?:(0+|[1-9]\d*)(?![\w.])|([A-Za-z_]\w*)|(>=|<=|[-+*/(),<>]))/y;
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
export function treeOf(text) {
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
export function textOf(tree) {
  if (tree.kind === "number") return String(tree.value);
  if (tree.kind === "name") return tree.name;
  if (tree.kind !== "pair") return "?";
  const within = (part) => (part.kind === "pair" && part.level < tree.level ? `(${textOf(part)})` : textOf(part));
  return within(tree.left) + tree.sign + within(tree.right);
}
