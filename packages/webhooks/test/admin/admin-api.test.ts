import { describe, expect, it } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, engineOn } from './admin-harness.ts';

describe('createAdminApi', () => {
  const authorize = () => ADMIN;

  it('refuses to be made without an engine', () => {
    expect(() => createAdminApi(undefined as never, { authorize })).toThrow(TypeError);
  });

  it('says where it lives', () => {
    expect(createAdminApi(engineOn(memoryStorage()), { authorize }).basePath).toBe('/api/admin/webhooks');
  });
});
