import { describe, expect, it } from 'vitest';
import { generateSecret } from '../../src/signing/secret.ts';

describe('a secret', () => {
  it('is whsec_ and the base64 of 24 random bytes', () => {
    const secrets = Array.from({ length: 100 }, generateSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24);
    }
    expect(new Set(secrets).size).toBe(100);
  });
});
