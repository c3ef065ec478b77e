/** Headers of an answer that is under way. */
interface AnswerHeaders {
  set(name: string, value: string): unknown;
  append(name: string, value: string): unknown;
}

/** As Node's responses and Fastify's replies have them. */
export interface RemovableHeaders {
  hasHeader(name: string): boolean;
  removeHeader(name: string): unknown;
}

/**
 * What a middleware says of a body that is not ours: a coding, a length, how it is framed; and what
 * a cache obeys before our `Cache-Control` (RFC 9213).
 */
const FOREIGN_HEADERS = [
  'content-encoding',
  'content-length',
  'content-type',
  'cdn-cache-control',
  'etag',
  'surrogate-control',
  'trailer',
  'transfer-encoding',
] as const;

/**
 * Removes what would make ours unreadable or kept, each only if it is there: Node frames no body by
 * itself once a header was removed.
 */
export function dropForeignHeaders(answer: RemovableHeaders): void {
  for (const name of FOREIGN_HEADERS) if (answer.hasHeader(name)) answer.removeHeader(name);
}

/**
 * Adds the headers of a response to those that a middleware of the host has set. A header of the
 * response replaces the one of its name, which may be looser (`Cache-Control`, a policy); cookies
 * and `Vary` of both are kept. {@link dropForeignHeaders} comes first.
 */
export function addHeaders(ours: Headers, answer: AnswerHeaders): void {
  for (const [name, value] of ours) {
    if (name === 'vary') answer.append(name, value);
    else if (name !== 'set-cookie') answer.set(name, value);
  }
  for (const cookie of ours.getSetCookie()) answer.append('set-cookie', cookie);
}
