/**
 * The most that a text's length times its depth may be: each line is indented by its depth, so the
 * indented text stays below five million characters.
 */
const MAX_INDENTED = 2_000_000;

/**
 * JSON text, indented by two spaces for reading. Returns the text as it is if it is no JSON, or so
 * large and deep that it would exceed five million characters.
 */
export function readableJson(text: string): string {
  if (text.length * deepestOf(text) > MAX_INDENTED) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
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
