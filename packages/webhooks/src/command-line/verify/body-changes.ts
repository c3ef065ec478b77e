import { createHash } from 'node:crypto';

/** A body that may have been signed in place of the one that is there. */
export interface BodyChange {
  readonly body: Uint8Array;
  /** How it differs, after "the signature fits it": `without the line break at its end`. */
  readonly told: string;
}

/** Undoes one change. Gives nothing where there is nothing to undo. */
interface Undo {
  readonly told: string;
  readonly undo: (body: Buffer) => Buffer | undefined;
}

/** What proxies, parsers, editors and shells do to bodies, the likeliest first. */
const UNDOS: readonly Undo[] = [
  {
    told: 'without the byte order mark at its start',
    undo: (body) => rewrite(body, (text) => text.replace(/^\uFEFF/, '')),
  },
  {
    told: 'without the line break at its end',
    undo: (body) => rewrite(body, (text) => text.replace(/\r?\n$/, '')),
  },
  { told: 'without the white space around it', undo: (body) => rewrite(body, (text) => text.trim()) },
  { told: 'as compact JSON: it was parsed and serialised again', undo: (body) => reserialised(body) },
  {
    told: 'as compact JSON with its keys in the order type, timestamp, data: it was parsed and serialised again',
    undo: (body) => reserialised(body, inOrder),
  },
  {
    told: 'with the line ends of Unix: they were turned into those of Windows',
    undo: (body) => rewrite(body, (text) => text.replaceAll('\r\n', '\n')),
  },
  {
    told: 'with the line ends of Windows: they were turned into those of Unix',
    undo: (body) => rewrite(body, (text) => text.replace(/\r?\n/g, '\r\n')),
  },
  {
    told: 'as UTF-8: it was stored in Latin-1',
    undo: (body) => (isUtf8(body) ? undefined : Buffer.from(body.toString('latin1'), 'utf8')),
  },
  { told: 'as UTF-8: it was read as Windows-1252 or Latin-1 and encoded again', undo: encodedOnce },
  { told: 'as UTF-8: it was stored in UTF-16', undo: fromUtf16 },
  { told: 'as the text within: it was serialised twice', undo: unwrapped },
  { told: 'decoded from base64, as AWS API Gateway passes it on', undo: fromBase64 },
  {
    told: 'without the quotes around it',
    undo: (body) => rewrite(body, (text) => text.replace(/^(['"`])(.*)\1\s*$/s, '$2')),
  },
  { told: 'with a line break at its end', undo: (body) => Buffer.concat([body, Buffer.from('\n')]) },
];

/** A change is undone, and another one after it. More are guesses without end. */
const MAX_CHANGES = 2;

/** The bodies that may have been signed, those with one change first. */
export function bodyChanges(body: Uint8Array): readonly BodyChange[] {
  const original = Buffer.from(body);
  const seen = new Set([digest(original)]);
  const found: BodyChange[] = [];
  let open: readonly BodyChange[] = [{ body: original, told: '' }];
  for (let round = 0; round < MAX_CHANGES; round++) {
    open = open.flatMap((from) => changesOf(from, seen));
    found.push(...open);
  }
  return found;
}

function changesOf(from: BodyChange, seen: Set<string>): readonly BodyChange[] {
  return UNDOS.flatMap(({ told, undo }) => {
    const body = undo(Buffer.from(from.body));
    if (body === undefined || seen.has(digest(body))) return [];
    seen.add(digest(body));
    return [{ body, told: from.told === '' ? told : `${from.told}, and ${told}` }];
  });
}

function digest(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64');
}

/** Changes text byte for byte, whatever its charset is: the bytes above 127 stay. */
function rewrite(body: Buffer, change: (text: string) => string): Buffer | undefined {
  return isUtf8(body) ? Buffer.from(change(body.toString('utf8')), 'utf8') : undefined;
}

function isUtf8(body: Buffer): boolean {
  return Buffer.from(body.toString('utf8'), 'utf8').equals(body);
}

function reserialised(
  body: Buffer,
  order: (value: unknown) => unknown = (value) => value,
): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(order(JSON.parse(body.toString('utf8')))), 'utf8');
  } catch {
    return undefined;
  }
}

/** The order in which this package sends them. That of the keys within `data` is lost. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { type, timestamp, data, ...others }: Readonly<Record<string, unknown>> = { ...value };
  return { type, timestamp, data, ...others };
}

/** Undoes UTF-8 that was read as a charset of one byte to a character and encoded again. */
function encodedOnce(body: Buffer): Buffer | undefined {
  const text = body.toString('utf8');
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const byte = code <= 0xff ? code : WINDOWS_1252.indexOf(character) + 0x80;
    if (byte < 0x80 && code > 0x7f) return undefined;
    bytes.push(byte);
  }
  return bytes.length === body.length ? undefined : Buffer.from(bytes);
}

/** What Windows-1252 has from 0x80 on where Latin-1 has control characters. */
const WINDOWS_1252 = [
  ...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, index) => index + 0x80)),
];

function fromUtf16(body: Buffer): Buffer | undefined {
  const isMarked = body[0] === 0xff && body[1] === 0xfe;
  if (!isMarked && !(body.length > 1 && body.length % 2 === 0 && body[1] === 0)) return undefined;
  return Buffer.from(body.subarray(isMarked ? 2 : 0).toString('utf16le'), 'utf8');
}

function unwrapped(body: Buffer): Buffer | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'string' ? Buffer.from(value, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function fromBase64(body: Buffer): Buffer | undefined {
  const text = body.toString('latin1').trim();
  return /^[A-Za-z0-9+/]{8,}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
