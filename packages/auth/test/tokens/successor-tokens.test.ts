import { createHmac, webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyRing } from '../../src/tokens/key-ring.ts';
import { createSuccessorTokens, SUCCESSOR_LABEL } from '../../src/tokens/successor-tokens.ts';

const KEYS = {
  first: 'the-first-signing-key-of-at-least-32-bytes',
  second: 'the-second-signing-key-of-at-least-32-bytes',
};
const TOKEN = '0123456789abcdef'.repeat(4);
const SALT = 'fedcba9876543210'.repeat(2);

function ring(...kids: (keyof typeof KEYS)[]) {
  return createSuccessorTokens(createKeyRing({ signingKeys: kids.map((kid) => ({ kid, key: KEYS[kid] })) }));
}

/** WebCrypto's HKDF (RFC 5869), as a second implementation. */
async function secretOf(key: string): Promise<Buffer> {
  const material = await webcrypto.subtle.importKey('raw', Buffer.from(key), 'HKDF', false, ['deriveBits']);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: Buffer.from(SUCCESSOR_LABEL) };
  return Buffer.from(await webcrypto.subtle.deriveBits(hkdf, material, 256));
}

describe('the successor of a refresh token', () => {
  it('is an HMAC of the salt, keyed by a secret from HKDF-SHA-256 and the token', async () => {
    const key = Buffer.concat([await secretOf(KEYS.first), Buffer.from(TOKEN, 'hex')]);
    const expected = createHmac('sha256', key).update(SALT).digest('hex');
    expect(ring('first').derive(TOKEN, SALT, 'first')).toBe(expected);
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is derived with the key that is named, whichever signs', () => {
    const before = ring('first').derive(TOKEN, SALT, 'first');
    expect(ring('first', 'second').derive(TOKEN, SALT, 'first')).toBe(before);
    expect(ring('second', 'first').derive(TOKEN, SALT, 'first')).toBe(before);
    expect(ring('second', 'first').derive(TOKEN, SALT, 'second')).not.toBe(before);
    expect([ring('first', 'second').keyId, ring('second', 'first').keyId]).toEqual(['first', 'second']);
  });

  it('is another for another token and another salt', () => {
    const { derive } = ring('first');
    const others = [derive(TOKEN, SALT, 'first'), derive(TOKEN, '0'.repeat(32), 'first')];
    expect(new Set([...others, derive('0'.repeat(64), SALT, 'first')]).size).toBe(3);
  });

  it('names a key without a kid by a fingerprint that no kid can be, and finds it under a kid later', () => {
    const unnamed = createSuccessorTokens(createKeyRing({ signingKey: KEYS.first }));
    expect(unnamed.keyId).toMatch(/^sha256:[0-9a-f]{32}$/);
    expect(() => createKeyRing({ signingKeys: [{ kid: unnamed.keyId, key: KEYS.first }] })).toThrow(/kid/);
    const successor = unnamed.derive(TOKEN, SALT, unnamed.keyId);
    expect(ring('second', 'first').derive(TOKEN, SALT, unnamed.keyId)).toBe(successor);
    expect(successor).toBe(ring('first').derive(TOKEN, SALT, 'first'));
  });

  it('is refused as unavailable for a key that is not in the ring, without a word of token or salt', () => {
    for (const keyId of ['second', '', 'FIRST', 'first ', 'sha256:', '__proto__']) {
      let thrown: unknown;
      try {
        ring('first').derive(TOKEN, SALT, keyId);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ code: 'unavailable', status: 503 });
      expect(String(thrown)).not.toMatch(new RegExp(`${TOKEN}|${SALT}`));
    }
  });
});
