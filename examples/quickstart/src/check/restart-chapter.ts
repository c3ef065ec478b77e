import type { ChapterParts } from './chapter.ts';
import { eventually, expectEqual } from './expectation.ts';
import { registerWebhook, removeCheckWebhooks } from './webhook-fixture.ts';

const HOOK = 'resting';

/** The app is killed while a delivery waits for its next attempt; the next start makes it. */
export async function checkRestart({ step, demo, admin, customer }: ChapterParts): Promise<void> {
  const [webhook, pending] = await step(
    'A recipient answers 503 with Retry-After: the delivery stays pending',
    async (say) => {
      const registered = await registerWebhook(demo, admin, HOOK, ['order.created']);
      await demo.recipient.put(`/answers/${HOOK}`, { status: 503, retry_after_seconds: 3 });
      const order = await customer.post('/api/orders', { item: 'Carpet', quantity: 1 });
      expectEqual('status of the order', order.status, 201);
      const delivery = await eventually('the first attempt', async () => {
        const [newest] = await registered.history();
        return newest?.attempts === 1 && newest.status_code === 503 ? newest : undefined;
      });
      say(
        `${delivery.status} after ${delivery.attempts} attempt, answer ${delivery.status_code}, next at ${delivery.next_attempt_at}`,
      );
      expectEqual('status', delivery.status, 'pending');
      return [registered, delivery] as const;
    },
  );

  await step('The app is killed (SIGKILL) and nothing answers any more', async (say) => {
    await demo.killApp();
    const failure = await admin.get(webhook.path).then(
      ({ summary }) => summary,
      () => 'connection refused',
    );
    const arrivals = await webhook.arrivals();
    say(`${failure}, the recipient has seen ${arrivals.length} attempt`);
    expectEqual('answer', failure, 'connection refused');
    expectEqual('attempts that arrived', arrivals.length, 1);
  });

  await step('The recipient recovers, the app starts again, the delivery arrives', async (say) => {
    await demo.recipient.delete(`/answers/${HOOK}`);
    await demo.startApp();
    const delivery = await webhook.newest('success');
    const [first, second, ...more] = await webhook.arrivals();
    say(
      `${delivery.status} after ${delivery.attempts} attempts; recipient: signature ${second?.signature}, same id and body`,
    );
    expectEqual('delivery', [delivery.delivery_id, delivery.attempts], [pending.delivery_id, 2]);
    expectEqual('signature', second?.signature, 'verified');
    expectEqual('id', second?.headers['x-webhook-id'], first?.headers['x-webhook-id']);
    expectEqual('body', second?.body, first?.body);
    expectEqual('further attempts', more.length, 0);
  });

  await removeCheckWebhooks(admin);
  await step('Asked to end, the app ends in order', async (say) => {
    const exitCode = await demo.stopApp();
    say(`exit code ${exitCode}`);
    expectEqual('exit code', exitCode, 0);
  });
}
