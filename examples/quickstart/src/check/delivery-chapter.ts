import { createHmac } from 'node:crypto';
import type { ChapterParts } from './chapter.ts';
import { eventually, expectEqual } from './expectation.ts';
import { registerWebhook, type WebhookFixture } from './webhook-fixture.ts';

const HOOK = 'delivery';

/** From a dispatch to a callback that the recipient could verify. */
export async function checkDelivery({ step, demo, admin, customer }: ChapterParts): Promise<void> {
  const webhook = await step(
    'A webhook for order.created is registered, the recipient is given its secret',
    async (say) => {
      const registered = await registerWebhook(demo, admin, HOOK, ['order.created']);
      say(`201 id ${registered.id}`);
      return registered;
    },
  );

  const arrival = await step(
    'An order is placed: order.created arrives, signed, and is verified',
    async (say) => {
      const order = await customer.post('/api/orders', { item: 'Lamp <b>&', quantity: 2 });
      say(`order ${order.summary}`);
      expectEqual('status of the order', order.status, 201);
      const delivery = await webhook.newest('success');
      const [arrived] = await webhook.arrivals();
      const body = JSON.parse(arrived?.body ?? 'null');
      say(`recipient: signature ${arrived?.signature}, ${arrived?.body}`);
      say(`API: ${delivery.status}, ${delivery.status_code}, ${delivery.attempts} attempt`);
      expectEqual('signature', arrived?.signature, 'verified');
      expectEqual('type', body.type, 'order.created');
      expectEqual('data', body.data, order.json);
      expectEqual('delivery id', arrived?.headers['x-webhook-id'], delivery.delivery_id);
      expectEqual(
        'delivery',
        [delivery.status, delivery.status_code, delivery.attempts],
        ['success', 200, 1],
      );
      return { headers: arrived?.headers ?? {}, body: arrived?.body ?? '' };
    },
  );

  await step(
    'X-Webhook-Signature is the HMAC of <id>.<timestamp>.<body>, by node:crypto alone',
    async (say) => {
      const { 'x-webhook-id': id, 'x-webhook-timestamp': timestamp } = arrival.headers;
      const hmac = createHmac('sha256', webhook.secret)
        .update(`${id}.${timestamp}.${arrival.body}`)
        .digest('hex');
      say(`${arrival.headers['x-webhook-signature']?.slice(0, 16)}… both times`);
      expectEqual('signature', arrival.headers['x-webhook-signature'], hmac);
      expectEqual('X-Webhook-Event', arrival.headers['x-webhook-event'], 'order.created');
    },
  );

  await step('The recipient refuses what was altered on the way', async (say) => {
    const answer = await postToHook(demo.recipientUrl, arrival.headers, arrival.body.replace('Lamp', 'Safe'));
    say(`recipient ${answer.status}, ${answer.signature}`);
    expectEqual('answer', answer, { status: 401, signature: 'signature_mismatch' });
  });

  await step('A copy of it is recognised by its id, and nothing is done twice', async (say) => {
    const answer = await postToHook(demo.recipientUrl, arrival.headers, arrival.body);
    const copy = (await webhook.arrivals()).at(-1);
    say(`recipient ${answer.status}, ${answer.signature}, repeat: ${copy?.isRepeat}`);
    expectEqual('answer', answer, { status: 200, signature: 'verified' });
    expectEqual('recognised as a repeat', copy?.isRepeat, true);
  });

  await step('A recipient that reads the X-Webhook-* headers verifies as well', async (say) => {
    const other = await registerWebhook(demo, admin, 'x-webhook', ['order.created'], '?scheme=x-webhook');
    await customer.post('/api/orders', { item: 'Desk', quantity: 1 });
    const arrived = await firstArrival(other);
    say(`recipient: signature ${arrived.signature}`);
    expectEqual('signature', arrived.signature, 'verified');
  });
}

async function firstArrival(webhook: WebhookFixture) {
  return eventually('an arrival', async () => (await webhook.arrivals())[0]);
}

async function postToHook(
  recipientUrl: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ readonly status: number; readonly signature: unknown }> {
  const response = await fetch(`${recipientUrl}/hooks/${HOOK}`, { method: 'POST', headers, body });
  const json: unknown = await response.json();
  const signature =
    typeof json === 'object' && json !== null && 'signature' in json ? json.signature : undefined;
  return { status: response.status, signature };
}
