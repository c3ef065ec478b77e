import { describe, expect, test } from 'vitest';
import { createIdleConnections } from '../../src/egress/idle-connections.ts';

const connection = (key: string) => ({ key });

describe('idle connections', () => {
  test('are found by key, the one added last first, and by age', () => {
    const idle = createIdleConnections();
    const [oldest, older, newer] = [connection('a'), connection('b'), connection('a')];
    for (const each of [oldest, older, newer]) idle.add(each);
    expect(idle.lastOf('a')).toBe(newer);
    expect(idle.lastOf('b')).toBe(older);
    expect(idle.lastOf('c')).toBeUndefined();
    expect(idle.first()).toBe(oldest);
    expect(idle.count()).toBe(3);
  });

  test('are not found once they are removed, in whatever order that happens', () => {
    const idle = createIdleConnections();
    const [first, second, third] = [connection('a'), connection('a'), connection('a')];
    for (const each of [first, second, third]) idle.add(each);
    idle.remove(second);
    idle.remove(second);
    expect(idle.count()).toBe(2);
    expect(idle.lastOf('a')).toBe(third);
    idle.remove(third);
    expect(idle.lastOf('a')).toBe(first);
    idle.remove(first);
    expect([idle.lastOf('a'), idle.first(), idle.count()]).toEqual([undefined, undefined, 0]);
    idle.add(second);
    expect(idle.lastOf('a')).toBe(second);
  });

  test('are among them once, however often they are added: nobody takes one twice', () => {
    const idle = createIdleConnections();
    const only = connection('a');
    idle.add(only);
    idle.add(only);
    idle.remove(only);
    expect([idle.lastOf('a'), idle.first(), idle.count()]).toEqual([undefined, undefined, 0]);
  });
});
