import { writeFileSync } from 'node:fs';
import { signingVectors } from './signing-vectors.ts';

// node --import tsx packages/webhooks/test/signing/write-signing-vectors.ts && npx biome format
// --write packages/webhooks/vectors
const file = new URL('../../vectors/signing.json', import.meta.url);
writeFileSync(file, JSON.stringify(signingVectors(), null, 2));
