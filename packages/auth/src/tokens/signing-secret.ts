import { isUtf8 } from 'node:buffer';
import { hasLoneSurrogate } from '../text/well-formed-text.ts';

/** RFC 7518 section 3.2: a key at least as long as the hash output. */
const MIN_KEY_BYTES = 32;
/**
 * The fewest bytes that do not follow from those before them. 32 random hex digits, the key with
 * the least variety, have fewer once in 10^7.
 */
const MIN_UNPREDICTED_BYTES = 12;

const WHERE_TO_LOOK = ': is the environment variable set?';

/**
 * Reads an HMAC secret, as a copy.
 *
 * What everybody can know is no secret: another key's document, a reference that nobody resolved,
 * and text that a person wrote instead of drawing it. Each is looked for in the key and, if all of
 * it is base64, in what it decodes to. No other encoding is tried.
 *
 * This is a net for accidents. Decoding in every usual way (hex, entities, UTF-16, nested) took 270
 * lines, and still let the default key of a JWT site through. A minimum of estimated entropy fails
 * some random keys and passes some documents.
 *
 * @throws TypeError naming the option and the bound; never the key
 */
export function readSigningSecret(option: string, key: unknown): Uint8Array<ArrayBuffer> {
  if (typeof key !== 'string' && !(key instanceof Uint8Array)) {
    const got = key === undefined || key === null ? `${key}${WHERE_TO_LOOK}` : typeof key;
    throw new TypeError(
      `${option} must be text or bytes (Uint8Array), at least ${MIN_KEY_BYTES} bytes long, got ${got}`,
    );
  }
  if (typeof key === 'string' && hasLoneSurrogate(key)) {
    throw new TypeError(`${option} must be well-formed text: it holds half of a surrogate pair`);
  }
  const bytes = new Uint8Array(typeof key === 'string' ? Buffer.from(key, 'utf8') : key);
  if (bytes.length < MIN_KEY_BYTES) {
    const hint = bytes.length === 0 ? WHERE_TO_LOOK : '';
    throw new TypeError(`${option} must be at least ${MIN_KEY_BYTES} bytes long, got ${bytes.length}${hint}`);
  }
  // Each byte is the character with its number, so that regular expressions can search it.
  const text = Buffer.from(bytes).toString('latin1');
  for (const reading of [text, ...fromBase64(text)]) {
    const fault = RULES.find(([, breaks]) => breaks(reading))?.[0];
    if (fault !== undefined) throw new TypeError(`${option} must be a random secret: ${fault}`);
  }
  const fault = isUtf8(bytes) ? faultOfText(Buffer.from(bytes).toString('utf8')) : undefined;
  if (fault !== undefined) throw new TypeError(`${option} must be a random secret: it ${fault}`);
  return bytes;
}

/** What comes with a text, but is no part of a key. Another process may read it without. */
const STRAY: readonly (readonly [kind: string, characters: RegExp])[] = [
  ['a byte order mark', /\ufeff|^\u00ef\u00bb\u00bf/],
  ['a line break', /[\n-\r\x85\u2028\u2029]/],
  ['a space', /\s/],
  ['an invisible character', /[\p{Cc}\p{Cf}\p{DI}\u2800]/u],
  // At an edge alone, which is one character.
  ['a quote', /^["'`„‚\p{Pi}\p{Pf}]$/u],
];

/** What a program gives in place of a key, if no space in it tells. */
const NO_KEY =
  /^(?:<(?:!doctype|\?xml|html|head|body|error)|\{"\w+":|(?:async)?(?:function\b|\(\w*\)=>)|[\w.]*(?:error|exception):)/i;

/** Of a text. Bytes are one when they are UTF-8, as 32 random bytes are once in 10^8. */
function faultOfText(key: string): string | undefined {
  const places = { 'begins with': key.slice(0, 1), 'ends with': key.slice(-1), contains: key };
  for (const [place, part] of Object.entries(places)) {
    const kind = STRAY.find(([, characters]) => characters.test(part))?.[0];
    if (kind !== undefined) return `${place} ${kind}`;
  }
  return NO_KEY.test(key) ? 'is a page, an error or a program' : undefined;
}

/** No random key breaks a rule in practice: the least unlikely accident is one in 10^7. */
const RULES: readonly (readonly [fault: string, breaks: (reading: string) => boolean])[] = [
  ['it is the document of another key (PEM, JWK)', (reading) => DOCUMENT.test(reading)],
  [
    'it is a reference that nothing has resolved',
    (reading) => PRINTABLE.test(reading) && REFERENCE.test(reading),
  ],
  ['it contains the word of a placeholder', (reading) => PLACEHOLDER.test(reading)],
  ['it has hardly any variety', hasHardlyAnyVariety],
];

/**
 * The lines of RFC 7468, the member that every JWK has (RFC 7517 section 4.1), an OpenSSH key, and
 * what is left of a PEM document without its lines: the identifier of an RSA, EC or Edwards key
 * (RFC 8017, 5480, 8410), of which the shortest has 48 bits.
 */
const DOCUMENT = new RegExp(
  [
    '-----(?:BEGIN|END) |["\']kty\\\\?["\']\\s*:|\\b(?:ssh|ecdsa-sha2)-[\\w-]{1,32} AAAA',
    '^0[\\x81\\x82][^]{1,2}\\x02(?:\\x01\\0\\x02)?[\\x81\\x82]|^0[^]{1,2}\\x02\\x01\\x01\\x04',
    ...['06092a864886f70d0101', '06072a8648ce3d0201', '300506032b65'].map((hex) =>
      hex.replaceAll(/../g, '\\x$&'),
    ),
  ].join('|'),
);

/**
 * The address of a secret, a path to it, or a template: at the start, or `${NAME}` anywhere. Short
 * signs count where they enclose the whole text, because a random key may begin with them.
 */
const REFERENCE =
  /^[\s"'`]*(?:(?!base64:)[a-z][a-z\d+.-]*:\/\/|(?:arn|env|file|ref|secretsmanager|ssm|vault):|ENC\[|@\w+\.KeyVault\(|projects\/\w|\/(?:etc|mnt|run|var)\/|\$ANSIBLE|\$env:|\$\(\w+ |(?:\$\{.*\}|\$\(\w{2}.*\)|\$[a-z_]\w*|%\w+%|#\{[\w.-]+\}#?|\{\{.*\}\}|<[\w .-]+>|__\w+__)[\s"'`]*$)|\$\{\w{2,64}[}:]|process\.env/is;

/** Nothing else is a text that somebody wrote. */
const PRINTABLE = /^[\t-\r -~]*$/;

/**
 * In one case throughout, or in camel case, because a random key in base64 has six given letters in
 * any case once in ten million, and in one case once in a thousand million.
 */
const PLACEHOLDER = new RegExp(
  [
    ...['secret', 'sample', 'example', 'please', 'default', 'replace', 'password', 'insecure', 'keyboard'],
    ...['qwerty', 'placeholder', 'development', 'change[-_ ]?(?:me|it|this)', 'your[-_ ]'],
  ]
    .flatMap((word) => [word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`, word.toUpperCase()])
    .concat('[Cc]hange[-_ ]?(?:Me|It|This)', '[Yy]our(?:Jwt|Key|Own|Signing|Token)')
    .join('|'),
);

/**
 * Counts the bytes that are no neighbours of the one before, as in rows of letters and digits, and
 * continue no three bytes that came before, as in repetitions.
 */
function hasHardlyAnyVariety(reading: string): boolean {
  const seen = new Set<string>();
  let unpredicted = 0;
  for (let at = 0; at < reading.length; at += 1) {
    const triple = reading.slice(at - 2, at + 1);
    const step = Math.abs(reading.charCodeAt(at) - reading.charCodeAt(at - 1));
    if (!(step <= 1) && !seen.has(triple)) unpredicted += 1;
    if (at >= 2) seen.add(triple);
  }
  return unpredicted < MIN_UNPREDICTED_BYTES;
}

/** Decodes base64 or base64url, in lines or behind `base64:`, if it holds as much as a key does. */
function fromBase64(text: string): readonly string[] {
  const digits = text.replace(/^base64:/, '').replaceAll(/\s|\\n/g, '');
  if (!/^[\w+/-]{32,}=*$/.test(digits)) return [];
  return [Buffer.from(digits, 'base64').toString('latin1')];
}
