import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { originFacts, requestFacts } from '../../src/http/request-facts.ts';

const pathOf = (url: string) => requestFacts({ method: 'GET', url, headers: {} }).path;

describe('what is told of a request', () => {
  inOneTest([
    ['/api/admin/me', '/api/admin/me'],
    ['/api/admin/me?token=hunter2#x', '/api/admin/me'],
    ['https://ada:hunter2@app.example/api?x', '/api'],
    ['https://ada:hunter2@app.example', ''],
    ['http://app.example?token=hunter2', ''],
    ['//host/x', '//host/x'],
    ['*', '*'],
    ['/a\r\nb\u001b[2J', '/a\uFFFD\uFFFDb\uFFFD[2J'],
    ['/reset/9f86d081884c7d659a2feaa0c55ad015', '/reset/…'],
    [`/key/acme_${'a1'.repeat(24)}/x`, '/key/…/x'],
    ['/a-long-word-of-the-path-without-any-digit/7', '/a-long-word-of-the-path-without-any-digit/7'],
  ])('is the path of %j alone', (url, path) => {
    expect(pathOf(url)).toBe(path);
  });

  it('is bounded', () => {
    expect(pathOf('/x'.repeat(5_000))).toHaveLength(256);
    expect(requestFacts({ method: 'M'.repeat(100), headers: {} })).toEqual({
      method: 'M'.repeat(32),
      path: undefined,
    });
  });

  it('is what the client asked for, where Express has cut off the mount path', () => {
    const request = { method: 'GET', url: '/me', originalUrl: '/api/admin/me?x', headers: {} };
    expect(requestFacts(request)).toEqual({ method: 'GET', path: '/api/admin/me' });
  });

  it('is nothing where there is no request', () => {
    expect(requestFacts(undefined)).toEqual({ method: undefined, path: undefined });
  });
});

describe('what is told of a cross-site request', () => {
  it('is what it was judged by, bounded and printable', () => {
    const headers = {
      origin: 'https://evil.example\r\n',
      Host: 'app.example',
      'sec-fetch-site': ['same-site', 'none'],
      cookie: 'access_token=x',
    };
    expect(originFacts({ headers })).toEqual({
      origin: 'https://evil.example\uFFFD\uFFFD',
      host: 'app.example',
      secFetchSite: 'same-site, none',
    });
    expect(originFacts({ headers: { origin: 'x'.repeat(1_000) } }).origin).toHaveLength(256);
  });
});
