import { expect, it } from 'vitest';
import { diagnose } from '../../../src/command-line/verify/diagnosis.ts';
import { generateSecret } from '../../../src/signing/secret.ts';

it('takes no longer for a text without an end than for one that is JSON', async () => {
  const secret = generateSecret();
  const headers = {
    'webhook-id': ['msg_1'],
    'webhook-timestamp': [String(Math.floor(Date.now() / 1_000))],
    'webhook-signature': [`v1,${Buffer.alloc(32).toString('base64')}`],
  };
  const msFor = async (text: string) => {
    const begun = performance.now();
    const body = new TextEncoder().encode(text);
    const all = await diagnose({ headers, body }, [secret]);
    expect(all.map(({ code }) => code)).toContain('signature_mismatch');
    return performance.now() - begun;
  };
  const quotes = '\\"'.repeat(60_000);
  await msFor(`"${quotes}"`);
  // Seconds instead of a millisecond where each quote is tried as the beginning of a text.
  expect(await msFor(`"${quotes}`)).toBeLessThan(50 * (await msFor(`"${quotes}"`)));
});
