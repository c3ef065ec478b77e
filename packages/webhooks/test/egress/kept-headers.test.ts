import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { keptHeaders, MAX_KEPT_HEADER_BYTES } from '../../src/egress/kept-headers.ts';
import { isStorableText } from '../../src/storage/storable-text.ts';
import { httpRecipient, rawRecipient, testEgress } from './loopback.ts';

/** Text as the HTTP client gives it: a character for each byte. */
const received = (text: string): string => Buffer.from(text).toString('latin1');

/** The headers that are kept of one real response. */
async function keptOf(recipient: { readonly url: string }): Promise<unknown> {
  const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
  const result = await egress.send({ url: recipient.url, headers: {}, body: '{}' });
  return result.kind === 'response' && result.headers;
}

describe('the kept headers of a response', () => {
  it('explain it or name its request, and never carry a credential', () => {
    const ids = { 'x-request-id': 'a1', 'cf-ray': '8f-FRA', traceparent: '00-1-2-01' };
    const kept = { 'content-type': 'text/plain', 'retry-after': '30', server: 'nginx', ...ids };
    const others = { 'set-cookie': 'session=1', authorization: 'Bearer x', 'x-powered-by': 'y', etag: '"1"' };
    expect(keptHeaders({ ...others, ...kept }).headers).toEqual(kept);
  });

  inOneTest([
    ['https://shop.example.com/in/2?token=t#at=t', 'https://shop.example.com/in/2'],
    ['https://user:secret@shop.example.com:8443/in', 'https://shop.example.com:8443/in'],
    [`https://user:${'secret'.repeat(99)}@shop.example.com/in`, 'https://shop.example.com/in'],
    ['HTTPS:user:secret@shop.example.com', 'https://shop.example.com/'],
    ['/grüße?token=t', '/grüße'],
    ['/log-in#token', '/log-in'],
    ['/@at:all/', '/@at:all/'],
    ['/login;jsessionid=ABC', '/login'],
    ['/a;v=1;t=ABC/b;/c%3bt=ABC/d%253Bt=ABC', '/a/b/c/d'],
    ['https://shop.example.com/in;t=ABC/2%3Ft=ABC', 'https://shop.example.com/in/2'],
    ['https://us;er:1%3f2@shop.example.com/in', 'https://shop.example.com/in'],
    ['/a/b/%3Ftoken=1', '/a/b/'],
    ['/a%23token=1/b', '/a'],
    ['/a%25253ftoken=1', '/a'],
    ['/100%25/%252525x', '/100%25/%252525x'],
    ['/;a/user:secret@shop.example.com', undefined],
    ['//user:secret@shop.example.com/in', undefined],
    ['/\\user:secret@shop.example.com/in', undefined],
    ['/\t/user:secret@shop.example.com/in', '/'],
    ['https://user:secret@/in', undefined],
    ['mailto:user@example.com', undefined],
    ['in?token=t', undefined],
    ['?token=t', undefined],
    ['', undefined],
  ])('say of the location %s no more than scheme, host and path', (location, kept) => {
    expect(keptHeaders({ location: received(location) }).headers.location).toBe(kept);
  });

  it('take the first of several locations', () => {
    const location = ['https://a.example.com/', 'https://user:secret@b.example.com/'];
    for (const given of [location, location.join(', ')]) {
      expect(keptHeaders({ location: given }).headers).toEqual({ location: 'https://a.example.com/' });
    }
  });

  it('measure their names and values in bytes of UTF-8', () => {
    expect(keptHeaders({ server: received('é') })).toEqual({ headers: { server: 'é' }, bytes: 8 });
  });

  it('are joined with a comma where they are repeated', () => {
    expect(keptHeaders({ allow: ['POST', 'PUT'] }).headers).toEqual({ allow: 'POST, PUT' });
  });

  it('have at most 256 bytes each, cut between two characters', () => {
    expect(keptHeaders({ server: 'a'.repeat(300) }).headers).toEqual({ server: 'a'.repeat(256) });
    const cut = keptHeaders({ server: received(`${'a'.repeat(254)}😀`) });
    expect(cut.headers).toEqual({ server: 'a'.repeat(254) });
  });

  it('leave out what does not fit into 1,024 bytes, and still keep a shorter one after it', () => {
    const long = 'a'.repeat(256);
    const { headers } = keptHeaders({
      'content-type': long,
      location: `/${long}`,
      allow: long,
      server: long,
      'cf-ray': '8f-FRA',
    });
    expect(Object.keys(headers)).toEqual(['content-type', 'location', 'allow', 'cf-ray']);
  });

  it('are text that every database stores, within the bound, whatever the bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((value) => Buffer.from(value).toString('latin1'));
    const property = fc.property(bytes, bytes, (server, location) => {
      const kept = keptHeaders({ server, location, 'x-request-id': [server, location] });
      const all = Object.entries(kept.headers).flat().join('');
      expect(Buffer.byteLength(all)).toBe(kept.bytes);
      expect(kept.bytes).toBeLessThanOrEqual(MAX_KEPT_HEADER_BYTES);
      expect(isStorableText(all)).toBe(true);
      expect(all).not.toMatch(/\p{Cc}/u);
    });
    fc.assert(property, { seed: 20_261_124, numRuns: 300 });
  });

  it('are read from the wire as UTF-8, and as ISO-8859-1 where they are none', async () => {
    const recipient = await rawRecipient((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nServer: ');
        socket.write(Buffer.from([0xe9, 0x74, 0xe9]));
        socket.write('\r\nX-Request-Id: ');
        socket.write(Buffer.from('é😀'));
        socket.write('\r\nConnection: close\r\n\r\n');
      }),
    );
    expect(await keptOf(recipient)).toEqual({ server: 'été', 'x-request-id': 'é😀' });
  });

  it('leave the rest of 4,096 bytes to the body', async () => {
    const recipient = await httpRecipient((_, response) => {
      response.setHeader('Server', 'a'.repeat(200)).end('b'.repeat(5_000));
    });
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    const result = await egress.send({ url: recipient.url, headers: {}, body: '{}' });
    expect(result).toMatchObject({ headers: { server: 'a'.repeat(200) } });
    expect(result).toMatchObject({ body: 'b'.repeat(4_096 - 'server'.length - 200) });
  });
});
