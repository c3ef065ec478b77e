import { fromUtf16 } from '../from-utf16.ts';
import type { SignedRequest } from '../scheme-check.ts';
import { UsageError } from '../usage-error.ts';
import { visibleText } from '../visible-text.ts';

/** Twice the size of the largest payload, and headers. */
export const MAX_REQUEST_BYTES = 1_048_576;

/** The most headers, and values of one in a JSON object. */
const MAX_HEADERS = 200;

/**
 * Reads a request as people have it: an optional request line, headers, an empty line, the body.
 * Lines may end as on Windows. The body keeps its bytes, but for a line break at its end.
 *
 * @throws UsageError naming the line that is no header
 */
export function parseRequest(bytes: Buffer): SignedRequest {
  const input = fromUtf16(bytes);
  // One character for each byte: the positions are those of the bytes.
  const text = input.toString('latin1');
  const start = /^(?:\xef\xbb\xbf)?\s*/.exec(text)?.[0].length ?? 0;
  const gap = /\r?\n\r?\n/.exec(text.slice(start));
  const headEnd = gap === null ? text.length : start + gap.index;
  const bodyStart = gap === null ? text.length : headEnd + gap[0].length;
  const headers = parseHeaders(input.subarray(start, headEnd));
  return { headers, body: withoutPastedEnd(headers, input.subarray(bodyStart)) };
}

/**
 * Reads headers: lines of `name: value`, or a JSON object.
 *
 * @throws UsageError naming the line that is no header, or if there is none
 */
export function parseHeaders(bytes: Buffer): SignedRequest['headers'] {
  const text = new TextDecoder().decode(fromUtf16(bytes));
  const entries = text.trimStart().startsWith('{') ? jsonEntries(text) : lineEntries(text);
  if (entries.length > MAX_HEADERS) throw new UsageError(`There are more than ${MAX_HEADERS} headers.`);
  const headers = new Map<string, string[]>();
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  if (headers.size === 0) {
    throw new UsageError('There are no headers. A request has headers, an empty line and the body.');
  }
  return Object.fromEntries(headers);
}

function lineEntries(text: string): readonly (readonly [string, string])[] {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    const isFirst =
      index === first && /^(?:[A-Z]+ \S+(?: HTTP\/[\d.]+)?|HTTP\/[\d.]+ \d{3}.*)$/.test(line.trim());
    if (isFirst || line.trim() === '') return [];
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    if (name !== undefined && value !== undefined) return [[name, value.trim()] as const];
    throw new UsageError(
      `Line ${index + 1} is no header, "name: value": ${visibleText(line.slice(0, 60))}. An empty line separates headers and body.`,
    );
  });
}

/** The form in which applications log headers: `{"x-webhook-id": "…"}`. */
function jsonEntries(text: string): readonly (readonly [string, string])[] {
  let headers: object;
  try {
    headers = JSON.parse(text);
  } catch {
    throw new UsageError('The headers begin with { but are not JSON.');
  }
  return Object.entries(headers).flatMap(([name, value]: [string, unknown]) => {
    const values = [value].flat().filter((one) => one !== null);
    return values.map((one) => [name, headerValue(name, one)] as const);
  });
}

function headerValue(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new UsageError(`The header ${visibleText(name.slice(0, 60))} is neither text nor a number.`);
}

/** Editors end a text with a line break, unless `Content-Length` says that it is of the body. */
function withoutPastedEnd(headers: SignedRequest['headers'], body: Buffer): Buffer {
  if (Number(headers['content-length']?.[0]) === body.length) return body;
  const lineBreak = /\r?\n$/.exec(body.subarray(-2).toString('latin1'))?.[0] ?? '';
  return body.subarray(0, body.length - lineBreak.length);
}
