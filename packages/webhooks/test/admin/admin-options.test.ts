import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { AdminApiOptions } from '../../src/admin/admin-options.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, engineOn } from './admin-harness.ts';

describe('the options of the admin API', () => {
  const webhooks = engineOn(memoryStorage());
  const authorize = () => ADMIN;

  inOneTest<[string, unknown]>([
    ['no options', undefined],
    ['null', null],
    ['no authorize', {}],
    ['authorize that is no function', { authorize: true }],
    ['an unknown option', { authorize, autorize: authorize }],
    ['a base path without a slash', { authorize, basePath: 'api' }],
    ['an empty base path', { authorize, basePath: '' }],
    ['the root', { authorize, basePath: '/' }],
    ['a trailing slash', { authorize, basePath: '/api/' }],
    ['a double slash', { authorize, basePath: '/api//x' }],
    ['dot segments', { authorize, basePath: '/api/../x' }],
    ['encoded dot segments', { authorize, basePath: '/api/%2e%2e/x' }],
    ['a query', { authorize, basePath: '/api?x' }],
    ['a space', { authorize, basePath: '/a b' }],
    ['a base path that is no text', { authorize, basePath: 7 }],
    ['trusted origins that are no list', { authorize, trustedOrigins: 'https://a.example' }],
    ['a wildcard origin', { authorize, trustedOrigins: ['*'] }],
    ['the null origin', { authorize, trustedOrigins: ['null'] }],
    ['an origin with a path', { authorize, trustedOrigins: ['https://a.example/'] }],
    ['a hook that is null', { authorize, onAudit: null }],
    ['names that are null', { authorize, describeActors: null }],
  ])('may not be %s', (_, options) => {
    expect(() => createAdminApi(webhooks, options as AdminApiOptions)).toThrow(TypeError);
  });

  it('need an engine', () => {
    expect(() => createAdminApi(undefined as never, { authorize })).toThrow(TypeError);
  });
});
