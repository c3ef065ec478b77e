/** Far more than a chain of encodings has; the encodings of a key are few, and each reading is shorter. */
const MAX_READINGS = 64;

/** A reading of bytes, each byte as the character of its number, so that regular expressions can search it. */
export type Reading = string;

/**
 * Gives everything that the bytes of a key may be a spelling of, the bytes themselves first: quoted, percent-encoded,
 * in hex, in base64, in UTF-16, and each of these around another. At most 64 readings, the outermost first.
 */
export function readingsOf(bytes: Uint8Array): ReadonlySet<Reading> {
  const readings = new Set<Reading>([Buffer.from(bytes).toString('latin1')]);
  // A set's iteration reaches what is added meanwhile.
  for (const reading of readings) {
    for (const decoded of DECODERS.flatMap((decode) => decode(reading))) {
      if (readings.size >= MAX_READINGS) return readings;
      if (decoded.length > 0 && decoded.length < reading.length) readings.add(decoded);
    }
  }
  return readings;
}

/** Each gives only what is shorter than its input: chains of them end. */
const DECODERS: readonly ((reading: Reading) => readonly Reading[])[] = [
  withoutWrapping,
  withoutQuotes,
  fromPercentEncoding,
  fromHex,
  fromBase64,
  fromTextOfBytes,
];

/** Without byte order mark, the zeros of UTF-16, and white space around. */
function withoutWrapping(reading: Reading): Reading[] {
  return [
    reading
      .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
      .replaceAll('\0', '')
      .trim(),
  ];
}

function withoutQuotes(reading: Reading): Reading[] {
  const inner = /^(["'`])(.*)\1$/s.exec(reading)?.[2];
  return inner === undefined ? [] : [inner.replaceAll(/\\(["'`\\/])/g, '$1')];
}

/** Forms also write a space as `+`. */
function fromPercentEncoding(reading: Reading): Reading[] {
  const decode = (text: string) =>
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return [decode(reading), decode(reading.replaceAll('+', ' '))];
}

function fromHex(reading: Reading): Reading[] {
  const digits = withoutLineBreaks(reading).replaceAll(':', '').replace(/^0x/i, '');
  return /^(?:[0-9a-f]{2})+$/i.test(digits) ? [Buffer.from(digits, 'hex').toString('latin1')] : [];
}

/** Of either alphabet. */
function fromBase64(reading: Reading): Reading[] {
  const digits = withoutLineBreaks(reading);
  return /^[\w+/-]+=*$/.test(digits) ? [Buffer.from(digits, 'base64').toString('latin1')] : [];
}

/** Bytes that were read as Latin-1 text, and written as UTF-8. */
function fromTextOfBytes(reading: Reading): Reading[] {
  const text = Buffer.from(reading, 'latin1').toString('utf8');
  return /^[\0-\xff]*$/.test(text) ? [text] : [];
}

/** Line breaks that an environment variable has as `\n` are two characters. */
function withoutLineBreaks(reading: Reading): string {
  return reading.replaceAll(/\s|\\[nr]/g, '');
}
