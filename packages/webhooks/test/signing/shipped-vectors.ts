import { readFileSync } from 'node:fs';
import type { CallbackVector, SignatureVector } from './signing-vectors.ts';

/** The file that is published with the package. */
export const SHIPPED: {
  readonly signatures: readonly SignatureVector[];
  readonly callbacks: readonly CallbackVector[];
} = JSON.parse(readFileSync(new URL('../../vectors/signing.json', import.meta.url), 'utf8'));
