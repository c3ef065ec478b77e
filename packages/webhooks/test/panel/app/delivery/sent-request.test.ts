import { execFile } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import type { Delivery } from '../../../../src/panel/app/api/records.ts';
import { curlCommand, sentBody } from '../../../../src/panel/app/delivery/sent-request.ts';

const run = promisify(execFile);

const HEADERS = {
  'Content-Type': 'application/json',
  'X-Webhook-ID': '0a'.repeat(16),
  'X-Webhook-Event': 'user.created',
};

function delivery(payload: Delivery['payload']): Delivery {
  return {
    id: 1,
    webhook_id: 1,
    delivery_id: '0a'.repeat(16),
    event: 'user.created',
    is_test: false,
    status: 'success',
    status_code: 200,
    response_body: '',
    error: '',
    attempts: 1,
    deferrals: 0,
    created_at: '2026-11-20T04:10:00.123Z',
    completed_at: '2026-11-20T04:10:00.200Z',
    next_attempt_at: null,
    payload,
    request: { attempt: 1, headers: HEADERS, omitted_headers: ['X-Webhook-Signature'] },
    attempt_log: [],
  };
}

/** Pastes a command into bash, and returns the request that arrives. */
async function received(command: (url: string) => string) {
  const requests: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const { url, headers } = request;
    requests.push({ url, headers, body: Buffer.concat(chunks).toString() });
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const { stdout } = await run('bash', ['-c', command(`http://127.0.0.1:${port}`)]);
  expect(requests).toHaveLength(1);
  return { stdout, ...requests[0] };
}

it.each([
  ['quotes', `it's "quoted" \`id\` \\ '\\'' end`],
  ['line breaks', 'one\ntwo\r\n\tthree'],
  ['substitutions', '$(touch /tmp/never) $HOME `id` !! !$ ~ * ?'],
  ['text beyond ASCII', 'é 日本 😀 \u2028'],
  ['what curl would read as a file or a glob', '@/etc/hostname {a,b}[1-9] %20 -H "x: y"'],
])('a copied command sends a payload with %s as it was sent', async (_what, text) => {
  const sent = delivery({ [text]: [text] });
  const request = sent.request ?? expect.fail();
  const path = "/in?a=[1-2]&b={x,y}&c='$(id)'";
  const arrived = await received((url) => curlCommand(url + path, sent, request));
  expect(arrived).toMatchObject({ stdout: '', body: sentBody(sent), url: path });
  expect(arrived.headers).toMatchObject({
    'content-type': 'application/json',
    'x-webhook-id': '0a'.repeat(16),
    'x-webhook-event': 'user.created',
    'x-webhook-signature': 'SIGNATURE',
  });
});
