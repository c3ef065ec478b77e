/**
 * Far more readings than a chain of encodings gives: a key has few encodings, and each reading is
 * shorter than the one before it.
 */
const MAX_READINGS = 256;

/**
 * One reading of the bytes. Each byte is the character with its number, so that regular expressions
 * can search it.
 */
export type Reading = string;

/**
 * Returns every reading of the bytes of a key, the bytes themselves first.
 *
 * A key may be quoted, follow a name or a prefix (`KEY=…`, `base64:…`), be escaped for JSON, HTML
 * or URLs, or be written in hex, base64, decimal numbers or UTF-16. Each of these may wrap another.
 * Returns at most 256 readings, the outermost first.
 */
export function readingsOf(bytes: Uint8Array): ReadonlySet<Reading> {
  const readings = new Set<Reading>([Buffer.from(bytes).toString('latin1')]);
  // The iteration of a set includes the elements that are added during it.
  for (const reading of readings) {
    for (const decoded of DECODERS.flatMap((decode) => decode(reading))) {
      if (readings.size >= MAX_READINGS) return readings;
      if (decoded.length > 0 && decoded.length < reading.length) readings.add(decoded);
    }
  }
  return readings;
}

/** Each decoder returns only readings that are shorter than its input, so every chain ends. */
const DECODERS: readonly ((reading: Reading) => readonly Reading[])[] = [
  withoutByteOrderMark,
  withoutSpace,
  withoutQuotes,
  withoutName,
  fromPercentEncoding,
  fromEscapes,
  fromEntities,
  fromNumbers,
  fromHex,
  fromBase64,
  fromUtf16,
  fromTextOfBytes,
];

function withoutByteOrderMark(reading: Reading): Reading[] {
  return [reading.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')];
}

/** Removes the white space around the reading, and the zeros that a file may have at its end. */
function withoutSpace(reading: Reading): Reading[] {
  return [reading.replace(/[\s\0]+$/, '').trimStart()];
}

/**
 * Decodes UTF-16 of either byte order whose characters fit in a byte. If white space was removed,
 * half of a character may be missing or left over.
 */
function fromUtf16(reading: Reading): Reading[] {
  if (/^(?:[\s\S]\0)+[\s\S]?$/.test(reading)) return [reading.replaceAll(/([\s\S])\0/g, '$1')];
  return /^(?:\0[\s\S])+\0?$/.test(reading) ? [reading.replaceAll(/\0([\s\S])/g, '$1')] : [];
}

function withoutQuotes(reading: Reading): Reading[] {
  const inner = /^(["'`])(.*)\1$/s.exec(reading)?.[2];
  return inner === undefined ? [] : [inner.replaceAll(/\\(["'`\\/])/g, '$1')];
}

/**
 * Removes the name before a value: `PUBLIC_KEY=…`, `key: …`, `base64:…`,
 * `data:application/x-pem-file;base64,…`.
 */
function withoutName(reading: Reading): Reading[] {
  const value = /^(?:data:[^,]{0,128},|(?:export\s+)?[\w.-]{1,128}\s*[=:])(.*)$/is.exec(reading)?.[1];
  return value === undefined ? [] : [value];
}

/** Decodes percent-encoding with `+` as a plus sign, and with `+` as a space, as forms write it. */
function fromPercentEncoding(reading: Reading): Reading[] {
  const decode = (text: string) =>
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return [decode(reading), decode(reading.replaceAll('+', ' '))];
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/**
 * Decodes `\x30`, `\u0030` and `\n`, the escapes of bytes and characters in source code and JSON.
 */
function fromEscapes(reading: Reading): Reading[] {
  return [
    reading.replaceAll(
      /\\(?:(?:x|u00)([0-9a-f]{2})|([nrtbf]))/gi,
      (_, hex: string | undefined, short: string) =>
        hex === undefined ? (SHORT_ESCAPES[short] ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

function fromEntities(reading: Reading): Reading[] {
  const named = reading.replaceAll(/&(quot|apos|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
  return [named.replaceAll(/&#(?:39|x27);/gi, "'").replaceAll(/&#(?:34|x22);/gi, '"')];
}

/** Decodes a list of bytes in decimal numbers. */
function fromNumbers(reading: Reading): Reading[] {
  const isList = /^[[{(\s]*\d{1,3}(?:[\s,;]+\d{1,3})+[\])}\s]*$/.test(reading);
  const numbers = isList ? (reading.match(/\d+/g) ?? []).map(Number) : [];
  return [Buffer.from(numbers.filter((number) => number <= 0xff)).toString('latin1')];
}

/**
 * Decodes hex in one piece, in groups, or as a list of bytes: `30:82:…`, `0x30, 0x82, …`,
 * `\x30\x82…`.
 */
function fromHex(reading: Reading): Reading[] {
  const digits = withoutLineBreaks(reading).replaceAll(/0x|\\x|[:,;+{}[\]()-]/gi, '');
  return /^(?:[0-9a-f]{2})+$/i.test(digits) ? [Buffer.from(digits, 'hex').toString('latin1')] : [];
}

/** Decodes base64 and base64url. */
function fromBase64(reading: Reading): Reading[] {
  const digits = withoutLineBreaks(reading);
  return /^[\w+/-]+=*$/.test(digits) ? [Buffer.from(digits, 'base64').toString('latin1')] : [];
}

/** Restores bytes that were read as Latin-1 text and written as UTF-8. */
function fromTextOfBytes(reading: Reading): Reading[] {
  const text = Buffer.from(reading, 'latin1').toString('utf8');
  return /^[\0-\xff]*$/.test(text) ? [text] : [];
}

/**
 * Removes white space and escaped line breaks. In an environment variable, a line break may be the
 * two characters `\n`; in a shell script, a backslash precedes it.
 */
function withoutLineBreaks(reading: Reading): string {
  return reading.replaceAll(/\\?\s|\\[nr]/g, '');
}
