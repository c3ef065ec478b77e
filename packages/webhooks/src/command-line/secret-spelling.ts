import { SECRET_PREFIX, secretBytes } from '../signing/secret.ts';

/** A secret as somebody gave it. */
export interface SecretSpelling {
  /** The secret in its proper form. `undefined` if no usual mistake explains the text. */
  readonly secret: string | undefined;
  /** What is wrong with the text, such as `it has white space around it`. */
  readonly faults: readonly string[];
}

/** The proper form, in words. */
export const SECRET_FORM = `${SECRET_PREFIX} and 24 to 64 bytes in base64`;

/** A usual mistake: what it does to a secret, and how to undo it. */
interface Mistake {
  readonly fault: string;
  readonly undo: (text: string) => string;
}

/** In the order in which they are undone. */
const MISTAKES: readonly Mistake[] = [
  { fault: 'it has white space around it', undo: (text) => text.trim() },
  { fault: 'it stands in quotes', undo: (text) => text.replace(/^(["'`])(.*)\1$/s, '$2').trim() },
  { fault: 'it is encoded for a URL', undo: decodePercents },
  { fault: 'it is encoded in base64 once more', undo: decodeWhole },
  { fault: 'it has white space within', undo: (text) => text.replace(/\s+/g, '') },
  { fault: `it has ${SECRET_PREFIX} twice`, undo: (text) => text.replace(/^(whsec_){2,}/, SECRET_PREFIX) },
  { fault: 'it is hexadecimal, not base64', undo: fromHex },
  { fault: `its beginning ${SECRET_PREFIX} is missing`, undo: addPrefix },
  { fault: 'it has - and _ of base64url', undo: fromBase64Url },
  { fault: 'its = at the end are missing', undo: pad },
];

/** The longest text that is read as a secret. */
const MAX_LENGTH = 512;

/** Reads a secret, and names the mistakes in its spelling. */
export function readSecret(text: string): SecretSpelling {
  const faults: string[] = [];
  let secret = text.slice(0, MAX_LENGTH);
  for (const { fault, undo } of MISTAKES) {
    if (isSecret(secret)) break;
    const undone = undo(secret);
    if (undone !== secret) faults.push(fault);
    secret = undone;
  }
  if (isSecret(secret)) return { secret, faults };
  return { secret: undefined, faults: [`it is not ${SECRET_FORM}`] };
}

function isSecret(text: string): boolean {
  try {
    secretBytes(text);
    return true;
  } catch {
    return false;
  }
}

function decodePercents(text: string): string {
  return text.replace(/%(2B|2F|3D|5F)/gi, (code) => decodeURIComponent(code));
}

/** The form in which Kubernetes shows a Secret. */
function decodeWhole(text: string): string {
  const decoded = Buffer.from(text, 'base64').toString('utf8').trim();
  return decoded.startsWith(SECRET_PREFIX) ? decoded : text;
}

function addPrefix(text: string): string {
  return text.startsWith(SECRET_PREFIX) || text === '' ? text : SECRET_PREFIX + text;
}

function fromHex(text: string): string {
  const hex = /^(?:whsec_)?((?:[0-9a-f]{2}){24,64})$/i.exec(text)?.[1];
  return hex === undefined ? text : SECRET_PREFIX + Buffer.from(hex, 'hex').toString('base64');
}

function fromBase64Url(text: string): string {
  return SECRET_PREFIX + text.slice(SECRET_PREFIX.length).replaceAll('-', '+').replaceAll('_', '/');
}

function pad(text: string): string {
  const bare = text.slice(SECRET_PREFIX.length).replace(/=+$/, '');
  return SECRET_PREFIX + bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
}
