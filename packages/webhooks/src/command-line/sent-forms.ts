/** A string or a number of a text that is JSON. */
const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * A body as this package may have sent it: compact JSON, its keys in this order, each number as
 * JavaScript writes it or, as `JSON.rawJSON` can, as it stands here.
 */
export function sentForms(body: Uint8Array): Buffer[] {
  try {
    const text = Buffer.from(body).toString('utf8');
    const parsed = inOrder(text);
    const numbers: string[] = [];
    const indexed = replaceNumbers(text, (number) => `${numbers.push(number) - 1}`);
    const asWritten = replaceNumbers(inOrder(indexed), (index) => numbers[Number(index)] ?? '');
    return [parsed, asWritten].map((form) => Buffer.from(form, 'utf8'));
  } catch {
    return [];
  }
}

function inOrder(text: string): string {
  const { type, timestamp, data } = JSON.parse(text);
  return JSON.stringify({ type, timestamp, data });
}

function replaceNumbers(text: string, replace: (number: string) => string): string {
  return text.replace(STRINGS_AND_NUMBERS, (token) => (token.startsWith('"') ? token : replace(token)));
}
