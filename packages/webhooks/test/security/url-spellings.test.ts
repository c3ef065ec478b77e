import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { words } from '../../../toolkit/test/words.ts';
import { assertPublicUrl, MAX_URL_LENGTH } from '../../src/egress/url-policy.ts';
import { never, refusal, toPublic } from '../egress/url-refusal.ts';

describe('a URL of a public host', () => {
  inOneTest([
    ['https://example.com/hook', 'https://example.com/hook'],
    ['http://example.com:8080/hook?a=b#c', 'http://example.com:8080/hook?a=b#c'],
    ['HTTPS://EXAMPLE.COM', 'https://example.com/'],
    ['https://example.com./hook', 'https://example.com./hook'],
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
    ['https://example.com:/', 'https://example.com/'],
    ['https://_dmarc.my_app.example.com/', 'https://_dmarc.my_app.example.com/'],
    ['https://a-.example.com/', 'https://a-.example.com/'],
    ['https://4chan.example/', 'https://4chan.example/'],
    ['https://1.2.3.4.example.com/', 'https://1.2.3.4.example.com/'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['https://example.com/a%20b/%2Fc', 'https://example.com/a%20b/%2Fc'],
    ['https://example.com/%00%0d%0a', 'https://example.com/%00%0d%0a'],
    ['https://example.com/a//b///c', 'https://example.com/a//b///c'],
    ['https://example.com//', 'https://example.com//'],
    ["https://example.com/?a[]=1&b=!$'()*+,;:@/?", 'https://example.com/?a[]=1&b=!$%27()*+,;:@/?'],
    ['https://example.com?next=http://127.0.0.1/', 'https://example.com/?next=http://127.0.0.1/'],
    ['https://hooks.localdomain/', 'https://hooks.localdomain/'],
    ['https://example.com#@127.0.0.1', 'https://example.com/#@127.0.0.1'],
    [`https://${'a'.repeat(63)}.example.com/`, `https://${'a'.repeat(63)}.example.com/`],
  ])('is accepted as %s', async (url, href) => {
    const parsed = await assertPublicUrl(url, { resolve: toPublic });
    expect(parsed.href).toBe(href);
  });

  inOneTest([
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://例え.テスト.example/', 'https://xn--r8jz45g.xn--zckzah.example/'],
    ['https://faß.example/', 'https://xn--fa-hia.example/'],
    ['https://نامه\u200cای.example/', 'https://xn--mgba3gch31f060k.example/'],
    ['https://ex%61mple.com/', 'https://example.com/'],
    ['https://example。com/', 'https://example.com/'],
    // What nobody sees: in a host it is dropped, and what is left is judged; elsewhere it is data.
    ['http://example\u200b.com/', 'http://example.com/'],
    ['http://exam\u00adple.com/', 'http://example.com/'],
    ['http://example.com/\u2060', 'http://example.com/%E2%81%A0'],
    ['http://example.com/\u202egnp.exe', 'http://example.com/%E2%80%AEgnp.exe'],
    ['https://example.com/?q=\u00ad', 'https://example.com/?q=%C2%AD'],
    ['https://example.com/ünï', 'https://example.com/%C3%BCn%C3%AF'],
  ])('is accepted as %s, in the spelling that is looked up', async (url, href) => {
    const parsed = await assertPublicUrl(url, { resolve: toPublic });
    expect(parsed.href).toBe(href);
  });

  inOneTest([
    ['http://93.184.215.14/', 'http://93.184.215.14/'],
    ['http://93.184.215.14./', 'http://93.184.215.14/'],
    ['http://0x5db8d70e/', 'http://93.184.215.14/'],
    ['https://[2606:4700::1111]:8443/', 'https://[2606:4700::1111]:8443/'],
    ['https://[2606:4700:0:0:0:0:8.8.8.8]/', 'https://[2606:4700::808:808]/'],
    ['https://[::ffff:8.8.8.8]/', 'https://[::ffff:808:808]/'],
  ])('is accepted by its address, as %s', async (url, href) => {
    const parsed = await assertPublicUrl(url, { resolve: toPublic });
    expect(parsed.href).toBe(href);
  });
});

describe('a non-public address', () => {
  inOneTest([
    ...words(`
      http://127.0.0.1/ http://127.1/ http://127.0.1/ http://0177.0.0.1/ http://0x7f.0.0.1/ http://0x7f.1/
      http://0x7f000001/ http://2130706433/ http://017700000001/ http://①②⑦.⓪.⓪.①/
    `),
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
    'http://127.0.0.1:65535/',
    'http://127.65535/',
    'http://0x7F.0X0.00.1/',
    'http://00000177.1/',
    'http://192.0.0.9/',
    'http://127.0\u200b.0.1/',
    'http://1\u00ad27.0.0.1/',
    'http://192.88.99.1/',
    'http://198.19.255.255/',
    'http://0300.0250.1/',
    'http://3232235777/',
    'http://0xa9fea9fe/',
    'http://169.254.43518/',
  ])('is refused as %s without a lookup', async (url) => {
    expect(await refusal(url, { resolve: never })).toBe('The host does not lead to a public address.');
  });

  inOneTest(
    words(`
    http://[::]/ http://[::1]/ http://[0:0:0:0:0:0:0:1]/ http://[::ffff:127.0.0.1]/
    http://[::ffff:7f00:1]/ http://[::7f00:1]/ http://[::127.0.0.1]/ http://[::8.8.8.8]/
    http://[::ffff:0:8.8.8.8]/ http://[0000:0000:0000:0000:0000:0000:0000:0001]/
    http://[::FFFF:127.0.0.1]/ http://[0:0:0:0:0:ffff:127.0.0.1]/ http://[64:ff9b::127.0.0.1]/
    http://[64:FF9B::10.0.0.1]/ http://[64:ff9b::7f00:1]/ http://[64:ff9b:1::808:808]/
    http://[2002:7f00:1::]/ http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/ http://[fc00::1]/
    http://[fd00:ec2::254]/ http://[fe80::1]/ http://[ff02::1]/ http://[4000::1]/
  `),
  )('of IPv6 is refused as %s without a lookup', async (url) => {
    expect(await refusal(url, { resolve: never })).toBe('The host does not lead to a public address.');
  });
});

describe('a special or single-label name', () => {
  inOneTest([
    ...words(`
      http://localhost/ http://LOCALHOST/ http://localhost./ http://ⓛocalhost/ http://loc%61lhost/
      http://a.localhost/ http://a.localhost./ http://printer.local/ http://PRINTER.LOCAL./
      http://metadata.google.internal/ http://host.docker.internal/ http://router.home.arpa/
      http://home.arpa/ http://api.default.svc/ http://api.default.svc.cluster.local/
      http://api.default.svc.cluster.local./ http://intranet/ http://intranet./ http://com/
      http://kubernetes/ http://localhost:8080/
    `),
    'http://local\u017fhost/',
    'http://\uff4cocalhost/',
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
    'http://local\u00adhost/',
    'http://localhost\u200b/',
    'http://\u2060printer.local/',
  ])('is refused as %s without a lookup', async (url) => {
    await refusal(url, { resolve: never });
  });
});

describe('a malformed URL', () => {
  inOneTest([
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
    ['an empty host', 'http:///'],
    ['a dot for a host', 'http://./'],
    ['another web scheme', 'ws://example.com/'],
    ['a nested scheme', 'view-source:http://example.com/'],
    ['a blob', 'blob:http://example.com/x'],
    ['no scheme but slashes', '//example.com/'],
    ['a colon too many', 'http:://example.com/'],
    ['a scheme alone', 'http://'],
    ['a query for a host', 'http://?example.com'],
    ['a fragment for a host', 'http://#example.com'],
  ])('is refused for its beginning: %s', async (_what, url) => {
    await refusal(url, { resolve: never });
  });

  inOneTest([
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
  ])('is refused for its user info: %s', async (_what, url) => {
    await refusal(url, { resolve: never });
  });

  inOneTest([
    ['port 0', 'http://example.com:0/'],
    ['a port out of range', 'http://example.com:65536/'],
    ['a double colon port', 'http://example.com:80:80/'],
    ['a signed port', 'http://example.com:+80/'],
    ['a port that is no number', 'http://example.com:http/'],
    ['port 00', 'https://example.com:00/'],
  ])('is refused for its port: %s', async (_what, url) => {
    await refusal(url, { resolve: never });
  });

  inOneTest([
    ['white space before', ' http://example.com/'],
    ['white space behind', 'http://example.com/ '],
    ['white space within', 'http://exam ple.com/'],
    ['a tab within', 'http://exam\tple.com/'],
    ['a line break within', 'http://example.com/\r\nX: y'],
    ['a no-break space', 'http://example.com/\u00a0'],
    ['U+0000', 'http://example.com/\u0000'],
    ['a C1 control', 'http://example.com/\u0085'],
    ['a byte order mark', '\ufeffhttp://example.com/'],
    ['a host of nothing that is seen', 'http://\u200b/'],
    ['an empty label of nothing that is seen', 'http://a.\u200b.example.com/'],
    ['a line separator', 'http://example.com/\u2028'],
    ['an ideographic space', 'http://example.com/\u3000'],
    ['DEL', 'http://example.com/\u007f'],
    ['half a surrogate pair', 'http://example.com/\ud800'],
  ])('is refused for a character that nobody sees: %s', async (_what, url) => {
    await refusal(url, { resolve: never });
  });

  inOneTest([
    ['an address with two trailing dots', 'http://127.0.0.1../'],
    ['a malformed IPv4 address', 'http://256.256.256.256/'],
    ['a malformed IPv6 address', 'http://[::1/'],
    ['a zone id', 'http://[fe80::1%25eth0]/'],
    ['five numbers', 'http://1.2.3.4.5/'],
    ['a number behind a name', 'http://example.com.127/'],
    ['a hexadecimal number behind a name', 'http://example.0x7f/'],
    ['digits of another script', 'http://١٢٧.0.0.1/'],
    ['a malformed octal address', 'http://08.8.8.8/'],
    ['empty brackets', 'http://[]/'],
    ['an IPv6 address without brackets', 'http://2606:4700::1111/'],
    ['an IPv4 address in brackets', 'http://[8.8.8.8]/'],
    ['a bare zone id', 'http://[fe80::1%eth0]/'],
    ['a zone id on a public address', 'http://[2606:4700::1111%25eth0]/'],
    ['an IPvFuture address', 'http://[v1.a]/'],
  ])('is refused for its address: %s', async (_what, url) => {
    await refusal(url, { resolve: never });
  });

  inOneTest([
    ['an empty label', 'http://a..example.com/'],
    ['a leading dot', 'http://.example.com/'],
    ['two trailing dots', 'http://example.com../'],
    ['an encoded slash in the host', 'http://example.com%2f.example.net/'],
    ['an encoded at sign in the host', 'http://user%40example.com/'],
    ['an encoded U+0000 in the host', 'http://example.com%00.example.net/'],
    ['an encoded dot behind a dot', 'http://example.com.%2e/'],
    ['punycode that is none', 'http://xn--a.example.com/'],
    ['a quote in the host', 'http://a"b.example.com/'],
    ['an exclamation mark in the host', 'http://a!b.example.com/'],
    ['a wildcard', 'http://*.example.com/'],
    ['a comma in the host', 'http://example.com,example.net/'],
    ['a semicolon in the host', 'http://example.com;.example.net/'],
    ['a label of 64 characters', `http://${'a'.repeat(64)}.example.com/`],
    ['a host of more than 253 characters', `http://${'a.'.repeat(126)}com/`],
  ])('is refused for its host or path: %s', async (_what, url) => {
    await refusal(url, { resolve: never });
  });
});

describe('any URL', () => {
  it('is accepted with 2,048 characters and refused with one more', async () => {
    const url = 'https://example.com/'.padEnd(MAX_URL_LENGTH, 'a');
    expect((await assertPublicUrl(url, { resolve: toPublic })).href).toHaveLength(2048);
    await refusal(`${url}a`, { resolve: never });
  });

  it('is refused as http where https is required', async () => {
    await refusal('http://example.com/', { requireHttps: true, resolve: never });
    await assertPublicUrl('https://example.com/', { requireHttps: true, resolve: toPublic });
  });
});
