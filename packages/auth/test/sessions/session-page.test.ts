import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import type { SessionPageRequest } from '../../src/sessions/session-page.ts';
import type { Sessions } from '../../src/sessions/sessions.ts';
import { sessionHost } from './session-host.ts';

/** Every page of a user's list, from the first. */
async function allPages(sessions: Sessions, uid: string, limit?: number): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await sessions.list(uid, { limit, ...(cursor === null ? {} : { cursor }) });
    pages.push(page.sessions.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null && pages.length < 100);
  return pages;
}

async function hostWith(count: number) {
  const host = sessionHost({ maxSessionsPerUser: false });
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.unshift((await host.sessions.loginAs('7')).sessionId);
    host.clock.advance(1);
  }
  return { ...host, ids };
}

describe('the pages of a list of sessions', () => {
  it('hold 50 sessions unless asked otherwise, and at most 100', async () => {
    const { sessions, ids } = await hostWith(120);
    expect((await allPages(sessions, '7')).map(({ length }) => length)).toEqual([50, 50, 20]);
    const pages = await allPages(sessions, '7', 100);
    expect(pages).toEqual([ids.slice(0, 100), ids.slice(100)]);
  });

  it('end with null exactly where nothing follows', async () => {
    const { sessions, ids } = await hostWith(4);
    expect(await allPages(sessions, '7', 2)).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(await allPages(sessions, '7', 3)).toEqual([ids.slice(0, 3), ids.slice(3)]);
    expect(await allPages(sessions, '7', 4)).toEqual([ids]);
    expect(await sessions.list('42')).toEqual({ sessions: [], nextCursor: null });
  });

  it('list every session once, whatever begins or ends between two of them', async () => {
    const { sessions, ids, clock } = await hostWith(5);
    const first = await sessions.list('7', { limit: 2 });
    clock.advance(1);
    await sessions.loginAs('7');
    // The place that the cursor names is gone, and with it one further down.
    await sessions.revoke(ids[1] ?? '');
    await sessions.revoke(ids[3] ?? '');
    const second = await sessions.list('7', { limit: 2, cursor: first.nextCursor ?? '' });
    expect(second.sessions.map(({ id }) => id)).toEqual([ids[2], ids[4]]);
    expect(second.nextCursor).toBeNull();
  });

  it("show nobody another user's sessions, whatever cursor is used", async () => {
    const { sessions, ids, clock } = await hostWith(3);
    const { nextCursor } = await sessions.list('7', { limit: 1 });
    clock.advance(-60);
    const { sessionId } = await sessions.loginAs('42');
    const page = await sessions.list('42', { cursor: nextCursor ?? '' });
    expect(page.sessions.map(({ id }) => id)).toEqual([sessionId]);
    for (const id of ids) expect(JSON.stringify(page)).not.toContain(id);
  });

  inOneTest([
    { limit: 0 },
    { limit: 101 },
    { limit: 1.5 },
    { limit: Number.NaN },
    { limit: '10' },
    { limit: null },
    { cursor: '' },
    { cursor: 'x' },
    { cursor: null },
    { cursor: 'A'.repeat(1_000_000) },
    { after: { id: 'x', createdAt: 1 } },
  ])('are refused as input_invalid for %j, before the store is asked', async (page) => {
    const { store, sessions } = sessionHost();
    const refusing = sessionHost({ store: { ...store, list: () => Promise.reject(new Error('was asked')) } });
    // A host without types passes on what a client sent.
    const loose: object = page;
    await expect(refusing.sessions.list('7', loose as SessionPageRequest)).rejects.toMatchObject({
      code: 'input_invalid',
    });
    expect(await sessions.list('7', {})).toEqual({ sessions: [], nextCursor: null });
  });
});
