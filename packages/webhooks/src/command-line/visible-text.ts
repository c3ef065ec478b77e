/**
 * Characters that move the cursor, change a terminal or hide: control characters, line and
 * paragraph separators, halves of surrogate pairs, and formats such as those of text direction.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Shows text of others on one line: what is invisible is escaped as in JavaScript. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, escaped);
}

/**
 * JSON of a value on one line that a terminal shows as it is: JSON itself leaves U+007F to U+009F
 * and the formats alone. It is still the same JSON, since they occur in its strings only.
 */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join(''),
  );
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point > 0xffff) return `\\u{${point.toString(16)}}`;
  return point > 0xff ? unit(point) : `\\x${point.toString(16).padStart(2, '0')}`;
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
