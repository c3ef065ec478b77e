import { parseUrl } from '../../../toolkit/src/parse-url.ts';
import { utf8Prefix } from './utf8-prefix.ts';

/** The maximum size of the kept response headers, in bytes of UTF-8: names and values together. */
export const MAX_KEPT_HEADER_BYTES = 1_024;

const MAX_VALUE_BYTES = 256;

/**
 * The response headers that are kept, in this order. They explain a refusal, or name the request
 * in the logs of the recipient or of what stands before it. Others may carry credentials
 * (`set-cookie`) or say nothing of the request.
 */
const KEPT_HEADERS = [
  'content-type',
  'content-encoding',
  'retry-after',
  'location',
  'allow',
  'server',
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'traceparent',
  'cf-ray',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'x-cloud-trace-context',
  'x-ms-request-id',
  'x-vercel-id',
  'fly-request-id',
] as const;

/** Response headers as the HTTP client gives them: each character of a value is one byte. */
type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The kept headers of a response by lower-case name, and their size. */
export interface KeptHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of UTF-8 of all names and values. */
  readonly bytes: number;
}

/**
 * Keeps the headers of the list, as text that any database stores and any page shows. Of a
 * `location`, which may carry credentials, only scheme, host and path are kept, without the
 * parameters in the path. The names in the path are the recipient's own, and kept as they are.
 *
 * A value has at most 256 bytes; repeated headers are joined with a comma (RFC 9110 section 5.3).
 * A header that no longer fits into {@link MAX_KEPT_HEADER_BYTES} is left out.
 */
export function keptHeaders(received: ReceivedHeaders): KeptHeaders {
  const headers: Record<string, string> = {};
  let bytes = 0;
  for (const name of KEPT_HEADERS) {
    const given = received[name];
    if (given === undefined) continue;
    const text = headerText(typeof given === 'string' ? given : given.join(', '));
    const value = utf8Prefix(name === 'location' ? placeOf(text) : text, MAX_VALUE_BYTES);
    const size = name.length + Buffer.byteLength(value);
    if (value === '' || bytes + size > MAX_KEPT_HEADER_BYTES) continue;
    headers[name] = value;
    bytes += size;
  }
  return { headers, bytes };
}

const NOT_PRINTABLE_ASCII = /[^ -~]/;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the bytes of a value as UTF-8, or as ISO-8859-1 where they are no UTF-8. */
function headerText(value: string): string {
  if (!NOT_PRINTABLE_ASCII.test(value)) return value;
  let text = value;
  try {
    text = decoder.decode(Buffer.from(value, 'latin1'));
  } catch {
    // Each character is a byte of ISO-8859-1 already.
  }
  return text.replace(/[\p{Cc}\p{Surrogate}]/gu, '\uFFFD');
}

/**
 * The scheme, host and path of an absolute web URL, or an absolute path; '' for anything else. The
 * path is without its parameters.
 */
function placeOf(location: string): string {
  const [target = ''] = location.split(/[?#\s\uFFFD]|,\s/, 1);
  if (target.startsWith('/')) {
    const path = withoutParameters(target);
    // Browsers read two slashes, of either kind, as the start of a host.
    return /^\/[/\\]/.test(path) ? '' : path;
  }
  const url = /^https?:/i.test(target) ? parseUrl(target) : undefined;
  return url === undefined ? '' : `${url.origin}${withoutParameters(url.pathname)}`;
}

/**
 * Cuts a path at an encoded `?` or `#`, and each segment at its `;`, such as that of
 * `;jsessionid=…` (RFC 3986 section 3.3). A proxy may have encoded them more than once.
 */
function withoutParameters(path: string): string {
  const [place = ''] = path.split(/%(?:25)*(?:3f|23)/i, 1);
  return place.replace(/(?:;|%(?:25)*3b)[^/]*/gi, '');
}
