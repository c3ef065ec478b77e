import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createLookups,
  LOST_LOOKUP_MS,
  lookupsOf,
  MAX_LOOKUPS,
  MAX_WAITING_LOOKUPS,
  RESOLVE_DEADLINE_MS,
} from '../../src/egress/lookups.ts';
import type { Resolve, ResolvedAddress } from '../../src/egress/resolve.ts';

const PUBLIC = [{ address: '93.184.215.14', family: 4 }];

/**
 * A resolver whose answers the test gives; like `getaddrinfo`, it goes on when nobody waits any
 * more.
 */
function heldResolver() {
  const asked: string[] = [];
  const cancelled: string[] = [];
  const pending = new Map<string, (answers: readonly ResolvedAddress[]) => void>();
  const resolve: Resolve = (hostname, { signal }) => {
    asked.push(hostname);
    signal.addEventListener('abort', () => cancelled.push(hostname));
    return new Promise((done) => pending.set(hostname, done));
  };
  const answer = (hostname: string): void => {
    pending.get(hostname)?.(PUBLIC);
    pending.delete(hostname);
  };
  return { resolve, asked, cancelled, pending, answer };
}

/** A resolver that never answers and ends when it is cancelled. */
const silent: Resolve = (_hostname, { signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

const FAILING: readonly (readonly [string, Resolve])[] = [
  ['rejects', async () => Promise.reject(new Error('ENOTFOUND'))],
  [
    'throws',
    () => {
      throw new Error('ENOTFOUND');
    },
  ],
];

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `a${index}.example.com`);
const past = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
});

describe('lookups', () => {
  it('ask once for a name that many wait for, and again afterwards', async () => {
    const { resolve, asked, answer } = heldResolver();
    const lookups = createLookups(resolve);
    const found = Promise.all(Array.from({ length: 50 }, () => lookups.find('a.example.com')));
    await past(1000);
    expect(asked).toEqual(['a.example.com']);
    answer('a.example.com');
    expect(await found).toEqual(Array.from({ length: 50 }, () => PUBLIC));
    void lookups.find('a.example.com');
    await past(0);
    expect(asked).toHaveLength(2);
  });

  it('leave one lookup unfinished for a name whose lookup never ends, however often it is asked for', async () => {
    const { resolve, asked } = heldResolver();
    const lookups = createLookups(resolve);
    for (let round = 0; round < 3; round += 1) {
      const found = Promise.all(Array.from({ length: 50 }, () => lookups.find('a.example.com')));
      await past(RESOLVE_DEADLINE_MS);
      expect(await found).toEqual(Array.from({ length: 50 }, () => undefined));
    }
    expect(asked).toEqual(['a.example.com']);
  });

  it('are bounded over all names, and start in order as others end', async () => {
    const { resolve, asked, pending, answer } = heldResolver();
    const lookups = createLookups(resolve);
    const hosts = names(MAX_LOOKUPS + 2);
    const found = Promise.all(hosts.map((host) => lookups.find(host)));
    await past(0);
    expect(asked).toEqual(hosts.slice(0, MAX_LOOKUPS));
    answer('a7.example.com');
    await past(0);
    expect(asked).toEqual(hosts.slice(0, MAX_LOOKUPS + 1));
    expect(pending.size).toBe(MAX_LOOKUPS);
    for (const host of hosts) {
      answer(host);
      await past(0);
    }
    expect(await found).toEqual(hosts.map(() => PUBLIC));
  });

  it('count the wait for a turn in the deadline, and never start for a caller who has gone', async () => {
    const { resolve, asked, answer } = heldResolver();
    const lookups = createLookups(resolve, 1);
    void lookups.find('first.example.com');
    const settled = vi.fn();
    void lookups.find('second.example.com').then(settled);
    await past(RESOLVE_DEADLINE_MS - 1);
    expect(settled).not.toHaveBeenCalled();
    await past(1);
    expect(settled).toHaveBeenCalledWith(undefined);
    answer('first.example.com');
    await past(0);
    expect(asked).toEqual(['first.example.com']);
  });

  it('are cancelled when the last caller has gone, not before', async () => {
    const { resolve, cancelled } = heldResolver();
    const lookups = createLookups(resolve);
    void lookups.find('a.example.com');
    await past(2000);
    void lookups.find('a.example.com');
    await past(RESOLVE_DEADLINE_MS - 1);
    expect(cancelled).toEqual([]);
    await past(1);
    expect(cancelled).toEqual(['a.example.com']);
  });

  it('are not cancelled after they have ended', async () => {
    const { resolve, cancelled, answer } = heldResolver();
    const lookups = createLookups(resolve);
    const found = lookups.find('a.example.com');
    await past(0);
    answer('a.example.com');
    expect(await found).toEqual(PUBLIC);
    await past(RESOLVE_DEADLINE_MS);
    expect(cancelled).toEqual([]);
  });

  it('leave their place to others when they are cancelled', async () => {
    const asked: string[] = [];
    const resolve: Resolve = async (hostname, context) => {
      asked.push(hostname);
      return hostname.startsWith('slow') ? silent(hostname, context) : PUBLIC;
    };
    const lookups = createLookups(resolve, 2);
    void lookups.find('slow1.example.com');
    void lookups.find('slow2.example.com');
    await past(1);
    const found = lookups.find('a.example.com');
    await past(RESOLVE_DEADLINE_MS - 2);
    expect(asked).not.toContain('a.example.com');
    await past(1);
    expect(await found).toEqual(PUBLIC);
  });

  it('that go on although cancelled keep their place until they end, or count as lost after 30 s', async () => {
    const { resolve, asked, answer } = heldResolver();
    const lookups = createLookups(resolve, 1);
    const host = 'lost.example.com';
    void lookups.find(host);
    await past(LOST_LOOKUP_MS - 1);
    const found = lookups.find('a.example.com');
    await past(0);
    expect(asked).toEqual([host]);
    await past(1);
    expect(asked).toEqual([host, 'a.example.com']);
    answer('a.example.com');
    expect(await found).toEqual(PUBLIC);
    answer(host);
    void lookups.find('b.example.com');
    void lookups.find('c.example.com');
    await past(0);
    expect(asked).toEqual([host, 'a.example.com', 'b.example.com']);
  });

  it.each(FAILING)('find nothing when the resolver %s, and go on', async (_what, fail) => {
    const lookups = createLookups(
      (hostname, context) => (hostname.startsWith('bad') ? fail(hostname, context) : Promise.resolve(PUBLIC)),
      1,
    );
    expect(await lookups.find('bad.example.com')).toBeUndefined();
    expect(await lookups.find('a.example.com')).toEqual(PUBLIC);
  });

  it('find nothing at once when too many names wait already', async () => {
    const { resolve } = heldResolver();
    const lookups = createLookups(resolve, 1);
    for (const host of names(1 + MAX_WAITING_LOOKUPS)) void lookups.find(host);
    expect(await lookups.find('a.example.com')).toBeUndefined();
  });

  it('are the same for everybody who uses a resolver', () => {
    const { resolve } = heldResolver();
    expect(lookupsOf(resolve)).toBe(lookupsOf(resolve));
    expect(lookupsOf(resolve)).not.toBe(lookupsOf(heldResolver().resolve));
  });
});
