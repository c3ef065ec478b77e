import { describe, expect, it } from 'vitest';
import { verify } from '../../src/signing/index.ts';
import { type CallbackVector, SHIPPED } from './shipped-vectors.ts';

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
  it.each(SHIPPED.callbacks)('hold for verify: $name', async (vector) => {
    const outcome = await verifyVector(vector).then(
      (event) => ({ event }),
      (error: Error & { code?: string }) => ({
        reason: error.code ?? (error instanceof TypeError ? 'secret_unusable' : error.message),
      }),
    );
    expect(outcome).toEqual(
      vector.reason === null
        ? { event: { id: '0123456789abcdef0123456789abcdef', isTest: false, ...JSON.parse(vector.body) } }
        : { reason: vector.reason },
    );
  });
});
