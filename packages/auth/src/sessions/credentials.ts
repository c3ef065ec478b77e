import { AuthError } from '../errors.ts';

/** What a client sent to log in: an object of its own, without `__proto__` at any depth. */
export type Credentials = Readonly<Record<string, unknown>>;

/** In bytes. A login and a password of 1,024 bytes each fit, whatever their spelling in JSON. */
export const MAX_CREDENTIALS_BYTES = 8192;

/**
 * In UTF-16 code units: an e-mail address has 254 at most (RFC 5321). Longer ones are refused, not cut, which would give
 * an account other spellings, and before they are normalised, which may make 18 characters of one.
 */
const MAX_LOGIN_LENGTH = 256;

/** Tells whether a login is text, and short enough to be somebody's. */
export function isPossibleLogin(login: unknown): login is string {
  return typeof login === 'string' && login.length <= MAX_LOGIN_LENGTH;
}

/** Members that hold the name of an account in the usual log-in forms. */
const LOGIN_MEMBERS = ['login', 'username', 'email'] as const;

/** Who knows where the account's name is, the best first. */
export interface LoginSources {
  readonly loginOf?: ((credentials: Credentials) => string | undefined) | undefined;
  /** The one member that the verifier reads. */
  readonly loginMember?: string | undefined;
}

/**
 * Creates what gives everything in the credentials that may name the account: what `loginOf` reads, or the member that
 * the verifier is known to read, or all of the usual members, what `login` holds first. What is missing or `null` is not
 * among it, what is no text is: a database may find `['ada']` and `42` as it finds their text.
 *
 * All of them, because a host reads one and nobody but the host knows which: an attacker who varies the others must
 * not get a fresh allowance each time.
 *
 * The reader throws a TypeError when `loginOf` answers a promise, which would leave every account uncounted.
 */
export function loginReader(sources: LoginSources): (credentials: Credentials) => readonly unknown[] {
  const { loginOf, loginMember } = sources;
  const members = loginMember === undefined ? LOGIN_MEMBERS : [loginMember];
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

/** Gives a member that the credentials have themselves, whatever its type. */
export function ownMember(credentials: Credentials, name: string): unknown {
  return Object.hasOwn(credentials, name) ? credentials[name] : undefined;
}

/**
 * Reads credentials from the body of a request, whatever its content type says: no decision depends on that.
 *
 * Reading ends with the first byte above {@link MAX_CREDENTIALS_BYTES}, announced or not.
 *
 * @throws AuthError `body_too_large`, `body_invalid`; TypeError when somebody has read the body before
 */
export async function readCredentials(request: Request): Promise<Credentials> {
  if (request.bodyUsed) {
    throw new TypeError('The body has been read already: mount the sessions before any body parser');
  }
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > MAX_CREDENTIALS_BYTES) throw tooLarge();
  const credentials = parseObject(await readBytes(request));
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

/** Gives every text in the credentials, at any depth. */
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
