import { pbkdf2Sync } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createHashingLimiter, type HashingLimiter } from '../../src/passwords/hashing-limiter.ts';
import { hashPassword, verifyPassword } from '../../src/passwords/password.ts';

const derived = vi.hoisted(() => ({ iterations: [] as number[] }));

// Node's own function, which goes on deriving: wall time would tell the same less surely.
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  const pbkdf2: typeof crypto.pbkdf2 = (password, salt, iterations, keyBytes, ...rest) => {
    // RFC 8018 section 5.2: each block of 32 bytes costs the iterations once more.
    derived.iterations.push(iterations * Math.ceil(keyBytes / 32));
    crypto.pbkdf2(password, salt, iterations, keyBytes, ...rest);
  };
  return { ...crypto, pbkdf2 };
});

const TARGET = 150_000;
const cheap = await hashPassword('right', { iterations: 100_000 });
const current = await hashPassword('right', { iterations: TARGET });
const [, , salt = '', digest = ''] = cheap.split('$');

/** What a verification costs: turns in the limiter, and iterations in each derivation. */
async function costOf(hash: string | undefined, password: string) {
  const limiter = createHashingLimiter({ maxConcurrent: 1, maxWaiting: 0 });
  let turns = 0;
  const counting: HashingLimiter = {
    run(task) {
      turns += 1;
      return limiter.run(task);
    },
  };
  derived.iterations = [];
  const isRight = await verifyPassword(hash, password, { iterations: TARGET, limiter: counting });
  return { isRight, turns, iterations: derived.iterations };
}

/** The text of another implementation, with a salt of its own length. */
function foreignHash(hashBytes: number, iterations: number): string {
  const hash = pbkdf2Sync('right', 'NaCl of ours', iterations, hashBytes, 'sha256');
  return `pbkdf2$${iterations}$${Buffer.from('NaCl of ours').toString('hex')}$${hash.toString('hex')}`;
}

describe('the cost of a failed verification', () => {
  inOneTest([
    ['of an unknown user', undefined, [TARGET]],
    ['of a current text', current, [TARGET]],
    ['of a text with fewer iterations', cheap, [100_000, 50_000]],
    ['of a text with almost none', `pbkdf2$1$${salt}$${digest}`, [1, TARGET - 1]],
    ['of a text in upper case', cheap.toUpperCase().replace('PBKDF2', 'pbkdf2'), [100_000, 50_000]],
    ['of a short foreign hash', foreignHash(20, 100_000), [100_000, 50_000]],
    ['of a foreign hash of two blocks', foreignHash(64, 100_000), [100_000, 50_000]],
    ['of a current foreign hash of two blocks', foreignHash(33, TARGET), [TARGET]],
    ['of a foreign hash that is too long', foreignHash(65, TARGET), [TARGET]],
    ['of a text that asks for too much', `pbkdf2$10000001$${salt}$${digest}`, [TARGET]],
    ['of a text cut off', cheap.slice(0, -1), [TARGET]],
    ['of an empty text', '', [TARGET]],
  ])('is one turn and the iterations of today: %s', async (_case, hash, iterations) => {
    expect(await costOf(hash, 'wrong')).toEqual({ isRight: false, turns: 1, iterations });
  });

  it('is that of the text where it is costlier than today', async () => {
    const costly = await hashPassword('right', { iterations: 160_000 });
    expect(await costOf(costly, 'wrong')).toEqual({ isRight: false, turns: 1, iterations: [160_000] });
  });

  it('is not paid by the right password', async () => {
    expect(await costOf(cheap, 'right')).toEqual({ isRight: true, turns: 1, iterations: [100_000] });
  });

  it('is one block also for a wrong password, and the right one alone pays for the rest of a long hash', async () => {
    const long = foreignHash(64, 100_000);
    expect(await costOf(long, 'right')).toEqual({ isRight: true, turns: 1, iterations: [100_000, 200_000] });
  });
});
