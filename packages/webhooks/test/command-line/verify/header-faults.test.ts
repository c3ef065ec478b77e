import { expect, it } from 'vitest';
import { signaturesIn } from '../../../src/command-line/verify/header-faults.ts';

const bytes = new Uint8Array(32).fill(7);
const hex = Buffer.from(bytes).toString('hex');
const base64 = Buffer.from(bytes).toString('base64');

it.each([
  ['hexadecimal', hex, 1],
  ['base64', base64, 1],
  ['a version before each', `v1,${base64} v1,${base64}`, 2],
  ['a timestamp in front', `t=1700000000,v1=${hex}`, 1],
  ['the name of the hash', `sha256=${hex}`, 1],
  ['a name in front', `signature: sha256=${hex}; other`, 1],
  ['no blank between', `${hex}:v1=${hex}`, 2],
  ['neither', 'v1,none', 0],
])('finds a signature: %s', (_form, value, count) => {
  expect(signaturesIn(value)).toEqual(Array(count).fill(bytes));
});

it('searches a header of separators alone in a time that grows with its length', () => {
  const start = performance.now();
  for (const separator of '=:;, ')
    for (let call = 0; call < 4; call += 1) signaturesIn(separator.repeat(8_192));
  expect(performance.now() - start).toBeLessThan(500);
});
