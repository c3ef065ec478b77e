import { ConsumedBodyError, isBodyRead, isConsumedBodyError } from '../../../../toolkit/src/consumed-body.ts';
import { AuthError } from '../../errors.ts';

/** The object that a client sent to log in, without `__proto__` at any depth. */
export type Credentials = Readonly<Record<string, unknown>>;

/** In bytes. A login and a password of 1,024 bytes each fit, whatever their spelling in JSON. */
const MAX_CREDENTIALS_BYTES = 8192;

/** Members that hold the name of an account in the usual log-in forms. */
const LOGIN_MEMBERS = ['login', 'username', 'email'] as const;

/**
 * Marks a verifier that reads the name from the member `login` alone, whichever copy of the package
 * made it. A wrapper that hands the credentials on as they came may copy it.
 */
export const readsLogin: unique symbol = Symbol.for('@acme/auth/reads-login');

/**
 * Creates the reader of every value in the credentials that may name the account: the result of
 * `loginOf`, or all of the usual members, `login` first. It skips missing members and `null`, but
 * returns values that are not text: a database may find an account by `['ada']` or `42`.
 *
 * It returns all of them, because only the verifier knows which one it reads. An attacker who
 * varies the others must not get a fresh allowance each time.
 *
 * The reader throws a TypeError if `loginOf` returns a promise, which would leave every account
 * uncounted.
 */
export function loginReader(
  loginOf: ((credentials: Credentials) => string | undefined) | undefined,
  verifier: object,
): (credentials: Credentials) => readonly unknown[] {
  const members = Reflect.get(verifier, readsLogin) === true ? (['login'] as const) : LOGIN_MEMBERS;
  return (credentials) => {
    const candidates =
      loginOf === undefined ? members.map((name) => ownMember(credentials, name)) : [loginOf(credentials)];
    if (candidates.some(isThenable))
      throw new TypeError('loginOf must answer with text at once, not with a promise');
    return [...new Set(candidates.filter((login) => login !== undefined && login !== null))];
  };
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Returns an own member of the credentials, whatever its type. */
export function ownMember(credentials: Credentials, name: string): unknown {
  return Object.hasOwn(credentials, name) ? credentials[name] : undefined;
}

/** What a browser's form sends. Where it is read, the parsers of a host make an object of it. */
const FORM = /^[ \t]*(?:multipart\/|application\/x-www-form-urlencoded)/i;

/**
 * Reads credentials from the body of a request. Its content type does not matter, unless it is that
 * of a form: a parser or a reader of uploads may have consumed that, and every client may send it.
 *
 * Reading stops at the first byte above {@link MAX_CREDENTIALS_BYTES}, announced or not.
 *
 * @throws AuthError `unsupported_media_type`, `body_too_large`, `body_invalid`; TypeError when the
 *   body has been read before
 */
export async function readCredentials(request: Request): Promise<Credentials> {
  if (FORM.test(request.headers.get('content-type') ?? '')) {
    throw new AuthError('unsupported_media_type', 'The body of a log-in must be JSON, and is a form');
  }
  if (isBodyRead(request)) throw new ConsumedBodyError();
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > MAX_CREDENTIALS_BYTES) throw tooLarge();
  const bytes = await readBytes(request);
  // A server that made the request of a consumed stream gives an empty body.
  if (bytes.length === 0 && announced > 0) throw new ConsumedBodyError();
  const credentials = parseObject(bytes);
  if (credentials === undefined) throw new AuthError('body_invalid', 'The body is no JSON object');
  return credentials;
}

async function readBytes({ body }: Request): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await readChunk(reader);
    if (done) return Buffer.concat(chunks, length);
    length += value.byteLength;
    if (length > MAX_CREDENTIALS_BYTES || chunks.length > MAX_CREDENTIALS_BYTES) {
      // What else is on its way is not waited for; a stream that fails meanwhile changes nothing.
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
}

/** A client that goes away while it sends is its own fault, and no failure of the server. */
async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (cause) {
    if (isConsumedBodyError(cause)) throw cause;
    throw new AuthError('body_invalid', 'The body ended early', { cause });
  }
}

function parseObject(bytes: Uint8Array): Credentials | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text, (name, member: unknown) =>
      // A host that copies members into an object of its own would set that object's prototype.
      name === '__proto__' ? undefined : member,
    );
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Credentials {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns every text in the credentials, at any depth. */
export function textsIn(credentials: Credentials): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(credentials, (_name, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts;
}

function tooLarge(): AuthError {
  return new AuthError('body_too_large', `The body is longer than ${MAX_CREDENTIALS_BYTES} bytes`);
}
