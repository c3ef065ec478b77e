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

/** Reads a secret, and names the mistakes in its spelling. */
export function readSecret(text: string): SecretSpelling {
  const trimmed = text.trim();
  const isBare = !trimmed.startsWith(SECRET_PREFIX);
  const secret = isBare ? SECRET_PREFIX + trimmed : trimmed;
  if (!isSecret(secret)) return { secret: undefined, faults: [`it is not ${SECRET_FORM}`] };
  const faults = [
    ...(trimmed === text ? [] : ['it has white space around it']),
    ...(isBare ? [`its beginning ${SECRET_PREFIX} is missing`] : []),
  ];
  return { secret, faults };
}

function isSecret(text: string): boolean {
  try {
    secretBytes(text);
    return true;
  } catch {
    return false;
  }
}
