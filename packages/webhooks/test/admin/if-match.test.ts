import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { type Call, HOOK_URL, startAdmin } from './admin-harness.ts';

const OLD = '"2026-01-01T00:00:00.000Z"';

async function startWithWebhook() {
  const admin = startAdmin();
  const created = await admin.call('POST', '', { body: { url: HOOK_URL } });
  return { ...admin, etag: created.headers.get('etag') ?? '' };
}

const edit = (call: Call, ifMatch: string, description = 'x') =>
  call('PUT', '/1', { body: { description }, headers: { 'if-match': ifMatch } });

describe('the ETag of a webhook', () => {
  it('is its updated_at, strong, in every answer that shows one webhook', async () => {
    const { call, etag } = await startWithWebhook();
    const tags = [etag];
    for (const [method, path, options] of [
      ['GET', '/1', {}],
      ['PUT', '/1', { body: { description: 'x' } }],
      ['POST', '/1/rotate-secret', {}],
      ['PUT', '/1', { body: {} }],
      ['HEAD', '/1', {}],
    ] as const) {
      const { headers, json, status } = await call(method, path, options);
      expect(status).toBe(200);
      if (method !== 'HEAD') expect(headers.get('etag')).toBe(`"${json.updated_at}"`);
      tags.push(headers.get('etag') ?? '');
    }
    const [created, read, updated, rotated, unchanged, head] = tags;
    expect([read, unchanged, head]).toEqual([created, rotated, rotated]);
    expect(new Set([created, updated, rotated]).size).toBe(3);
    for (const path of ['', '/events', '/1/deliveries', '/1/activity']) {
      expect((await call('GET', path)).headers.get('etag')).toBeNull();
    }
    const deleted = await call('DELETE', '/1');
    expect([deleted.status, deleted.headers.get('etag')]).toEqual([204, null]);
  });
});

describe('If-Match', () => {
  inOneTest([
    ['PUT', '/1', { description: 'mine' }],
    ['DELETE', '/1', undefined],
    ['POST', '/1/rotate-secret', undefined],
    ['GET', '/1', undefined],
  ])('of a state that is over refuses %s %s with 412 and changes nothing', async (method, path, body) => {
    const { call, etag } = await startWithWebhook();
    await edit(call, etag, 'theirs');
    const before = await call('GET', '/1');
    const options = { headers: { 'if-match': etag }, ...(body && { body }) };

    const answer = await call(method, path, options);

    expect(answer).toMatchObject({ status: 412, json: { code: 'precondition_failed', status: 412 } });
    const after = await call('GET', '/1');
    expect(after.text).toBe(before.text);
    const current = { ...options, headers: { 'if-match': after.headers.get('etag') ?? '' } };
    expect((await call(method, path, current)).status).toBeLessThan(300);
  });

  inOneTest([
    ['the current state', (etag: string) => etag],
    ['the current state among others', (etag: string) => `${OLD} ,\t${etag},"x"`],
    ['the current state among empty members', (etag: string) => `,, ${etag} ,`],
    ['any state', () => '*'],
    ['any state, in white space', () => ' * '],
  ])('that names %s lets a change pass', async (_, ifMatch) => {
    const { call, etag } = await startWithWebhook();
    expect((await edit(call, ifMatch(etag))).status).toBe(200);
  });

  inOneTest([
    ['another state', () => OLD],
    ['no state', () => ''],
    ['empty members alone', () => ' , '],
    ['the current state as weak', (etag: string) => `W/${etag}`],
    ['a weak one among others', (etag: string) => `${OLD}, W/${etag}`],
    ['the current state and more', (etag: string) => etag.replace(/"$/, ' "').replace(' ', '0')],
    ['a star as a state', () => '"*"'],
    ['the empty state', () => '""'],
    ['bytes beyond ASCII', () => '"é"'],
    ['a comma within a state', (etag: string) => `"x,${etag.slice(1)}`],
  ])('that names %s is 412', async (_, ifMatch) => {
    const { call, etag } = await startWithWebhook();
    const answer = await edit(call, ifMatch(etag));
    expect(answer).toMatchObject({ status: 412, json: { code: 'precondition_failed' } });
    expect((await call('GET', '/1')).headers.get('etag')).toBe(etag);
  });

  inOneTest([
    ['a state without quotation marks', (etag: string) => etag.slice(1, -1)],
    ['an open quotation mark', (etag: string) => etag.slice(0, -1)],
    ['a star among states', (etag: string) => `${etag}, *`],
    ['two stars', () => '*, *'],
    ['states without a comma', (etag: string) => `${etag} ${etag}`],
    ['a lower-case weakness', (etag: string) => `w/${etag}`],
    ['a space within a state', () => '"a b"'],
    ['too many states', () => Array.from({ length: 500 }, () => OLD).join()],
    ['what takes long to read', () => `${' ,\t'.repeat(600)};`],
  ])('that holds %s is 400 and changes nothing', async (_, ifMatch) => {
    const { call, etag } = await startWithWebhook();
    const answer = await edit(call, ifMatch(etag));
    expect(answer).toMatchObject({ status: 400, json: { code: 'malformed_if_match' } });
    expect((await call('GET', '/1')).headers.get('etag')).toBe(etag);
  });

  it('is looked at after everything else that would refuse the request (RFC 9110 section 13.2.1)', async () => {
    const { call } = await startWithWebhook();
    const headers = { 'if-match': OLD };
    const codes: [number, object][] = [
      [404, await call('PUT', '/2', { headers, body: {} })],
      [404, await call('PUT', '/2', { headers: { 'if-match': '*' }, body: {} })],
      [404, await call('DELETE', '/2', { headers })],
      [422, await call('PUT', '/1', { headers, body: { url: 7 } })],
      [401, await call('PUT', '/1', { headers, body: {}, actor: null })],
      [
        400,
        await call('PUT', '/1', { raw: '{', headers: { ...headers, 'content-type': 'application/json' } }),
      ],
    ];
    for (const [status, answer] of codes) expect(answer).toMatchObject({ status });
  });
});
