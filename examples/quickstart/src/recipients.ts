import { isWebhookError, type VerifiedEvent, verify } from '@acme/webhooks/signing';
import express, { type Express } from 'express';
import { RECIPIENTS } from './demo/recipient-client.ts';
import { serve } from './demo/serve.ts';

/** What a recipient knows, does and counts. */
interface Recipient {
  /** From when its webhook was created. A real recipient has it in its configuration. */
  secret: string;
  /** Down, it answers 503. */
  isDown: boolean;
  /** Deliveries that it has accepted, each once. */
  arrived: number;
  /** Orders that it has seen in two deliveries. */
  twice: number;
  /** Deliveries that came again, and were recognised by their id. */
  repeated: number;
  /** The ids of the latest orders, the newest last. */
  orders: readonly number[];
}

const MAX_REMEMBERED = 10_000;
const MAX_LATEST = 10;

/** Three applications of other people, in one process: what your customers write. */
const app = express().disable('x-powered-by');
const recipients = RECIPIENTS.map((name) => [name, addRecipient(app, name)] as const);
app.get('/', (_request, response) => {
  const states = recipients.map(([name, { secret, ...state }]) => [name, state]);
  response.json(Object.fromEntries(states));
});
await serve(app, 'RECIPIENT_PORT', async () => {});

function addRecipient(app: Express, name: string): Recipient {
  const recipient: Recipient = { secret: '', isDown: false, arrived: 0, twice: 0, repeated: 0, orders: [] };
  const seen = { deliveries: new Set<string>(), orders: new Set<number>() };

  // The signature covers the bytes as they were sent: read them raw, before any JSON parser.
  app.post(`/${name}`, express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
    if (recipient.isDown) return void response.status(503).json({ error: `${name} is down` });
    try {
      const event = await verify({
        secret: recipient.secret,
        headers: request.headers,
        body: Buffer.isBuffer(request.body) ? request.body : '',
      });
      // It may come twice: our answer was lost, or the worker died before it was recorded. Record
      // the id in the same transaction as the work that it causes.
      if (seen.deliveries.has(event.id)) recipient.repeated += 1;
      else work(event);
      response.status(204).end();
    } catch (error) {
      if (!isWebhookError(error)) throw error; // 500: the sender tries again
      response.status(401).json({ error: error.code });
    }
  });

  function work({ id, type, data }: VerifiedEvent): void {
    for (const set of Object.values(seen)) if (set.size >= MAX_REMEMBERED) set.clear();
    seen.deliveries.add(id);
    recipient.arrived += 1;
    if (type !== 'order.created') return; // a test from the panel
    const order = Number(data.id);
    if (seen.orders.has(order)) recipient.twice += 1;
    seen.orders.add(order);
    recipient.orders = [...recipient.orders, order].slice(-MAX_LATEST);
  }

  // For the demo: it gives the recipient its secret, and takes it down.
  app.patch(`/${name}`, express.json(), (request, response) => {
    const { secret = recipient.secret, isDown = recipient.isDown } = request.body;
    Object.assign(recipient, { secret: String(secret), isDown: isDown === true });
    response.status(204).end();
  });
  return recipient;
}
