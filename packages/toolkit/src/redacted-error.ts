/**
 * The parts of an error that a log may keep: what happened and where, without any value that was
 * read, written or parsed.
 */
export interface DescribedError {
  readonly name: string;
  readonly message: string;
  /**
   * The driver's classification: `code`, `errno`, `errcode`, `sqlState`, and the `constraint`,
   * `table` and `column`.
   */
  readonly [member: string]: unknown;
  /** The stack frames, at most 20. */
  readonly stack: string;
  readonly cause?: DescribedError;
  /** The errors of an `AggregateError`, at most 5. */
  readonly errors?: readonly DescribedError[];
}

/** The rules of one package: which errors are its own, and what they may quote. */
export interface Redaction {
  /**
   * Returns true for the package's own errors. Their messages keep what they quote: names, never
   * values.
   */
  readonly isOwn: (error: unknown) => boolean;
  /**
   * Returns true for errors whose causes may quote values in any form. Of those causes, no message
   * is kept. Default: none.
   */
  readonly hasQuotingCause?: (error: unknown) => boolean;
  /**
   * Texts that no message may repeat, quoted or not. Texts of less than 4 characters are ignored,
   * because they occur in ordinary words.
   */
  readonly secrets?: readonly string[];
}

/** The deepest chain of causes, and the most errors of an `AggregateError`, that are described. */
const MAX_DEPTH = 4;
const MAX_ERRORS = 5;
const MAX_FRAMES = 20;
const MIN_SECRET_LENGTH = 4;
/**
 * The first limit is the longest message that is kept. A message beyond the second is left out,
 * because it cannot be searched as a whole.
 */
const MAX_MESSAGE_LENGTH = 500;
const MAX_SEARCHED_LENGTH = 4_000;

/**
 * The members with which drivers classify an error. All others may contain the statement, its
 * parameters or the row.
 */
const KEPT_MEMBERS = ['code', 'errno', 'errcode', 'sqlState', 'constraint', 'table', 'column'];

/**
 * Everything from the first quotation mark to the last, where drivers and parsers put values. An
 * apostrophe within a word is not a quotation mark.
 */
const QUOTED = /(?:(?<!\p{L})'|["`“”„‘‚«»‹›]).*(?:'(?!\p{L})|["`“”„’«»‹›])/su;
/**
 * Signing secrets, password hashes, JSON Web Tokens, and any other text with a digit that is as
 * long as a token or a hash.
 */
const TOKENS = /whsec_[\w+/=-]*|\bpbkdf2\$[\w$]*|\beyJ[\w.-]+|\b(?=[\w-]*\d)[\w-]{24,}/g;
/** Matches up to the last `@`, because a password may contain `@` and `/`. */
const URL_CREDENTIALS = /\/\/\S*@/g;
/** Secrets behind the names that connection strings and headers give them. */
const NAMED_SECRETS = /\b((?:password|passwd|pwd|secret|token|api[_-]?key)\s*[=:]\s*|bearer\s+)[^\s,;&]+/gi;

/**
 * Turns any thrown value into plain data that may be logged, with its causes and the errors of an
 * `AggregateError`. Messages keep no quoted text and no token. Of the other members, only those
 * that classify the error are kept. Never throws.
 */
export function describeError(error: unknown, redaction: Redaction): DescribedError {
  const secrets = (redaction.secrets ?? []).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  // The longest text comes first, because one may be a part of another.
  secrets.sort((a, b) => b.length - a.length);
  return describe(error, { ...redaction, secrets, depth: MAX_DEPTH, hasMessage: true });
}

/**
 * Returns an error that has only the parts that {@link describeError} keeps. Drivers attach the row
 * (pg: `detail`) or the statement with its values (mysql2: `sql`) to their errors, and with them
 * payloads and secrets. Never throws.
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

/** The position of a description among the causes. */
interface Place extends Redaction {
  readonly secrets: readonly string[];
  /** How many more levels of causes may follow. */
  readonly depth: number;
  readonly hasMessage: boolean;
}

function describe(error: unknown, at: Place): DescribedError {
  try {
    return describeReadable(error, at);
  } catch {
    // The value is a proxy, or has a getter that throws, so nothing of it can be described.
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

/**
 * Returns a text that names something: short, of letters, digits and few other characters, and not
 * a token.
 */
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
 * Returns the frames of a stack, which are the lines at its end. The message above them may have
 * several lines itself.
 */
function framesOf(stack: unknown, message: unknown): string {
  if (typeof stack !== 'string') return '';
  const lines = (typeof message === 'string' ? stack.replace(message, () => '') : stack).split('\n');
  const last = lines.findLastIndex((line) => !/^\s+at /.test(line));
  const frames = lines.slice(last + 1, last + 1 + MAX_FRAMES);
  return frames.map(withoutTokens).join('\n');
}
