import { inspect } from 'node:util';

/** What never belongs into a log, a hook or the output of the process, by what it is. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'a signing secret': /whsec_[A-Za-z0-9+/]{8}/,
  'a JSON Web Token': /\beyJ[\w-]{8,}\.[\w-]+/,
  'a refresh token, a hash or a signature': /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i,
  'an API key': /(?<![a-z0-9_])[a-z][a-z0-9_]{1,31}_[0-9A-Za-z]{49}(?![0-9A-Za-z])/,
  'a password hash': /pbkdf2\$\d/,
  'a cookie': /\b(?:access|refresh)_token=[^;\s'"]/,
  'a credential': /\bBearer +[\w.~+/-]{4}/i,
  'a password or a key of the tests': /hunter2|secret of \w|a.signing.key.of.at.least|k{32}/,
};

/**
 * Names the secrets that printing a value in full would show: members that do not enumerate,
 * causes, errors of an `AggregateError` and the text of bytes included.
 */
export function secretsIn(...values: readonly unknown[]): string[] {
  const text = values.map(everythingOf).join('\n');
  return Object.entries(SECRETS).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
}

function everythingOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return inspect(value, {
    depth: 20,
    showHidden: true,
    customInspect: false,
    maxStringLength: null,
    maxArrayLength: null,
    breakLength: Number.POSITIVE_INFINITY,
  });
}
