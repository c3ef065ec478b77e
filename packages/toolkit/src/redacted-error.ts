/**
 * What a log may keep of an error: what happened and where, and no value that was read, written or
 * parsed.
 */
export interface DescribedError {
  readonly name: string;
  readonly message: string;
  /**
   * How the driver classifies it: `code`, `errno`, `errcode`, `sqlState`; and the `constraint`,
   * `table`, `column`.
   */
  readonly [member: string]: unknown;
  /** The places in the code, at most 20. */
  readonly stack: string;
  readonly cause?: DescribedError;
  /** Of an `AggregateError`, at most 5. */
  readonly errors?: readonly DescribedError[];
}

/** What a package knows of its errors, and of what they may quote. */
export interface Redaction {
  /** Tells the package's own errors, whose messages keep what they quote: names, and no values. */
  readonly isOwn: (error: unknown) => boolean;
  /**
   * Tells the errors whose causes may quote values in any way: of these, no message is kept.
   * Default: none.
   */
  readonly hasQuotingCause?: (error: unknown) => boolean;
  /**
   * Texts that no message may repeat, quoted or not; those of less than 4 characters are left,
   * since words hold them.
   */
  readonly secrets?: readonly string[];
}

/** Causes below one another, and errors beside one another, that are described. */
const MAX_DEPTH = 4;
const MAX_ERRORS = 5;
const MAX_FRAMES = 20;
const MIN_SECRET_LENGTH = 4;
/**
 * Of an error's message, what is kept; a longer one than the second is left out, for it can't be
 * searched as a whole.
 */
const MAX_MESSAGE_LENGTH = 500;
const MAX_SEARCHED_LENGTH = 4_000;

/**
 * Members by which drivers classify an error. All others may hold the statement, its parameters or
 * the row.
 */
const KEPT_MEMBERS = ['code', 'errno', 'errcode', 'sqlState', 'constraint', 'table', 'column'];

/**
 * From the first quotation mark to the last: where drivers and parsers put values. An apostrophe
 * within a word is none.
 */
const QUOTED = /(?:(?<!\p{L})'|["`“”„‘‚«»‹›]).*(?:'(?!\p{L})|["`“”„’«»‹›])/su;
/**
 * Signing secrets, password hashes, JSON Web Tokens, and whatever else is as long as a token or a
 * hash, with a digit.
 */
const TOKENS = /whsec_[\w+/=-]*|\bpbkdf2\$[\w$]*|\beyJ[\w.-]+|\b(?=[\w-]*\d)[\w-]{24,}/g;
/** Up to the last `@`: a password may hold one, and a slash. */
const URL_CREDENTIALS = /\/\/\S*@/g;
/** As connection strings and headers name what follows them. */
const NAMED_SECRETS = /\b((?:password|passwd|pwd|secret|token|api[_-]?key)\s*[=:]\s*|bearer\s+)[^\s,;&]+/gi;

/**
 * Turns whatever was thrown into what may be logged of it: plain data, with its causes and the
 * errors of an `AggregateError`. Messages keep no quoted text and no token; of other members only
 * those that classify. Never throws.
 */
export function describeError(error: unknown, redaction: Redaction): DescribedError {
  const secrets = (redaction.secrets ?? []).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  // The longest first: one may be a part of another.
  secrets.sort((a, b) => b.length - a.length);
  return describe(error, { ...redaction, secrets, depth: MAX_DEPTH, hasMessage: true });
}

/**
 * An error with what {@link describeError} keeps of another: drivers hang the row (pg: `detail`) or
 * the statement with its values (mysql2: `sql`) on theirs, and with them payloads and secrets.
 * Never throws.
 */
export function redactedError(error: unknown, redaction: Redaction): Error {
  return errorOf(describeError(error, redaction));
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

/** Where a description has arrived among the causes. */
interface Place extends Redaction {
  readonly secrets: readonly string[];
  /** The levels of causes that may follow. */
  readonly depth: number;
  readonly hasMessage: boolean;
}

function describe(error: unknown, at: Place): DescribedError {
  try {
    return describeReadable(error, at);
  } catch {
    // A proxy, or a getter that throws: there is nothing to say of it.
    return { name: 'Error', message: 'an error that cannot be read', stack: '' };
  }
}

function describeReadable(error: unknown, at: Place): DescribedError {
  const said = typeof error === 'string' ? error : memberOf(error, 'message');
  const message = at.hasMessage && typeof said === 'string' ? withoutTexts(said, at.secrets) : '';
  const name = nameOf(memberOf(error, 'name')) ?? (error instanceof Error ? 'Error' : typeof error);
  const text = at.isOwn(error) ? withoutTokens(message) : withoutValues(message);
  const below = {
    ...at,
    depth: at.depth - 1,
    hasMessage: at.hasMessage && at.hasQuotingCause?.(error) !== true,
  };
  const cause = memberOf(error, 'cause');
  const errors = memberOf(error, 'errors');
  const isAggregate = error instanceof AggregateError && Array.isArray(errors);
  return {
    name,
    message: text.slice(0, MAX_MESSAGE_LENGTH),
    ...classification(error),
    stack: framesOf(memberOf(error, 'stack'), said),
    ...(cause !== undefined && at.depth > 0 && { cause: describe(cause, below) }),
    ...(isAggregate &&
      at.depth > 0 && { errors: errors.slice(0, MAX_ERRORS).map((one) => describe(one, below)) }),
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

function withoutTexts(message: string, texts: readonly string[]): string {
  return texts.reduce((left, text) => left.replaceAll(text, '…'), message);
}

function withoutValues(message: string): string {
  return withoutTokens(message.length > MAX_SEARCHED_LENGTH ? '' : message.replace(QUOTED, "'…'"));
}

function withoutTokens(text: string): string {
  if (text.length > MAX_SEARCHED_LENGTH) return '';
  return text.replace(URL_CREDENTIALS, '//…@').replace(NAMED_SECRETS, '$1…').replace(TOKENS, '…');
}

/**
 * The places in a stack: the lines at its end, without the message above them, which may have lines
 * of its own.
 */
function framesOf(stack: unknown, message: unknown): string {
  if (typeof stack !== 'string') return '';
  const lines = (typeof message === 'string' ? stack.replace(message, () => '') : stack).split('\n');
  const last = lines.findLastIndex((line) => !/^\s+at /.test(line));
  const frames = lines.slice(last + 1, last + 1 + MAX_FRAMES);
  return frames.map(withoutTokens).join('\n');
}
