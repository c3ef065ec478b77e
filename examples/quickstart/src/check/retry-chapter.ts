import type { ChapterParts } from './chapter.ts';
import { expectEqual } from './expectation.ts';
import { type DeliveryPageJson, registerWebhook } from './webhook-fixture.ts';

/** Recipients that fail, for a while or for good. */
export async function checkRetries({ step, demo, admin, customer }: ChapterParts): Promise<void> {
  const [flaky, broken] = await step(
    'A flaky and a broken recipient subscribe, and an order is placed',
    async (say) => {
      const registered = [
        await registerWebhook(demo, admin, 'flaky', ['order.created']),
        await registerWebhook(demo, admin, 'broken', ['order.created']),
      ] as const;
      const order = await customer.post('/api/orders', { item: 'Shelf', quantity: 1 });
      say(`order ${order.summary}`);
      expectEqual('status of the order', order.status, 201);
      return registered;
    },
  );

  await step('The flaky one fails twice and then gets it', async (say) => {
    const delivery = await flaky.newest('success');
    const answers = delivery.attempt_log?.map((attempt) => attempt.status_code);
    const arrivals = await flaky.arrivals();
    const ids = new Set(arrivals.map(({ headers }) => headers['x-webhook-id']));
    const numbers = arrivals.map(({ headers }) => headers['x-webhook-attempt']);
    say(`${delivery.status} after ${delivery.attempts} attempts, answers ${answers}`);
    say(`the recipient saw attempts ${numbers} of ${ids.size} id`);
    expectEqual('answers', answers, [500, 500, 200]);
    expectEqual('attempts', delivery.attempts, 3);
    expectEqual('attempts that arrived', [numbers, ids.size], [['1', '2', '3'], 1]);
  });

  await step('The broken one is given up after 4 attempts', async (say) => {
    const delivery = await broken.newest('failed');
    const answers = delivery.attempt_log?.map((attempt) => attempt.status_code);
    const arrivals = await broken.arrivals();
    say(
      `${delivery.status} after ${delivery.attempts} attempts, answers ${answers}, next attempt ${delivery.next_attempt_at}`,
    );
    expectEqual('answers', answers, [500, 500, 500, 500]);
    expectEqual('attempts', [delivery.attempts, arrivals.length], [4, 4]);
    expectEqual('next attempt', delivery.next_attempt_at, null);
  });

  await step('Counts and history say the same', async (say) => {
    const counts = await broken.counts();
    const failed = await admin.get<DeliveryPageJson>(`${broken.path}/deliveries?status=failed`);
    const succeeded = await admin.get<DeliveryPageJson>(`${broken.path}/deliveries?status=success`);
    say(
      `counts ${JSON.stringify(counts)}; history: ${failed.json.deliveries.length} failed, ${succeeded.json.deliveries.length} success`,
    );
    expectEqual('counts', counts, { total: 1, success: 0, failed: 1, pending: 0 });
    expectEqual('failed', failed.json.deliveries.length, 1);
    expectEqual('success', succeeded.json.deliveries.length, 0);
  });
}
