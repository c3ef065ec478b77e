import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { isAuthError } from '../../src/errors.ts';
import type { HashingLimiter } from '../../src/passwords/hashing-limiter.ts';
import { hashPassword, needsRehash, pbkdf2Sha256, verifyPassword } from '../../src/passwords/password.ts';
import { parsePasswordHash } from '../../src/passwords/password-hash-text.ts';

/** Runs everything at once and counts it: whether a password was hashed at all. */
function countingLimiter(): HashingLimiter & { runs: number } {
  return {
    runs: 0,
    run(task) {
      this.runs += 1;
      return task();
    },
  };
}

const hash = await hashPassword('correct horse');
const [, , salt = '', digest = ''] = hash.split('$');

describe('pbkdf2Sha256', () => {
  inOneTest([
    // RFC 7914 section 11; the first 32 of its 64 bytes, which PBKDF2 computes independently of the
    // rest.
    ['passwd', 'salt', 1, '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc'],
    ['Password', 'NaCl', 80_000, '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56'],
  ])('derives the vector %s', async (password, saltText, iterations, expected) => {
    const derived = await pbkdf2Sha256(Buffer.from(password), Buffer.from(saltText), iterations, 32);
    expect(derived.toString('hex')).toBe(expected);
  });
});

describe('hashPassword', () => {
  it('gives the specified text, with a salt of its own each time', async () => {
    expect(hash).toMatch(/^pbkdf2\$100000\$[0-9a-f]{32}\$[0-9a-f]{64}$/);
    expect(await hashPassword('correct horse')).not.toBe(hash);
  });

  it('takes more iterations', async () => {
    const costly = await hashPassword('x', { iterations: 100_001 });
    expect(costly).toMatch(/^pbkdf2\$100001\$/);
    expect(await verifyPassword(costly, 'x')).toBe(true);
  });

  it('refuses a misspelt option instead of hashing with less', async () => {
    const options = { iteration: 600_000 };
    await expect(hashPassword('x', options as object)).rejects.toThrow('iteration is no option');
    await expect(verifyPassword(hash, 'x', options as object)).rejects.toThrow(TypeError);
    expect(() => needsRehash(hash, options as object)).toThrow(TypeError);
  });

  inOneTest([99_999, 10_000_001, 0, -1, 1.5, Number.NaN, '100000'])(
    'refuses %j iterations',
    async (iterations) => {
      await expect(hashPassword('x', { iterations: iterations as number })).rejects.toThrow(TypeError);
    },
  );

  inOneTest<[string, unknown]>([
    ['an empty text', ''],
    ['1,025 bytes', 'x'.repeat(1025)],
    ['513 characters of two bytes', 'ä'.repeat(513)],
    ['ten million characters', 'x'.repeat(10_000_000)],
    ['half of a surrogate pair', 'pass\ud83d'],
    ['U+0000, with which HMAC would fill its key', 'right\0'],
    ['nothing', undefined],
    ['a number', 12_345_678],
    ['bytes', Buffer.from('secret')],
    ['an array', ['secret']],
  ])('refuses %s before any hashing', async (_, password) => {
    const limiter = countingLimiter();
    const error = await hashPassword(password as string, { limiter }).catch((reason: unknown) => reason);
    expect(isAuthError(error, 'password_invalid')).toBe(true);
    expect(await verifyPassword(hash, password as string, { limiter })).toBe(false);
    expect(await verifyPassword(undefined, password as string, { limiter })).toBe(false);
    expect(limiter.runs).toBe(0);
  });
});

describe('verifyPassword', () => {
  it('knows the password and no other', async () => {
    expect(await verifyPassword(hash, 'correct horse')).toBe(true);
    for (const wrong of ['Correct horse', 'correct horse ', ' correct horse', 'correct hors']) {
      expect(await verifyPassword(hash, wrong)).toBe(false);
    }
  });

  it('verifies a hash that another implementation made', async () => {
    // The example of Python's hashlib.pbkdf2_hmac: 'password' with the salt 'bad salt' twice,
    // 500,000 iterations.
    const foreign = `pbkdf2$500000$${Buffer.from('bad saltbad salt').toString('hex')}$15530bba69924174860db778f2c6f8104d3aaf9d26241840c8c4a641c8d000a9`;
    expect(await verifyPassword(foreign, 'password')).toBe(true);
    expect(await verifyPassword(foreign, 'Password')).toBe(false);
  });

  it('takes a password as it is: neither trimmed nor normalised, up to 1,024 bytes', async () => {
    const composed = await hashPassword('caf\u00e9 ');
    expect(await verifyPassword(composed, 'caf\u00e9 ')).toBe(true);
    expect(await verifyPassword(composed, 'cafe\u0301 ')).toBe(false);
    expect(await verifyPassword(composed, 'caf\u00e9')).toBe(false);
    const longest = 'ä'.repeat(512);
    expect(await verifyPassword(await hashPassword(longest), longest)).toBe(true);
  });

  inOneTest([
    '',
    'correct horse',
    'pbkdf2',
    `pbkdf2$100000$${salt}`,
    `pbkdf2$100000$${salt}$`,
    `pbkdf2$100000$$${digest}`,
    `pbkdf2$100000$${salt}$${digest}$`,
    ` ${hash}`,
    `${hash}\n`,
    `PBKDF2$100000$${salt}$${digest}`,
    `pbkdf2-sha256$100000$${salt}$${digest}`,
    `pbkdf2$100000$${'00'.repeat(7)}$${digest}`,
    `pbkdf2$100000$${'00'.repeat(65)}$${digest}`,
    `pbkdf2$100000$${salt}0$${digest}`,
    `pbkdf2$100000$${salt}$${'00'.repeat(19)}`,
    `pbkdf2$100000$${salt}$${'00'.repeat(65)}`,
    `pbkdf2$100000$${salt}$${digest}0`,
    `pbkdf2$100000$${salt}$${digest.slice(1)}`,
    `pbkdf2$100000$${salt}$$${digest}`,
    `pbkdf2$100000$${salt}$${digest.slice(1)}g`,
    `pbkdf2$0$${salt}$${digest}`,
    `pbkdf2$-1$${salt}$${digest}`,
    `pbkdf2$+100000$${salt}$${digest}`,
    `pbkdf2$0100000$${salt}$${digest}`,
    `pbkdf2$1e5$${salt}$${digest}`,
    `pbkdf2$0x186a0$${salt}$${digest}`,
    `pbkdf2$100000.0$${salt}$${digest}`,
    `pbkdf2$$${salt}$${digest}`,
    `pbkdf2$10000001$${salt}$${digest}`,
    `pbkdf2$4294967295$${salt}$${digest}`,
    `pbkdf2$99999999999999999999$${salt}$${digest}`,
    `pbkdf2$١٠٠٠٠٠$${salt}$${digest}`,
  ])('gives false for the stored text %j, and takes the turn of a wrong password', async (stored) => {
    const limiter = countingLimiter();
    expect(await verifyPassword(stored, 'correct horse', { limiter })).toBe(false);
    expect(limiter.runs).toBe(1);
    expect(needsRehash(stored)).toBe(true);
  });

  inOneTest([undefined, null])(
    'hashes as much for the unknown user %j as for a known one',
    async (unknown) => {
      const limiter = countingLimiter();
      expect(await verifyPassword(unknown, 'correct horse', { limiter })).toBe(false);
      expect(limiter.runs).toBe(1);
    },
  );

  it('tells the limiter what each hash costs, and for whom', async () => {
    const requests: unknown[] = [];
    const limiter: HashingLimiter = {
      run(task, request) {
        requests.push(request);
        return task();
      },
    };
    const options = { iterations: 110_000, limiter, ip: '192.0.2.1' };
    await hashPassword('x', options);
    await verifyPassword(undefined, 'x', options);
    await verifyPassword(hash, 'x', options);
    await verifyPassword(`pbkdf2$120000$${salt}$${digest}`, 'x', options);
    const costs = [110_000, 110_000, 110_000, 120_000];
    expect(requests).toEqual(costs.map((iterations) => ({ iterations, ip: '192.0.2.1' })));
  });

  it('says busy instead of stalling the process', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 70 }, () => verifyPassword(hash, 'wrong')));
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(4);
    expect(refused.every((answer) => isAuthError(answer.reason, 'hashing_busy'))).toBe(true);
    expect(await verifyPassword(hash, 'correct horse')).toBe(true);
  });
});

describe('the texts of other implementations', () => {
  /** What Node itself derives, spelled as the format spells it. */
  function foreignText({ iterations = 1_000, saltBytes = 16, hashBytes = 32, isUpperCase = false }): string {
    const ownSalt = randomBytes(saltBytes);
    const key = pbkdf2Sync('correct horse', ownSalt, iterations, hashBytes, 'sha256');
    const hex = `${ownSalt.toString('hex')}$${key.toString('hex')}`;
    return `pbkdf2$${iterations}$${isUpperCase ? hex.toUpperCase() : hex}`;
  }

  inOneTest([
    ['a salt of 8 bytes', { saltBytes: 8 }],
    ['a salt of 64 bytes', { saltBytes: 64 }],
    ['a hash of 20 bytes', { hashBytes: 20 }],
    ['a hash of 31 bytes', { hashBytes: 31 }],
    ['a hash of 33 bytes', { hashBytes: 33 }],
    ['a hash of 64 bytes', { hashBytes: 64 }],
    ['upper-case digits', { isUpperCase: true }],
    ['everything else at once', { saltBytes: 24, hashBytes: 64, isUpperCase: true }],
  ])('are verified and replaced at the next log-in: %s', async (_, form) => {
    const text = foreignText({ iterations: 100_000, ...form });
    expect(await verifyPassword(text, 'correct horse')).toBe(true);
    expect(await verifyPassword(text, 'Correct horse')).toBe(false);
    expect(needsRehash(text)).toBe(true);
  });

  inOneTest([1, 99_999])('are verified with %i iterations', async (iterations) => {
    const text = foreignText({ iterations });
    expect(await verifyPassword(text, 'correct horse')).toBe(true);
    expect(needsRehash(text)).toBe(true);
  });

  inOneTest([20, 32, 33, 64])('count to the last of %i bytes of hash', async (hashBytes) => {
    const text = foreignText({ hashBytes });
    const changed = `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
    expect(await verifyPassword(changed, 'correct horse')).toBe(false);
  });

  it('are left alone if they are of the usual form with enough iterations', () => {
    expect(needsRehash(foreignText({ iterations: 100_000 }))).toBe(false);
    expect(needsRehash(foreignText({ iterations: 100_000, isUpperCase: true }))).toBe(true);
  });

  inOneTest([
    ['a salt of 8 bytes', { saltBytes: 8 }],
    ['a hash of 64 bytes', { hashBytes: 64 }],
    ['upper-case digits', { isUpperCase: true }],
  ])('are never replaced by fewer iterations: %s', async (_, form) => {
    const text = foreignText({ iterations: 120_001, ...form });
    expect(await verifyPassword(text, 'correct horse')).toBe(true);
    expect(needsRehash(text)).toBe(false);
    expect(needsRehash(text, { iterations: 120_001 })).toBe(true);
  });
});

describe('parsePasswordHash', () => {
  inOneTest([1, 10_000_000])('accepts %i iterations', (iterations) => {
    expect(parsePasswordHash(`pbkdf2$${iterations}$${salt}$${digest}`)?.iterations).toBe(iterations);
  });
});
