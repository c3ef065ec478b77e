/**
 * Makes an engine inside a traced request, which delivers to a recipient on this machine, and
 * fetches from the same recipient. Prints the header names of both, and the engine's `traceparent`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createWebhooks, memoryStorage } from '@acme/webhooks';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const INCOMING = {
  traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
  tracestate: 'vendor=state',
  'sentry-trace': `${TRACE_ID}-00f067aa0ba902b7-1`,
  baggage: `user.email=person%40example.com,sentry-trace_id=${TRACE_ID},sentry-sampled=true`,
  'x-datadog-trace-id': '1234',
  'x-datadog-parent-id': '5678',
  'x-datadog-sampling-priority': '2',
};

async function listen(listener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

const seen = {};
const recipient = await listen((request, response) => {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  seen[request.method] = { names, traceparent: request.headers.traceparent };
  request.resume().on('end', () => response.writeHead(204).end());
});

async function deliver(options) {
  const delivered = Promise.withResolvers?.() ?? deferred();
  const webhooks = createWebhooks({
    storage: memoryStorage(),
    egress: { allowedAddresses: ['127.0.0.1'] },
    onAttempt: delivered.resolve,
    ...options,
  });
  await webhooks.create({ url: recipient.url });
  await webhooks.start();
  await webhooks.dispatch('user.created', { id: 1 });
  await delivered.promise;
  await webhooks.close();
  return seen.POST;
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const application = await listen(async (_, response) => {
  await fetch(recipient.url);
  const plain = await deliver({});
  const passed = await deliver({ traceparent: () => INCOMING.traceparent });
  response.end(JSON.stringify({ fetched: seen.GET.names, plain: plain.names, passed }));
});

const answer = await fetch(application.url, { headers: INCOMING });
process.stdout.write(`${await answer.text()}\n`, () => process.exit());
