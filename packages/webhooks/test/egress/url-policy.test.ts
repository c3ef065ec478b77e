import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Resolve } from '../../src/egress/resolve.ts';
import { MAX_RESOLVED_ADDRESSES } from '../../src/egress/resolve-addresses.ts';
import { assertPublicUrl, createUrlPolicy } from '../../src/egress/url-policy.ts';
import { resolvesTo } from './loopback.ts';
import { never, refusal, toPublic } from './url-refusal.ts';

describe('lookup', () => {
  it.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['metadata', ['169.254.169.254']],
    ['a public and a private address', ['93.184.215.14', '10.0.0.1']],
    ['a private and a public address', ['10.0.0.1', '93.184.215.14']],
    ['a mapped private address', ['::ffff:10.0.0.1']],
    ['an address with a zone', ['fe80::1%eth0']],
    ['text that is no address', ['example.net']],
  ])('refuses a name that resolves to %s, and does not say so', async (_what, addresses) => {
    const message = await refusal('https://a.example.com/', { resolve: resolvesTo(...addresses) });
    expect(message).toBe(await refusal('http://10.0.0.1/', { resolve: never }));
  });

  it.each([
    ['no array', 42],
    ['no objects', [null]],
    ['no addresses', [{}]],
  ])('refuses an answer with %s', async (_what, answer) => {
    await refusal('https://a.example.com/', { resolve: async () => JSON.parse(JSON.stringify(answer)) });
  });

  it('refuses an answer with holes or with members that cannot be read', async () => {
    const holes: unknown[] = [{ address: '93.184.215.14', family: 4 }];
    holes.length = 3;
    const throwing = {
      get address() {
        throw new Error('gone');
      },
    };
    for (const answer of [
      new Array(2),
      holes,
      [throwing],
      [{ address: { toString: null } }],
      [{ address: Symbol('a') }],
    ]) {
      await refusal('https://a.example.com/', { resolve: async () => answer as never });
    }
  });

  it('takes up to 64 addresses, judges each, and says of a name with more that it has too many', async () => {
    expect(MAX_RESOLVED_ADDRESSES).toBe(64);
    const addresses = Array.from({ length: MAX_RESOLVED_ADDRESSES + 1 }, (_, index) => `93.184.215.${index}`);
    const inside = [...addresses.slice(2), '10.0.0.1'];
    expect(await refusal('https://a.example.com/', { resolve: resolvesTo(...inside) })).toBe(
      'The host does not lead to a public address.',
    );
    expect(await refusal('https://a.example.com/', { resolve: resolvesTo(...addresses) })).toBe(
      'The host leads to more than 64 addresses.',
    );
    await assertPublicUrl('https://a.example.com/', { resolve: resolvesTo(...addresses.slice(1)) });
  });

  it('asks for the ASCII form of the name, without the trailing dot', async () => {
    const asked: string[] = [];
    const resolve: Resolve = async (hostname) => {
      asked.push(hostname);
      return [];
    };
    await assertPublicUrl('https://BÜCHER.example./', { resolve });
    expect(asked).toEqual(['xn--bcher-kva.example']);
  });

  it('accepts a name that does not resolve now', async () => {
    await assertPublicUrl('https://later.example.com/', { resolve: resolvesTo() });
    await assertPublicUrl('https://later.example.com/', { resolve: never });
    const throwsAtOnce: Resolve = () => {
      throw new Error('ENOTFOUND');
    };
    await assertPublicUrl('https://later.example.com/', { resolve: throwsAtOnce });
  });

  describe('with a resolver that hangs', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });

    it('waits 3 s and accepts the name as one that does not resolve now', async () => {
      const settled = vi.fn();
      const checking = assertPublicUrl('https://slow.example.com/', { resolve: () => new Promise(() => {}) });
      void checking.then(settled);
      await vi.advanceTimersByTimeAsync(2999);
      expect(settled).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(settled).toHaveBeenCalledOnce();
    });
  });
});

describe('allow list of URLs', () => {
  const allowedAddresses = ['127.0.0.1', '10.1.2.0/24'];

  it('opens literal addresses in any spelling, and names that resolve to them', async () => {
    for (const url of [
      'http://127.0.0.1:4000/',
      'http://0x7f.1/',
      'http://[::ffff:127.0.0.1]/',
      'http://10.1.2.3/',
    ]) {
      await assertPublicUrl(url, { allowedAddresses, resolve: never });
    }
    await assertPublicUrl('http://a.example.com/', {
      allowedAddresses,
      resolve: resolvesTo('10.1.2.3', '93.184.215.14'),
    });
  });

  it('leaves everything else refused', async () => {
    for (const url of [
      'http://127.0.0.2/',
      'http://10.1.3.0/',
      'http://localhost/',
      'http://a.internal/',
      'http://[::1]/',
    ]) {
      await refusal(url, { allowedAddresses, resolve: resolvesTo('127.0.0.1') });
    }
    await refusal('http://a.example.com/', { allowedAddresses, resolve: resolvesTo('10.1.2.3', '10.1.3.3') });
  });
});

describe('options', () => {
  it.each([
    ['a misspelt name', { requireHTTPS: true }, 'requireHTTPS'],
    ['null', null, 'assertPublicUrl takes an object of options, not null'],
    ['text', 'https', 'assertPublicUrl takes an object of options'],
    ['an entry that is no block', { allowedAddresses: ['10/8'] }, 'allowedAddresses[0]'],
    ['text for true', { requireHttps: 'yes' }, 'requireHttps'],
    ['text for a resolver', { resolve: 'dns' }, 'resolve'],
  ])('reject with a TypeError: %s', async (_what, options, message) => {
    const checking = assertPublicUrl('https://93.184.215.14/', JSON.parse(JSON.stringify(options)));
    await expect(checking).rejects.toThrow(TypeError);
    await expect(checking).rejects.toThrow(message);
  });

  it('may be those of an engine, whose time decides nothing about a URL', async () => {
    const egress = { allowedAddresses: ['10.1.2.0/24'], timeoutMs: 1 };
    await assertPublicUrl('https://10.1.2.3/', egress);
  });

  it('of a policy are read once: what becomes of them later changes nothing', async () => {
    const options = { allowedAddresses: ['10.1.2.0/24'], requireHttps: true, resolve: toPublic };
    const policy = createUrlPolicy(options);
    options.allowedAddresses.push('127.0.0.0/8');
    Object.assign(options, { requireHttps: false, resolve: resolvesTo('10.0.0.1') });
    await policy.assertPublic('https://10.1.2.3/');
    await policy.assertPublic('https://example.com/');
    await expect(policy.assertPublic('https://127.0.0.1/')).rejects.toThrow('public address');
    await expect(policy.assertPublic('http://example.com/')).rejects.toThrow('https://');
  });
});
