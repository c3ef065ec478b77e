import type { ChapterParts } from './chapter.ts';
import { credentialsOf } from './demo-under-check.ts';
import { eventually, expectEqual } from './expectation.ts';
import type { HttpClient } from './http-client.ts';
import type { ArrivalJson, WebhookJson } from './webhook-fixture.ts';

const OWN_WEBHOOKS = '/api/webhooks';

/** What customers see and get of webhooks: their own, and nothing of others. */
export async function checkCustomers({ step, demo, admin, customer }: ChapterParts): Promise<void> {
  const neighbour = demo.newClient();
  await neighbour.post('/api/auth/login', credentialsOf('neighbour'));

  async function register(client: HttpClient, hook: string): Promise<number> {
    const url = `${demo.recipientUrl}/hooks/${hook}`;
    const { status, json } = await client.post<WebhookJson>(OWN_WEBHOOKS, { url, name: hook });
    expectEqual('status', status, 201);
    await demo.recipient.post(`/secrets/${hook}`, { secret: json.secret });
    return json.id;
  }

  const [own, foreign] = await step('Two customers register webhooks of their own', async (say) => {
    const ids = [await register(customer, 'of-customer'), await register(neighbour, 'of-neighbour')] as const;
    say(`ids ${ids.join(', ')}`);
    return ids;
  });

  await step('Each sees its own webhook alone, the administrator both', async (say) => {
    const idsFor = async (client: HttpClient, path: string) =>
      (await client.get<{ webhooks: WebhookJson[] }>(path)).json.webhooks.map(({ id }) => id);
    const seen = [await idsFor(customer, OWN_WEBHOOKS), await idsFor(neighbour, OWN_WEBHOOKS)];
    const all = await idsFor(admin, '/api/admin/webhooks?limit=100');
    say(JSON.stringify(seen));
    expectEqual('webhooks', seen, [[own], [foreign]]);
    expectEqual(
      'both',
      [own, foreign].every((id) => all.includes(id)),
      true,
    );
  });

  await step('Another customer’s webhook is one that does not exist', async (say) => {
    const answers = [
      await customer.get(`${OWN_WEBHOOKS}/${foreign}`),
      await customer.delete(`${OWN_WEBHOOKS}/${foreign}`),
      await customer.post(`${OWN_WEBHOOKS}/${foreign}/test`),
    ].map(({ summary }) => summary);
    say(answers.join(', '));
    expectEqual('answers', new Set(answers), new Set(['404 webhook_not_found']));
  });

  await step('An order of one customer reaches that customer alone', async (say) => {
    await customer.post('/api/orders', { item: 'Clock', quantity: 1 });
    await neighbour.post('/api/orders', { item: 'Vase', quantity: 1 });
    const arrivals = await eventually('two requests', async () => {
      const { json } = await demo.recipient.get<{ received: ArrivalJson[] }>('/received.json');
      const ofBoth = json.received.filter(({ hook }) => hook.startsWith('of-'));
      return ofBoth.length >= 2 ? ofBoth : undefined;
    });
    const items = arrivals.map(({ hook, body }) => `${hook} ${JSON.parse(body).data.item}`).sort();
    say(items.join('; '));
    expectEqual('what arrived', items, ['of-customer Clock', 'of-neighbour Vase']);
  });

  await step('Customers remove their webhooks', async () => {
    expectEqual('status', (await customer.delete(`${OWN_WEBHOOKS}/${own}`)).status, 204);
    expectEqual('status', (await neighbour.delete(`${OWN_WEBHOOKS}/${foreign}`)).status, 204);
  });
}
