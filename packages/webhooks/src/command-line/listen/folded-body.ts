import { readableJson } from '../../readable-json.ts';
import { visibleText } from '../visible-text.ts';

/** The most lines of a body that are shown. */
const MAX_LINES = 20;

/** A body as lines of at most so many columns: indented if it is JSON, and cut after 20 lines. */
export function foldedBody(body: Uint8Array, columns: number): readonly string[] {
  if (body.length === 0) return ['(no body)'];
  const text = utf8Of(body);
  if (text === undefined) return [`(${body.length} bytes that are not UTF-8)`];
  // A column shows at least one character, so more than this is not shown whatever the lines are.
  const shownText = readableJson(text).slice(0, columns * MAX_LINES + 1);
  const lines = shownText.split('\n').flatMap((line) => wrapped(visibleText(line), columns));
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… ${body.length} bytes in all; --json prints the whole body`];
}

function utf8Of(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function wrapped(line: string, columns: number): readonly string[] {
  return line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''];
}
