import { describe, expect, it } from 'vitest';
import { createFamilies } from '../../../src/sessions/store/session-families.ts';

const session = (id: string, uid: string, instance = '/api') => ({
  id,
  uid,
  instance,
  createdAt: 1,
  expiresAt: 10,
  lastUsedAt: 1,
  userAgent: '',
  ip: '',
  refreshedFrom: [],
});

describe('the families of a memory store', () => {
  it('are found by id, and the live ones by user and instance', () => {
    const families = createFamilies();
    const own = families.add(session('a', '7'));
    families.add(session('b', '7', '/api/admin'));
    families.add(session('c', '42'));
    expect(families.get('a')).toBe(own);
    expect(families.liveOf('7', '/api', 9)).toEqual([own]);
    expect(families.liveOf('7', '/api', 10)).toEqual([]);
    expect(families.liveOf('8', '/api', 1)).toEqual([]);
    expect(families.all()).toHaveLength(3);
  });

  it('stay to be found by id once they are revoked, and no longer by user', () => {
    const families = createFamilies();
    const own = families.add(session('a', '7'));
    own.revoked = { at: 5, reason: 'logout' };
    expect(families.liveOf('7', '/api', 1)).toEqual([]);
    expect(families.get('a')).toBe(own);
    expect(families.all()).toEqual([own]);
  });

  it('are gone for every search once they are removed', () => {
    const families = createFamilies();
    const [own, other] = [families.add(session('a', '7')), families.add(session('b', '7'))];
    families.remove(own);
    families.remove(own);
    expect(families.get('a')).toBeUndefined();
    expect(families.liveOf('7', '/api', 1)).toEqual([other]);
    expect(families.all()).toEqual([other]);
  });
});
