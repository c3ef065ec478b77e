// Runs signing.mjs over the vectors that the package ships; prints what passed.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { judge } from './signing.mjs';

const { wrong, vectors } = await judge(createRequire(import.meta.url)('@acme/webhooks/vectors/signing.json'));
assert.deepEqual(wrong, []);
assert.ok(vectors > 50);
console.log('signing and events');
