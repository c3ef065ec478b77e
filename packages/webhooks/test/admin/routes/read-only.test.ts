import { expect, it } from 'vitest';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { engineOn, HOOK_URL, startAdmin } from '../admin-harness.ts';
import { everyRequest } from './every-request.ts';

it('a read-only API reads everything and changes nothing', async () => {
  const webhooks = engineOn(memoryStorage());
  await webhooks.create({ url: HOOK_URL });
  const { deliveryId } = await webhooks.test(1);
  const before = await webhooks.get(1);
  const audited: unknown[] = [];
  const { call } = startAdmin({ webhooks, readOnly: true, onAudit: (event) => void audited.push(event) });
  for (const { method, path, body } of everyRequest(deliveryId)) {
    const answer = await call(method, path, body === undefined ? {} : { body });
    if (method === 'GET') {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect((await call('HEAD', path)).status).toBe(200);
    } else {
      expect(answer).toMatchObject({ status: 403, json: { code: 'read_only' } });
    }
  }
  expect((await call('OPTIONS', '')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect((await call('OPTIONS', '/bulk')).headers.get('allow')).toBe('OPTIONS');
  expect((await startAdmin({ webhooks }).call('GET', '')).headers.get('allow')).toBeNull();
  expect(await webhooks.get(1)).toEqual(before);
  expect((await webhooks.list()).total).toBe(1);
  expect(audited).toEqual([]);
});

it('a read-only API does not read the body of what it refuses', async () => {
  const { call } = startAdmin({ readOnly: true });
  let pulled = false;
  const pull = () => {
    pulled = true;
  };
  const raw = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  expect((await call('POST', '', { raw })).status).toBe(403);
  expect(pulled).toBe(false);
});

it('a read-only API tells strangers nothing of it', async () => {
  const { call } = startAdmin({ readOnly: true });
  expect((await call('POST', '', { actor: null })).status).toBe(401);
  expect((await call('POST', '/nothing')).status).toBe(404);
  const unknown = await call('PATCH', '');
  expect(unknown.status).toBe(405);
  expect(unknown.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
});
