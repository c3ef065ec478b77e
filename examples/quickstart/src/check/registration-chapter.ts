import type { ChapterParts } from './chapter.ts';
import { expectEqual } from './expectation.ts';
import {
  CHECK_DESCRIPTION,
  masked,
  removeCheckWebhooks,
  WEBHOOKS,
  type WebhookJson,
} from './webhook-fixture.ts';

/**
 * The check never connects to these URLs: a registration opens no socket, and its pattern fits no
 * event.
 */
const PRIVATE_URLS = [
  'http://10.0.0.1/',
  'http://192.168.0.1/hooks',
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost:3000/',
  'http://[::1]/',
  // Other spellings of 127.0.0.2, which the exception for 127.0.0.1 must not cover.
  'http://127.0.0.2/',
  'http://0x7f000002/',
];

/** The URLs that may be registered, and the fields that are shown of a registration. */
export async function checkRegistration({ step, demo, admin }: ChapterParts): Promise<void> {
  const input = {
    url: `${demo.recipientUrl}/hooks/registration`,
    description: CHECK_DESCRIPTION,
    events: ['invoice.*'],
  };

  await removeCheckWebhooks(admin);
  const created = await step('A webhook is registered, its secret shown', async (say) => {
    const answer = await admin.post<WebhookJson>(WEBHOOKS, input);
    const { id, events, is_active: isActive, secret = '' } = answer.json;
    say(`${answer.summary} id ${id}, events ${events}, active ${isActive}, secret ${masked(secret)}`);
    expectEqual('status', answer.status, 201);
    expectEqual('form of the secret', /^whsec_[A-Za-z0-9+/]{32}$/.test(secret), true);
    return { id, secret };
  });

  await step('The secret is never shown again', async (say) => {
    const path = `${WEBHOOKS}/${created.id}`;
    const detail = await admin.get(path);
    const list = await admin.get(WEBHOOKS);
    const updated = await admin.put(path, { description: `${CHECK_DESCRIPTION}, renamed` });
    const texts = [detail, list, updated].map(({ json }) => JSON.stringify(json));
    say(`detail ${detail.summary}, list ${list.summary}, update ${updated.summary}: no secret in them`);
    expectEqual('statuses', [detail.status, list.status, updated.status], [200, 200, 200]);
    expectEqual('secrets found', texts.filter((text) => /"secret"|whsec_/.test(text)).length, 0);
  });

  await step('Private URLs are refused', async (say) => {
    for (const url of PRIVATE_URLS) {
      const answer = await admin.post(WEBHOOKS, { url, events: ['never.dispatched'] });
      say(`${url} ${answer.summary}`);
      expectEqual(url, answer.summary, '422 url_not_public');
    }
    const change = await admin.put(`${WEBHOOKS}/${created.id}`, { url: PRIVATE_URLS[0] });
    say(`as an update ${change.summary}`);
    expectEqual('update', change.summary, '422 url_not_public');
  });

  await step('A client cannot bring its own secret', async (say) => {
    const answer = await admin.post(WEBHOOKS, { ...input, secret: created.secret });
    say(answer.summary);
    expectEqual('answer', answer.summary, '422 validation_failed');
  });

  await step('A malformed pattern is refused', async (say) => {
    const answer = await admin.post(WEBHOOKS, { ...input, events: ['order*'] });
    say(`"order*" ${answer.summary}`);
    expectEqual('answer', answer.summary, '422 validation_failed');
  });

  await step('The discovery endpoint names built-in events and those of the application', async (say) => {
    const { json, summary } = await admin.get<{ events: { name: string; label: string }[] }>(
      `${WEBHOOKS}/events`,
    );
    const names = json.events.map(({ name }) => name);
    const own = json.events.filter(({ name }) => name.startsWith('order.'));
    say(
      `${summary}, ${names.length} events, among them ${own.map(({ name, label }) => `${name} "${label}"`).join(', ')}`,
    );
    const wanted = ['user.registered', 'webhook.test', 'order.created', 'order.cancelled'];
    expectEqual(
      'events missing',
      wanted.filter((name) => !names.includes(name)),
      [],
    );
  });
}
