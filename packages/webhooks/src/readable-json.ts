/**
 * The most that a text's length times its depth may be: each line is indented by its depth, so the
 * indented text stays below five million characters.
 */
const MAX_INDENTED = 2_000_000;

/** A string, a bracket, a colon or a comma, or a number or word. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/**
 * JSON text, indented by two spaces for reading. Numbers stay as they were written: parsed, those
 * of more than 15 digits would be others. Returns the text as it is if it is no JSON, or so
 * large and deep that it would exceed five million characters.
 */
export function readableJson(text: string): string {
  if (text.length * deepestOf(text) > MAX_INDENTED) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return indented(text);
}

function indented(text: string): string {
  let [shown, depth, before] = ['', 0, ''];
  for (const [token] of text.matchAll(TOKENS)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth -= 1;
    const isOpen = before === '{' || before === '[';
    if (isEnd ? !isOpen : isOpen || before === ',') shown += `\n${'  '.repeat(depth)}`;
    shown += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return shown;
}

/** Counts brackets in strings as well: at worst, a text stays as it is. */
function deepestOf(text: string): number {
  let depth = 0;
  let deepest = 1;
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
