import { describe, expect, it, vi } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { ACTOR_NAMES_TIMEOUT_MS, type DescribeActors } from '../../src/admin/actor-names.ts';
import type { AdminApiOptions } from '../../src/admin/admin-options.ts';
import { HOOK_URL, startAdmin } from './admin-harness.ts';

const ADA = 'Ada Lovelace';

function startNamed(describeActors: DescribeActors) {
  const asked: (readonly string[])[] = [];
  const logged: unknown[] = [];
  const log = (fields: object) => void logged.push(fields);
  const started = startAdmin({
    logger: { debug: log, info: log, warn: log, error: log },
    describeActors: (uids) => {
      asked.push(uids);
      return describeActors(uids);
    },
  });
  const name = async () => (await started.call('GET', '/1')).json.created_by_name;
  return { ...started, asked, logged, name };
}

describe('the names of administrators', () => {
  it('are in every answer that shows a webhook, beside their uids', async () => {
    const { call } = startNamed(async () => new Map([['42', ADA]]));
    const answers = [
      await call('POST', '', { body: { url: HOOK_URL } }),
      await call('GET', '/1'),
      await call('PUT', '/1', { body: { description: 'x' } }),
      await call('POST', '/1/rotate-secret'),
      await call('POST', '/1/rotate-secret', { body: { end_previous: true } }),
    ];
    for (const { json } of answers) {
      expect(json).toMatchObject({ created_by_uid: '42', created_by_name: ADA });
    }
    expect((await call('GET', '')).json.webhooks).toMatchObject([{ created_by_name: ADA }]);
  });

  it('are asked for once per answer, each uid once, and not if nobody is known', async () => {
    const { call, webhooks, asked } = startNamed((uids) => new Map(uids.map((uid) => [uid, `No. ${uid}`])));
    await webhooks.create({ url: HOOK_URL });
    await call('GET', '');
    expect(asked).toEqual([]);
    for (const createdByUid of ['7', '8', '7']) await webhooks.create({ url: HOOK_URL, createdByUid });
    const { json } = await call('GET', '?sort=id&order=asc');
    const names = json.webhooks.map((webhook: { created_by_name: unknown }) => webhook.created_by_name);
    expect(names).toEqual([null, 'No. 7', 'No. 8', 'No. 7']);
    expect(asked).toEqual([['7', '8']]);
  });

  it("are not asked for of customers' users, who have numbers of another kind", async () => {
    const { webhooks, asked, name } = startNamed((uids) => new Map(uids.map((uid) => [uid, `No. ${uid}`])));
    await webhooks.create({ url: HOOK_URL, tenant: 'acme', createdByUid: '7' });
    expect([await name(), asked]).toEqual([null, []]);
  });

  inOneTest<[string, unknown, string | null]>([
    ['markup is text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['100 characters are enough', 'x'.repeat(100), 'x'.repeat(100)],
    ['101 are not', 'x'.repeat(101), null],
    ['blanks are no name', '  ', null],
    ['nor are characters that nobody sees', '\u200B\u2800\u3164\u{E0061}', null],
    ['a line break', 'Ada\nroot', null],
    ['a reversed text', 'Ada\u202Etoor', null],
    ['a number', 7, null],
  ])('are shown on one line, as they are, or not at all: %s', async (_, given, shown) => {
    const { webhooks, name } = startNamed(() => new Map([['42', given as string]]));
    await webhooks.create({ url: HOOK_URL, createdByUid: '42' });
    expect(await name()).toBe(shown);
  });

  inOneTest<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no directory');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no directory'))],
    ['answers with something else', () => ({ 42: ADA })],
    ['answers with nothing', () => undefined],
  ])('are missing, and nothing else is, if the host %s', async (_, answer) => {
    const { webhooks, call, logged } = startNamed(answer as DescribeActors);
    await webhooks.create({ url: HOOK_URL, createdByUid: '42' });
    const { status, json } = await call('GET', '/1');
    expect([status, json.created_by_uid, json.created_by_name]).toEqual([200, '42', null]);
    expect(logged).toMatchObject([{ hook: 'describeActors' }]);
  });

  it('are waited for no longer than a second', async () => {
    vi.useFakeTimers();
    try {
      const { webhooks, name } = startNamed(() => new Promise(() => undefined));
      await webhooks.create({ url: HOOK_URL, createdByUid: '42' });
      const waiting = name();
      await vi.advanceTimersByTimeAsync(ACTOR_NAMES_TIMEOUT_MS - 1);
      const early = await Promise.race([waiting, Promise.resolve('waits')]);
      expect(early).toBe('waits');
      await vi.advanceTimersByTimeAsync(1);
      expect(await waiting).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('come from a function', () => {
    const options = { describeActors: 'Ada' } as unknown as AdminApiOptions;
    expect(() => startAdmin(options)).toThrow(/describeActors must be a function/);
  });
});
