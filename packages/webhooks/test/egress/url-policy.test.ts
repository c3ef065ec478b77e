import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Resolve } from '../../src/egress/resolve.ts';
import { MAX_RESOLVED_ADDRESSES } from '../../src/egress/resolve-addresses.ts';
import { assertPublicUrl, createUrlPolicy, MAX_URL_LENGTH } from '../../src/egress/url-policy.ts';
import { isWebhookError } from '../../src/errors.ts';

const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const toPublic = resolvesTo('93.184.215.14');
const never: Resolve = async () => {
  throw new Error('must not be asked');
};

async function refusal(url: string, options: Parameters<typeof assertPublicUrl>[1] = {}): Promise<string> {
  const error = await assertPublicUrl(url, { resolve: toPublic, ...options }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isWebhookError(error, 'url_not_public')) throw new Error(`${JSON.stringify(url)} was not refused`);
  expect(error.errors).toEqual([{ field: 'url', code: 'url_not_public', message: error.message }]);
  return error.message;
}

describe('public URL', () => {
  it.each([
    ['https://example.com/hook', 'https://example.com/hook'],
    ['http://example.com:8080/hook?a=b#c', 'http://example.com:8080/hook?a=b#c'],
    ['HTTPS://EXAMPLE.COM', 'https://example.com/'],
    ['https://example.com./hook', 'https://example.com./hook'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://example.com/@path', 'https://example.com/@path'],
    ['https://example.com/?q=a@b', 'https://example.com/?q=a@b'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://notlocal.example/', 'https://notlocal.example/'],
    ['https://my-internal.example/', 'https://my-internal.example/'],
    ['https://svc.example.com/', 'https://svc.example.com/'],
    ['https://internal.example.com/', 'https://internal.example.com/'],
    ['https://example.com:443/', 'https://example.com/'],
    ['http://example.com:80/', 'http://example.com/'],
    ['https://example.com:65535/', 'https://example.com:65535/'],
    ['https://example.com:22/', 'https://example.com:22/'],
    ['https://example.com:/', 'https://example.com/'],
    ['https://_dmarc.my_app.example.com/', 'https://_dmarc.my_app.example.com/'],
    ['https://a-.example.com/', 'https://a-.example.com/'],
    ['https://4chan.example/', 'https://4chan.example/'],
    ['https://1.2.3.4.example.com/', 'https://1.2.3.4.example.com/'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['https://例え.テスト.example/', 'https://xn--r8jz45g.xn--zckzah.example/'],
    ['https://faß.example/', 'https://xn--fa-hia.example/'],
    ['https://نامه\u200cای.example/', 'https://xn--mgba3gch31f060k.example/'],
    ['https://ex%61mple.com/', 'https://example.com/'],
    ['https://example。com/', 'https://example.com/'],
    ['https://example.com/a%20b/%2Fc', 'https://example.com/a%20b/%2Fc'],
    ['https://example.com/%00%0d%0a', 'https://example.com/%00%0d%0a'],
    ['https://example.com/a//b///c', 'https://example.com/a//b///c'],
    ['https://example.com//', 'https://example.com//'],
    ["https://example.com/?a[]=1&b=!$'()*+,;:@/?", 'https://example.com/?a[]=1&b=!$%27()*+,;:@/?'],
    ['https://example.com?next=http://127.0.0.1/', 'https://example.com/?next=http://127.0.0.1/'],
    ['https://example.com/ünï', 'https://example.com/%C3%BCn%C3%AF'],
    ['https://example.com#@127.0.0.1', 'https://example.com/#@127.0.0.1'],
    [`https://${'a'.repeat(63)}.example.com/`, `https://${'a'.repeat(63)}.example.com/`],
    ['http://93.184.215.14/', 'http://93.184.215.14/'],
    ['http://93.184.215.14./', 'http://93.184.215.14/'],
    ['http://0x5db8d70e/', 'http://93.184.215.14/'],
    ['https://[2606:4700::1111]:8443/', 'https://[2606:4700::1111]:8443/'],
    ['https://[2606:4700:0:0:0:0:8.8.8.8]/', 'https://[2606:4700::808:808]/'],
    ['https://[::ffff:8.8.8.8]/', 'https://[::ffff:808:808]/'],
  ])('accepts %s', async (url, href) => {
    const parsed = await assertPublicUrl(url, { resolve: toPublic });
    expect(parsed.href).toBe(href);
  });

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://017700000001/',
    'http://①②⑦.⓪.⓪.①/',
    'http://\uff11\uff12\uff17.0.0.1/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://127.0.0.1./',
    'http://127.0.0.1:80/',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::8.8.8.8]/',
    'http://[::ffff:0:8.8.8.8]/',
    'http://[0000:0000:0000:0000:0000:0000:0000:0001]/',
    'http://[::FFFF:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:FF9B::10.0.0.1]/',
    'http://127.0.0.1:65535/',
    'http://127.65535/',
    'http://0x7F.0X0.00.1/',
    'http://00000177.1/',
    'http://192.0.0.9/',
    'http://192.88.99.1/',
    'http://198.19.255.255/',
    'http://0300.0250.1/',
    'http://3232235777/',
    'http://0xa9fea9fe/',
    'http://169.254.43518/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::808:808]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://[4000::1]/',
  ])('refuses the non-public address in %s without a look-up', async (url) => {
    expect(await refusal(url, { resolve: never })).toBe('The host does not lead to a public address.');
  });

  it.each([
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://ⓛocalhost/',
    'http://loc%61lhost/',
    'http://a.localhost/',
    'http://a.localhost./',
    'http://printer.local/',
    'http://PRINTER.LOCAL./',
    'http://metadata.google.internal/',
    'http://host.docker.internal/',
    'http://router.home.arpa/',
    'http://home.arpa/',
    'http://api.default.svc/',
    'http://api.default.svc.cluster.local/',
    'http://api.default.svc.cluster.local./',
    'http://intranet/',
    'http://intranet./',
    'http://com/',
    'http://kubernetes/',
    'http://localhost:8080/',
    'http://local\u017fhost/',
    'http://\uff4cocalhost/',
    'http://localhost.localdomain/',
    'http://local/',
    'http://a.local/',
    'http://internal/',
    'http://a.b.internal./',
    'http://svc/',
    'http://x.svc./',
    'http://X.SVC/',
    'http://x.cluster.local/',
    'http://x。internal/',
    'http://home.arpa./',
    'http://b\u00fccher/',
  ])('refuses the special or single-label name in %s without a look-up', async (url) => {
    await refusal(url, { resolve: never });
  });

  it.each([
    ['no text', JSON.parse('42')],
    ['empty text', ''],
    ['a relative URL', '/hook'],
    ['no scheme', 'example.com/hook'],
    ['another scheme', 'ftp://example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/plain,hi'],
    ['a scheme without slashes', 'http:example.com'],
    ['one slash', 'http:/example.com'],
    ['three slashes', 'http:///example.com/'],
    ['four slashes', 'https:////example.com/'],
    ['three slashes before an address', 'https:///93.184.215.14/'],
    ['backslashes', 'http:\\\\example.com\\'],
    ['a slash and a backslash', 'http:/\\example.com/'],
    ['two slashes and a backslash', 'http://\\example.com/'],
    ['a backslash in the path', 'http://example.com/a\\b'],
    ['user info', 'http://user@example.com/'],
    ['a password', 'http://user:secret@example.com/'],
    ['a password alone', 'http://:secret@example.com/'],
    ['empty user info', 'http://@example.com/'],
    ['user info behind one slash', 'https:/user:secret@93.184.215.14/'],
    ['user info behind three slashes', 'https:///user:secret@93.184.215.14/'],
    ['user info behind four slashes', 'https:////user:secret@93.184.215.14/'],
    ['user info behind backslashes', 'https:\\\\user:secret@93.184.215.14/'],
    ['user info behind two slashes and a backslash', 'https://\\user:secret@93.184.215.14/'],
    ['an empty user name and password', 'http://:@example.com/'],
    ['two at signs', 'http://foo@127.0.0.1:80@example.com/'],
    ['port 0', 'http://example.com:0/'],
    ['a port out of range', 'http://example.com:65536/'],
    ['white space before', ' http://example.com/'],
    ['white space behind', 'http://example.com/ '],
    ['white space within', 'http://exam ple.com/'],
    ['a tab within', 'http://exam\tple.com/'],
    ['a line break within', 'http://example.com/\r\nX: y'],
    ['a no-break space', 'http://example.com/\u00a0'],
    ['U+0000', 'http://example.com/\u0000'],
    ['a C1 control', 'http://example.com/\u0085'],
    ['a byte order mark', '\ufeffhttp://example.com/'],
    ['an empty label', 'http://a..example.com/'],
    ['a leading dot', 'http://.example.com/'],
    ['two trailing dots', 'http://example.com../'],
    ['an address with two trailing dots', 'http://127.0.0.1../'],
    ['an empty host', 'http:///'],
    ['a dot for a host', 'http://./'],
    ['a malformed IPv4 address', 'http://256.256.256.256/'],
    ['a malformed IPv6 address', 'http://[::1/'],
    ['a zone id', 'http://[fe80::1%25eth0]/'],
    ['a double colon port', 'http://example.com:80:80/'],
    ['a signed port', 'http://example.com:+80/'],
    ['a port that is no number', 'http://example.com:http/'],
    ['port 00', 'https://example.com:00/'],
    ['an encoded slash in the host', 'http://example.com%2f.example.net/'],
    ['an encoded at sign in the host', 'http://user%40example.com/'],
    ['an encoded U+0000 in the host', 'http://example.com%00.example.net/'],
    ['an encoded dot behind a dot', 'http://example.com.%2e/'],
    ['five numbers', 'http://1.2.3.4.5/'],
    ['a number behind a name', 'http://example.com.127/'],
    ['a hexadecimal number behind a name', 'http://example.0x7f/'],
    ['digits of another script', 'http://١٢٧.0.0.1/'],
    ['a malformed octal address', 'http://08.8.8.8/'],
    ['punycode that is none', 'http://xn--a.example.com/'],
    ['a quote in the host', 'http://a"b.example.com/'],
    ['an exclamation mark in the host', 'http://a!b.example.com/'],
    ['a wildcard', 'http://*.example.com/'],
    ['a comma in the host', 'http://example.com,example.net/'],
    ['a semicolon in the host', 'http://example.com;.example.net/'],
    ['a label of 64 characters', `http://${'a'.repeat(64)}.example.com/`],
    ['a zero-width space', 'http://example\u200b.com/'],
    ['a soft hyphen', 'http://exam\u00adple.com/'],
    ['a word joiner', 'http://example.com/\u2060'],
    ['text that runs backwards', 'http://example.com/\u202egnp.exe'],
    ['a line separator', 'http://example.com/\u2028'],
    ['an ideographic space', 'http://example.com/\u3000'],
    ['DEL', 'http://example.com/\u007f'],
    ['half a surrogate pair', 'http://example.com/\ud800'],
    ['empty brackets', 'http://[]/'],
    ['an IPv6 address without brackets', 'http://2606:4700::1111/'],
    ['an IPv4 address in brackets', 'http://[8.8.8.8]/'],
    ['a bare zone id', 'http://[fe80::1%eth0]/'],
    ['a zone id on a public address', 'http://[2606:4700::1111%25eth0]/'],
    ['an IPvFuture address', 'http://[v1.a]/'],
    ['another web scheme', 'ws://example.com/'],
    ['a nested scheme', 'view-source:http://example.com/'],
    ['a blob', 'blob:http://example.com/x'],
    ['no scheme but slashes', '//example.com/'],
    ['a colon too many', 'http:://example.com/'],
    ['a scheme alone', 'http://'],
    ['a query for a host', 'http://?example.com'],
    ['a fragment for a host', 'http://#example.com'],
    ['a host of more than 253 characters', `http://${'a.'.repeat(126)}com/`],
  ])('refuses %s', async (_what, url) => {
    await refusal(url, { resolve: never });
  });

  it('accepts 2,048 characters and refuses one more', async () => {
    const url = 'https://example.com/'.padEnd(MAX_URL_LENGTH, 'a');
    expect((await assertPublicUrl(url, { resolve: toPublic })).href).toHaveLength(2048);
    await refusal(`${url}a`, { resolve: never });
  });

  it('refuses http where https is required', async () => {
    await refusal('http://example.com/', { requireHttps: true, resolve: never });
    await assertPublicUrl('https://example.com/', { requireHttps: true, resolve: toPublic });
  });
});

describe('look-up', () => {
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

  it('refuses more answers than a name of good faith has', async () => {
    const addresses = Array.from({ length: MAX_RESOLVED_ADDRESSES + 1 }, (_, index) => `93.184.215.${index}`);
    await refusal('https://a.example.com/', { resolve: resolvesTo(...addresses) });
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
    afterEach(() => {
      vi.useRealTimers();
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
    ['null', null, 'options must be an object, not null'],
    ['text', 'https', 'options must be an object'],
    ['an entry that is no block', { allowedAddresses: ['10/8'] }, 'allowedAddresses[0]'],
    ['text for true', { requireHttps: 'yes' }, 'requireHttps'],
    ['text for a resolver', { resolve: 'dns' }, 'resolve'],
  ])('reject with a TypeError: %s', async (_what, options, message) => {
    const checking = assertPublicUrl('https://93.184.215.14/', JSON.parse(JSON.stringify(options)));
    await expect(checking).rejects.toThrow(TypeError);
    await expect(checking).rejects.toThrow(message);
  });

  it('may be those of an engine, whose times decide nothing about a URL', async () => {
    const egress = { allowedAddresses: ['10.1.2.0/24'], connectTimeoutMs: 1, timeoutMs: 1 };
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
