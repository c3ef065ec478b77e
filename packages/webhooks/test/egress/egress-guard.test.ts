import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { createEgressWith } from '../../src/egress/egress.ts';
import { assertEgressGuard } from '../../src/egress/egress-guard.ts';
import { assertPublicUrl } from '../../src/egress/url-policy.ts';

describe('self-test of the guard', () => {
  it('passes where the client consults the connector', async () => {
    await expect(assertEgressGuard()).resolves.toBeUndefined();
  });

  it.each([
    ['answers by itself', { kind: 'response', statusCode: 200, body: '' }],
    ['fails by itself', { kind: 'failure', code: 'dns_error' }],
  ] as const)('refuses a client that %s', async (_what, result) => {
    const ignoring: typeof createEgressWith = () => ({
      timeoutMs: 1,
      assertPublicUrl,
      send: async () => result,
      close: async () => {},
    });
    await expect(assertEgressGuard(ignoring)).rejects.toMatchObject({ code: 'egress_guard_inactive' });
  });

  it('refuses a client that consults the connector and does not listen', async () => {
    const deaf: typeof createEgressWith = (_, options) => ({
      timeoutMs: 1,
      assertPublicUrl,
      send: async () => {
        await options?.resolve?.('egress-guard.invalid', { signal: new AbortController().signal });
        return { kind: 'response', statusCode: 200, body: '' };
      },
      close: async () => {},
    });
    await expect(assertEgressGuard(deaf)).rejects.toMatchObject({ code: 'egress_guard_inactive' });
  });

  it('has nothing but types to do with the bare name, which some runtimes answer with a client of their own', () => {
    const folder = new URL('../../src/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const imports = files.flatMap((name) =>
      [...readFileSync(new URL(name, folder), 'utf8').matchAll(/\bimport(.*)'undici(.*)'/g)].map(
        ([, what = '', path = '']) => (what.startsWith(' type ') ? 'type' : path),
      ),
    );
    expect([...new Set(imports)].sort()).toEqual(['/index.js', 'type']);
  });

  it('refuses a client that breaks', async () => {
    const broken: typeof createEgressWith = () => {
      throw new TypeError('Client is not a constructor');
    };
    await expect(assertEgressGuard(broken)).rejects.toMatchObject({ code: 'egress_guard_inactive' });
  });
});
