import { SECRET_PREFIX, secretBytes } from '../signing/secret.ts';

/** What is wrong with the spelling of a secret; undefined if nothing is. */
export function faultOf(text: string): string | undefined {
  if (text !== text.trim()) return 'it has white space around it';
  if (isSecret(text)) return undefined;
  if (isSecret(SECRET_PREFIX + text)) return `its beginning ${SECRET_PREFIX} is missing`;
  return `it is not ${SECRET_PREFIX} and 24 to 64 bytes in base64`;
}

function isSecret(text: string): boolean {
  try {
    secretBytes(text);
    return true;
  } catch {
    return false;
  }
}
