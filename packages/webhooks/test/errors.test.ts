import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isWebhookError, WebhookError } from '../src/errors.ts';

describe('WebhookError', () => {
  it('prints no progress where nothing was reopened', () => {
    const closed = new WebhookError('closed', 'x');
    expect(inspect(closed)).toMatch(/ \{\n {2}code: 'closed',\n {2}errors: \[\]\n\}$/);
    expect([closed.errors, closed.reopened]).toEqual([[], 0]);
    expect(inspect(new WebhookError('closed', 'x', { reopened: 3 }))).toContain('reopened: 3');
  });

  it('is no proxy whose traps throw', () => {
    const { proxy, revoke } = Proxy.revocable(new WebhookError('closed', 'x'), {});
    expect(isWebhookError(proxy)).toBe(true);
    revoke();
    expect(isWebhookError(proxy)).toBe(false);
  });

  it('is recognised where another copy of the package has made it', async () => {
    // A query makes the module loader evaluate the same file a second time.
    const copyUrl = '../src/errors.ts?second-copy';
    const copy: typeof import('../src/errors.ts') = await import(/* @vite-ignore */ copyUrl);
    const error = new copy.WebhookError('closed', 'x');
    expect(error).not.toBeInstanceOf(WebhookError);
    expect([
      isWebhookError(error),
      isWebhookError(error, 'closed'),
      isWebhookError(error, 'overloaded'),
    ]).toEqual([true, true, false]);
  });
});
