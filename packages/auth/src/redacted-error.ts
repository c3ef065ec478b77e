import { isAuthError } from './errors.ts';

interface DescribedError {
  readonly name: string;
  readonly message: string;
  /** How the driver classifies it: `code`, `errno`, `errcode`, `sqlState`; and the `constraint`, `table`, `column`. */
  readonly [member: string]: unknown;
  /** The places in the code, at most 20. */
  readonly stack: string;
  readonly cause?: DescribedError;
  /** Of an `AggregateError`, at most 5. */
  readonly errors?: readonly DescribedError[];
}

/** Causes below one another, and errors beside one another, that are described. */
const MAX_DEPTH = 4;
const MAX_ERRORS = 5;
const MAX_FRAMES = 20;
const MIN_SECRET_LENGTH = 4;
/** Of an error's message, what is kept; a longer one than the second is left out, for it can't be searched as a whole. */
const MAX_MESSAGE_LENGTH = 500;
const MAX_SEARCHED_LENGTH = 4_000;

/** Members by which drivers classify an error. All others may hold the statement, its parameters or the row. */
const KEPT_MEMBERS = ['code', 'errno', 'errcode', 'sqlState', 'constraint', 'table', 'column'];

/** From the first quotation mark to the last: where drivers and parsers put values. An apostrophe within a word is none. */
const QUOTED = /(?:(?<!\p{L})'|["`“”„‘‚«»‹›]).*(?:'(?!\p{L})|["`“”„’«»‹›])/su;
/** JSON Web Tokens, password hashes, and whatever else is as long as a token, an API key or a hash and holds a digit. */
const TOKENS = /\bpbkdf2\$[\w$]*|\beyJ[\w.-]+|\b(?=[\w-]*\d)[\w-]{24,}/g;
const URL_CREDENTIALS = /\/\/[^\s/@]*@/g;

/**
 * What the logger gets of whatever was thrown: an error with its name, its message without quoted text and tokens, the
 * members that classify it, and the places in the code, of its causes and the errors of an `AggregateError` too. Drivers
 * hang the row (pg: `detail`) or the statement with its values (mysql2: `sql`) on theirs. Never throws.
 *
 * @param secrets texts that no message may repeat, quoted or not; those of less than 4 characters are left, since words
 *   hold them
 */
export function redactedError(error: unknown, secrets: readonly string[] = []): Error {
  // The longest first: one may be a part of another.
  const hidden = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  return errorOf(
    describe(
      error,
      MAX_DEPTH,
      hidden.sort((a, b) => b.length - a.length),
    ),
  );
}

function errorOf({ cause, errors, ...described }: DescribedError): Error {
  const members = { ...described, stack: `${described.name}: ${described.message}\n${described.stack}` };
  const causes = cause === undefined ? undefined : { cause: errorOf(cause) };
  const redacted =
    errors === undefined
      ? new Error(members.message, causes)
      : new AggregateError(errors.map(errorOf), members.message, causes);
  for (const [member, value] of Object.entries(members)) {
    const isShown = KEPT_MEMBERS.includes(member);
    Object.defineProperty(redacted, member, { value, enumerable: isShown, configurable: true });
  }
  return redacted;
}

function describe(error: unknown, depth: number, secrets: readonly string[]): DescribedError {
  try {
    return describeReadable(error, depth, secrets);
  } catch {
    // A proxy, or a getter that throws: there is nothing to say of it.
    return { name: 'Error', message: 'an error that cannot be read', stack: '' };
  }
}

function describeReadable(error: unknown, depth: number, secrets: readonly string[]): DescribedError {
  const said = typeof error === 'string' ? error : memberOf(error, 'message');
  const message = secrets.reduce(
    (text, secret) => text.replaceAll(secret, '…'),
    typeof said === 'string' ? said : '',
  );
  const name = nameOf(memberOf(error, 'name')) ?? (error instanceof Error ? 'Error' : typeof error);
  const text = isAuthError(error) ? withoutTokens(message) : withoutValues(message);
  const cause = memberOf(error, 'cause');
  const errors = memberOf(error, 'errors');
  const isAggregate = error instanceof AggregateError && Array.isArray(errors);
  return {
    name,
    message: text.slice(0, MAX_MESSAGE_LENGTH),
    ...classification(error),
    stack: framesOf(memberOf(error, 'stack'), said),
    ...(cause !== undefined && depth > 0 && { cause: describe(cause, depth - 1, secrets) }),
    ...(isAggregate &&
      depth > 0 && {
        errors: errors.slice(0, MAX_ERRORS).map((one) => describe(one, depth - 1, secrets)),
      }),
  };
}

function classification(error: unknown): { [member: string]: string | number } {
  const members: { [member: string]: string | number } = {};
  for (const member of KEPT_MEMBERS) {
    const value = memberOf(error, member);
    const kept = typeof value === 'number' ? value : nameOf(value);
    if (kept !== undefined) members[member] = kept;
  }
  return members;
}

/** Text that names something: short, of letters, digits and few other characters, and no token. */
function nameOf(value: unknown): string | undefined {
  const isName = typeof value === 'string' && /^[\w$.-]{1,64}$/.test(value);
  return isName && withoutTokens(value) === value ? value : undefined;
}

function memberOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

function withoutValues(message: string): string {
  return withoutTokens(message.length > MAX_SEARCHED_LENGTH ? '' : message.replace(QUOTED, "'…'"));
}

function withoutTokens(text: string): string {
  if (text.length > MAX_SEARCHED_LENGTH) return '';
  return text.replace(URL_CREDENTIALS, '//…@').replace(TOKENS, '…');
}

/** The places in a stack: the lines at its end, without the message above them, which may have lines of its own. */
function framesOf(stack: unknown, message: unknown): string {
  if (typeof stack !== 'string') return '';
  const lines = (typeof message === 'string' ? stack.replace(message, () => '') : stack).split('\n');
  const last = lines.findLastIndex((line) => !/^\s+at /.test(line));
  const frames = lines.slice(last + 1, last + 1 + MAX_FRAMES);
  return frames.map(withoutTokens).join('\n');
}
