import { ConsumedBodyError, isBodyRead, isConsumedBodyError } from '../../../toolkit/src/consumed-body.ts';
import { AdminProblem } from './admin-problem.ts';

/**
 * The largest body that the admin API reads. A hundred patterns and the longest description fit
 * several times.
 */
const MAX_BODY_BYTES = 65_536;

/**
 * Reads a body of at most {@link MAX_BODY_BYTES} to its end. The bytes that arrive count, not the
 * announced `Content-Length`. Returns an empty array for a request without a body.
 *
 * @throws AdminProblem `body_too_large`; `body_unreadable` if the client breaks off;
 *   ConsumedBodyError if a middleware of the host has read the body
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length'));
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  if (isBodyRead(request)) throw new ConsumedBodyError();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await read(reader);
    // A server that made the request of a consumed stream gives an empty body.
    if (done && length === 0 && announced > 0) throw new ConsumedBodyError();
    if (done) return Buffer.concat(chunks, length);
    length += value.length;
    if (length > MAX_BODY_BYTES) {
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
}

/**
 * Parses the bytes of a JSON body (RFC 8259, UTF-8).
 *
 * @throws AdminProblem `malformed_json`, also for an empty body; `unsupported_media_type`
 */
export function parseJsonBody(request: Request, bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw malformed('This request needs a JSON body.');
  if (!isJson(request.headers.get('content-type'))) {
    throw unsupported('The body must be application/json in UTF-8.');
  }
  const coding = request.headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') throw unsupported('The body must not be compressed.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message is not passed on, because it quotes the body.
    throw malformed('The body is not valid JSON.');
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (cause) {
    if (isConsumedBodyError(cause)) throw cause;
    throw new AdminProblem('body_unreadable', { detail: 'The body broke off.', cause });
  }
}

/** `application/json`, in any case, with at most a charset of UTF-8. */
function isJson(contentType: string | null): boolean {
  return /^[ \t]*application\/json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?;?[ \t]*$/i.test(
    contentType ?? '',
  );
}

function tooLarge(): AdminProblem {
  return new AdminProblem('body_too_large', { detail: `A body has at most ${MAX_BODY_BYTES} bytes.` });
}

function malformed(detail: string): AdminProblem {
  return new AdminProblem('malformed_json', { detail });
}

function unsupported(detail: string): AdminProblem {
  return new AdminProblem('unsupported_media_type', { detail });
}
