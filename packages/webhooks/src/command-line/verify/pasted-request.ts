import { fromUtf16 } from '../from-utf16.ts';
import type { SignedRequest } from '../scheme-check.ts';
import { UsageError } from '../usage-error.ts';
import { visibleText } from '../visible-text.ts';

/** What may stand before the headers: the line of a request, or of a response. */
const FIRST_LINE = /^(?:[A-Z]+ \S+(?: HTTP\/[\d.]+)?|HTTP\/[\d.]+ \d{3}.*)$/;

/**
 * Reads a request as people have it: an optional request line, headers, an empty line, the body.
 * Lines may end as on Windows. The body keeps its bytes, but for a line break at its end.
 *
 * @throws UsageError naming the line that is no header, or if there is none
 */
export function parseRequest(bytes: Buffer): SignedRequest {
  // One character for each byte: the positions are those of the bytes.
  const text = fromUtf16(bytes).toString('latin1');
  const start = /^(?:\xef\xbb\xbf)?\s*/.exec(text)?.[0].length ?? 0;
  const gap = /\r?\n\r?\n/.exec(text.slice(start));
  const headEnd = gap === null ? text.length : start + gap.index;
  const bodyStart = gap === null ? text.length : headEnd + gap[0].length;
  const headers = parseHeaders(Buffer.from(text.slice(start, headEnd), 'latin1').toString('utf8'));
  return { headers, body: withoutPastedEnd(headers, text.slice(bodyStart)) };
}

function parseHeaders(text: string): SignedRequest['headers'] {
  const headers = new Map<string, string[]>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || (index === 0 && FIRST_LINE.test(line.trim()))) continue;
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      const shown = visibleText(line.slice(0, 60));
      throw new UsageError(`Line ${index + 1} is no header, "name: value": ${shown}`);
    }
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value.trim()]);
  }
  if (headers.size > 0) return Object.fromEntries(headers);
  throw new UsageError('There are no headers. A request has headers, an empty line and the body.');
}

/** Editors end a text with a line break, unless `Content-Length` says that it is of the body. */
function withoutPastedEnd(headers: SignedRequest['headers'], body: string): Buffer {
  const isWhole = Number(headers['content-length']?.[0]) === body.length;
  return Buffer.from(isWhole ? body : body.replace(/\r?\n$/, ''), 'latin1');
}
