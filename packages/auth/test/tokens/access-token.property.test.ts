import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlank } from '../../../toolkit/src/blank-text.ts';
import { createAuth } from '../../src/auth.ts';
import { isAuthError } from '../../src/errors.ts';
import { fakeClock } from '../fake-clock.ts';
import { KEY } from './forge-token.ts';

const clock = fakeClock();
const auth = createAuth({ signingKey: KEY, clock });

const uids = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((uid) => uid.length <= 128 && !isBlank(uid));

describe('a mutated access token', () => {
  const bytes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\0é'];

  /** One edit of a text: a character replaced, taken out, put in, or two stretches exchanged. */
  const edits = fc.oneof(
    fc.record({ kind: fc.constant('replace' as const), at: fc.nat(), by: fc.constantFrom(...bytes) }),
    fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), by: fc.constantFrom(...bytes) }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat(), by: fc.constant('') }),
    fc.record({ kind: fc.constant('rotate' as const), at: fc.nat(), by: fc.constant('') }),
  );

  function edit(text: string, { kind, at, by }: { kind: string; at: number; by: string }): string {
    const index = at % text.length;
    if (kind === 'rotate') return text.slice(index) + text.slice(0, index);
    const rest = kind === 'insert' ? index : index + 1;
    return text.slice(0, index) + by + text.slice(rest);
  }

  it('never validates, and is always refused with an error of this package', async () => {
    await fc.assert(
      fc.asyncProperty(uids, fc.array(edits, { minLength: 1, maxLength: 3 }), async (uid, steps) => {
        const token = await auth.issueAccessToken(uid, ['admin']);
        const mutated = steps.reduce(edit, token);
        fc.pre(mutated !== token);
        const error = await auth.validateAccessToken(mutated).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(isAuthError(error, 'token_invalid')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses every change of a single bit', async () => {
    const token = await auth.issueAccessToken('42', ['admin']);
    const outcomes = [...token].flatMap((character, index) =>
      [1, 2, 4, 8, 16, 32, 64].map(async (bit) => {
        const other = String.fromCharCode(character.charCodeAt(0) ^ bit);
        const mutated = token.slice(0, index) + other + token.slice(index + 1);
        return await auth.validateAccessToken(mutated).then(
          () => mutated,
          () => undefined,
        );
      }),
    );
    expect((await Promise.all(outcomes)).filter((accepted) => accepted !== undefined)).toEqual([]);
  });

  it('refuses any text at all without an untyped error', async () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.base64String(), fc.json());
    const tokens = fc.oneof(
      texts,
      fc.array(texts, { minLength: 3, maxLength: 3 }).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(tokens, async (text) => {
        const error = await auth.validateAccessToken(text).catch((reason: unknown) => reason);
        expect(isAuthError(error, 'token_invalid')).toBe(true);
      }),
    );
  });
});
