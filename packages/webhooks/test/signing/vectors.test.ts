import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { sign, verify } from '../../src/signing/index.ts';
import { type CallbackVector, SHIPPED } from './shipped-vectors.ts';
import { signingVectors } from './signing-vectors.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

function verifyVector({ secrets, headers, body, scheme, now, tolerance_seconds }: CallbackVector) {
  return verify({
    secrets,
    headers,
    body,
    scheme,
    now: () => now * 1000,
    ...(tolerance_seconds === null ? {} : { toleranceSeconds: tolerance_seconds }),
  });
}

describe('the shipped vectors', () => {
  it('are what their script makes (node --import tsx test/signing/write-signing-vectors.ts)', () => {
    expect(SHIPPED).toEqual(signingVectors());
  });

  it('have names of their own, and cases of every outcome for both schemes', () => {
    const names = SHIPPED.callbacks.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const scheme of ['standard', 'x-webhook']) {
      const reasons = SHIPPED.callbacks
        .filter((vector) => vector.scheme === scheme)
        .map((vector) => vector.reason);
      expect([...new Set(reasons)].sort()).toEqual([
        'body_malformed',
        null,
        'secret_unusable',
        'signature_malformed',
        'signature_mismatch',
        'signature_missing',
        'signature_stale',
      ]);
    }
  });

  it.each(SHIPPED.signatures)(
    'hold for sign: $name',
    async ({ secret, id, timestamp, body, ...expected }) => {
      expect(await sign({ secret, id, timestamp, body })).toBe(expected.x_webhook_signature);
    },
  );

  it.runIf(hasOpenssl).each(SHIPPED.signatures)('hold for the command line of OpenSSL: $name', (vector) => {
    const content = `${vector.id}.${vector.timestamp}.${vector.body}`;
    const hmac = (hexKey: string): Buffer =>
      execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${hexKey}`, '-binary'], {
        input: content,
      });
    expect(hmac(Buffer.from(vector.secret).toString('hex')).toString('hex')).toBe(vector.x_webhook_signature);
    const decoded = Buffer.from(vector.secret.slice(6), 'base64').toString('hex');
    expect(`v1,${hmac(decoded).toString('base64')}`).toBe(vector.webhook_signature);
  });

  it.each(SHIPPED.callbacks)('hold for verify: $name', async (vector) => {
    const outcome = await verifyVector(vector).then(
      (event) => ({ event }),
      (error: Error & { code?: string }) => ({
        reason: error.code ?? (error instanceof TypeError ? 'secret_unusable' : error.message),
      }),
    );
    expect(outcome).toEqual(
      vector.reason === null
        ? { event: { id: '0123456789abcdef0123456789abcdef', ...JSON.parse(vector.body) } }
        : { reason: vector.reason },
    );
  });
});
