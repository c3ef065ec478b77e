import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAuth } from '../../src/auth.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { isAuthError } from '../../src/errors.ts';
import type { AuthRequest } from '../../src/http/auth-request.ts';
import { KEY } from '../tokens/forge-token.ts';

const TRUSTED = ['https://app.example.com', 'http://localhost:5173', 'capacitor://localhost'];

function passes(
  headers: Record<string, string>,
  request: Partial<AuthRequest> = {},
  options: Partial<AuthOptions> = {},
) {
  const auth = createAuth({ signingKey: KEY, trustedOrigins: TRUSTED, ...options });
  try {
    auth.assertSameOrigin({ method: 'POST', headers, ...request });
    return true;
  } catch (error) {
    if (isAuthError(error, 'cross_site')) return false;
    throw error;
  }
}

const host = 'shop.example.com';

/** Headers of a POST, and whether it passes. */
const VERDICTS: readonly [Record<string, string>, boolean][] = [
  // What Sec-Fetch-Site says decides; only a trusted origin overrides it.
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'cross-site' }, false],
  [{ 'sec-fetch-site': '' }, false],
  [{ 'sec-fetch-site': 'Same-Origin' }, false],
  [{ 'sec-fetch-site': 'same-origin, cross-site' }, false],
  [{ 'sec-fetch-site': 'future-value' }, false],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://shop.example.com', host }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://app.example.com' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: 'http://localhost:5173' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://app.example.com.attacker.example' }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, false],
  // Without it, the host of Origin must be the host of the request.
  [{ origin: 'https://shop.example.com', host }, true],
  [{ origin: 'http://shop.example.com', host }, true],
  [{ origin: 'https://shop.example.com', host: 'shop.example.com:443' }, true],
  [{ origin: 'https://shop.example.com', host: 'SHOP.example.com' }, true],
  [{ origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' }, true],
  [{ origin: 'http://[::1]:8080', host: '[::1]:8080' }, true],
  [{ origin: 'capacitor://localhost', host }, true],
  [{ origin: 'https://shop.example.com:8443', host }, false],
  [{ origin: 'https://shop.example.com', host: 'shop.example.com:8443' }, false],
  [{ origin: 'https://www.shop.example.com', host }, false],
  [{ origin: 'https://attacker.example', host }, false],
  [{ origin: 'null', host }, false],
  [{ origin: '', host }, false],
  [{ origin: 'https://shop.example.com/', host }, false],
  [{ origin: 'https://shop.example.com/path', host }, false],
  [{ origin: 'https://user@shop.example.com', host }, false],
  [{ origin: 'HTTPS://shop.example.com', host }, false],
  [{ origin: 'https://shop.example.com, https://attacker.example', host }, false],
  [{ origin: 'https://shop.example.com' }, false],
  [{ origin: 'https://shop.example.com', host: 'attacker@shop.example.com' }, false],
  [{ origin: 'https://shop.example.com', host: 'shop.example.com/x' }, false],
  [{ origin: 'https://shop.example.com', host: '' }, false],
  [{ origin: 'file://', host: '' }, false],
  // No browser leaves out both.
  [{}, true],
  [{ host }, true],
  // A bearer credential is not sent by a page without the host's consent.
  [{ 'sec-fetch-site': 'cross-site', authorization: 'Bearer key' }, true],
  [{ 'sec-fetch-site': 'cross-site', authorization: 'Basic key' }, false],
];

describe('the cross-site check', () => {
  inOneTest(VERDICTS)('judges a POST with %j: %s', (headers, expected) => {
    expect(passes(headers)).toBe(expected);
    expect(passes({}, { headers: new Headers(headers) })).toBe(expected);
  });

  inOneTest(['GET', 'HEAD', 'OPTIONS'])('lets %s pass', (method) => {
    expect(passes({ 'sec-fetch-site': 'cross-site' }, { method })).toBe(true);
  });

  inOneTest(['PUT', 'PATCH', 'DELETE', 'get', 'PROPFIND', 'CONNECT', '', undefined])(
    'judges %s',
    (method) => {
      expect(passes({ 'sec-fetch-site': 'cross-site' }, { method })).toBe(false);
    },
  );

  it('judges the opening of a WebSocket, though it is a GET', () => {
    const upgrade = { upgrade: 'websocket', host, origin: 'https://attacker.example' };
    expect(passes(upgrade, { method: 'GET' })).toBe(false);
    expect(passes({ ...upgrade, origin: 'https://shop.example.com' }, { method: 'GET' })).toBe(true);
  });

  it('does not look at the content type', () => {
    for (const type of ['text/plain', 'application/json', 'Application/JSON', '\tapplication/json', 'x']) {
      expect(passes({ 'sec-fetch-site': 'cross-site', 'content-type': type })).toBe(false);
    }
  });

  it('reads headers of a record in any spelling', () => {
    expect(passes({ 'Sec-Fetch-Site': 'cross-site' })).toBe(false);
    expect(passes({ ORIGIN: 'https://attacker.example', Host: host })).toBe(false);
  });

  it('refuses several Origin headers', () => {
    const origin = ['https://app.example.com', 'https://attacker.example'];
    expect(passes({}, { headers: { origin } })).toBe(false);
  });

  it('takes the host from :authority or the URL where there is no Host header', () => {
    const origin = 'https://shop.example.com';
    expect(passes({ origin, ':authority': host })).toBe(true);
    expect(passes({ origin }, { url: 'https://shop.example.com/x' })).toBe(true);
    expect(passes({ origin }, { url: 'https://other.example.com/x' })).toBe(false);
    expect(passes({ origin }, { url: '/x' })).toBe(false);
    expect(
      passes({}, new Request('https://shop.example.com/x', { method: 'POST', headers: { origin } })),
    ).toBe(true);
  });

  it('can be turned off, by a name that nobody overlooks', () => {
    const options = { dangerouslyAllowCrossSiteRequests: true };
    expect(passes({ 'sec-fetch-site': 'cross-site' }, {}, options)).toBe(true);
  });
});

describe('the option trustedOrigins', () => {
  inOneTest([
    '*',
    'null',
    '',
    'example.com',
    'https://',
    'https://example.com/',
    'https://example.com/x',
    'https://*.example.com',
    'https://user@example.com',
    'https://example.com:443',
    'HTTPS://example.com',
    'https://EXAMPLE.com',
    'https://example.com, https://b.example',
    ' https://example.com',
    'https://example.com?x',
    'https://bücher.example',
  ])('refuses %j', (origin) => {
    expect(() => createAuth({ signingKey: KEY, trustedOrigins: [origin] })).toThrow(/^trustedOrigins must/);
  });

  it('refuses a text and more than 64 origins', () => {
    const many = Array.from({ length: 65 }, (_, n) => `https://a${n}.example`);
    expect(() => createAuth({ signingKey: KEY, trustedOrigins: many })).toThrow(TypeError);
    expect(() =>
      createAuth({ signingKey: KEY, trustedOrigins: 'https://a.example' as unknown as [] }),
    ).toThrow(TypeError);
  });
});
