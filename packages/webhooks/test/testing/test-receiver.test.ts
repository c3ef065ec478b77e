import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createTestClock, createTestReceiver, type TestReceiver } from '../../src/testing/index.ts';
import { createWebhooks } from '../../src/webhooks.ts';

describe('the test receiver', () => {
  let receiver: TestReceiver;
  beforeEach(async () => {
    receiver = await createTestReceiver();
  });
  afterEach(() => receiver.close());

  const post = (path = '/hook', init: RequestInit = {}) =>
    fetch(new URL(path, receiver.url), { method: 'POST', body: '{}', ...init });
  const statuses = async (count: number, path?: string) => {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) found.push((await post(path)).status);
    return found;
  };

  it('answers 204 until it is told otherwise, and keeps what came in', async () => {
    expect((await post('/a?b=c', { body: 'no event', headers: { 'x-own': 'yes' } })).status).toBe(204);
    expect(receiver.requests).toMatchObject([
      { method: 'POST', path: '/a?b=c', event: '', data: undefined, deliveryId: '', attempt: 0 },
    ]);
    expect(receiver.requests[0]?.headers['x-own']).toBe('yes');
    expect(receiver.requests[0]?.body.toString()).toBe('no event');
  });

  it('uses up the answers for so many requests in order, then the one that holds', async () => {
    receiver.respond(500);
    receiver.respond(503).times(2);
    receiver.respond(404).times(1);
    expect(await statuses(5)).toEqual([503, 503, 404, 500, 500]);
    receiver.respond(200);
    expect(await statuses(2)).toEqual([200, 200]);
    receiver.reset();
    expect(await statuses(1)).toEqual([204]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('answers each path by its own rules', async () => {
    receiver.respond(410, { path: '/gone' });
    receiver.respond(500, { path: '/hook' }).times(1);
    expect(await statuses(2, '/gone')).toEqual([410, 410]);
    expect(await statuses(2, '/hook')).toEqual([500, 204]);
    expect(await statuses(1, '/other')).toEqual([204]);
  });

  it('answers with headers and a body, after a delay', async () => {
    receiver.respond({ status: 429, headers: { 'retry-after': '7' }, body: 'slow down', delayMs: 20 });
    const response = await post();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await response.text()).toBe('slow down');
  });

  it('drips an answer that never ends', async () => {
    receiver.respond({ status: 200, body: 'ab', dripMs: 1 });
    const reader = (await post()).body?.getReader();
    let text = '';
    while (text.length < 5) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text).toMatch(/^ababa/);
    await reader?.cancel();
  });

  it('closes the connection without an answer', async () => {
    receiver.respond('reset').times(1);
    await expect(post()).rejects.toThrow('fetch failed');
    expect(receiver.requests).toHaveLength(1);
  });

  it('hangs, and its close ends what it has not answered', async () => {
    receiver.respond('hang').times(1);
    receiver.respond({ delayMs: 3_600_000 });
    const answers = Promise.allSettled([post(), post()]);
    await receiver.received(2);
    await Promise.all([receiver.close(), receiver.close()]);
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('waits until so many requests have come, and says how many when they do not', async () => {
    const received = receiver.received(2);
    await Promise.all([post(), post()]);
    expect(await received).toHaveLength(2);
    await expect(receiver.received(3, { timeoutMs: 1 })).rejects.toThrow('2 requests came in 1 ms, not 3');
  });

  it('drops the oldest beyond its bound, and counts them', async () => {
    for (let n = 0; n < 10_100; n += 100) {
      const numbers = Array.from({ length: 100 }, (_, i) => String(n + i));
      await Promise.all(numbers.map((body) => fetch(receiver.url, { method: 'POST', body })));
    }
    expect(receiver.requests).toHaveLength(10_000);
    expect(receiver.dropped).toBe(100);
    expect(receiver.requests.filter(({ body }) => Number(body) < 100)).toEqual([]);
  });

  it.each([[99], [600], ['hung' as 'hang'], [{ delayMs: -1 }], [{ dripMs: Number.NaN }]])(
    'refuses the answer %j',
    (answer) => {
      expect(() => receiver.respond(answer)).toThrow(TypeError);
      expect(() => receiver.respond(200).times(0)).toThrow(TypeError);
    },
  );

  it('tells those who wait for requests that it is closed, instead of letting them wait', async () => {
    await post();
    const waiting = expect(receiver.received(2, { timeoutMs: 3_600_000 })).rejects.toThrow(
      '1 requests came in before the receiver was closed, not 2',
    );
    await receiver.close();
    await waiting;
    await expect(receiver.received(2)).rejects.toThrow('before the receiver was closed, not 2');
    expect(await receiver.received(1)).toHaveLength(1);
  });

  it('shows, with a clock of the test, every attempt of a delivery and its event', async () => {
    const clock = createTestClock();
    const webhooks = createWebhooks({
      storage: memoryStorage(),
      clock,
      egress: { allowedAddresses: ['127.0.0.1/32'] },
    });
    await webhooks.start();
    const { secret } = await webhooks.create({ url: receiver.url });
    receiver.respond(503).times(2);
    await webhooks.dispatch('user.created', { id: 42 });
    for (const minutes of [0, 1, 10, 100]) {
      clock.advance(minutes * 60_000);
      await webhooks.drain();
    }
    expect(receiver.requests.map(({ attempt, event }) => [attempt, event])).toEqual([
      [1, 'user.created'],
      [2, 'user.created'],
      [3, 'user.created'],
    ]);
    const [, , last] = receiver.requests;
    // Attempt 3 was sent 11 minutes in; since then the clock has moved on.
    const verified = await last?.verify(secret, { now: clock, toleranceSeconds: 7_200 });
    expect(verified).toMatchObject({ id: last?.deliveryId, type: 'user.created', data: { id: 42 } });
    await expect(last?.verify(secret, { now: clock })).rejects.toMatchObject({ code: 'signature_stale' });
    await webhooks.close();
  });
});

describe('the test clock', () => {
  it('stands still until it is advanced, and never goes back', () => {
    const clock = createTestClock('2026-11-20T04:10:00.123Z');
    expect(clock()).toBe(Date.parse('2026-11-20T04:10:00.123Z'));
    clock.advance(1_000);
    expect(clock()).toBe(Date.parse('2026-11-20T04:10:01.123Z'));
    expect(() => clock.advance(-1)).toThrow(TypeError);
    expect(() => clock.advance(Number.NaN)).toThrow(TypeError);
    expect(() => createTestClock('yesterday')).toThrow(TypeError);
  });
});
