import { describe, expect, it } from 'vitest';
import { verify } from '../../src/signing/index.ts';
import { useEngineHarness } from './engine-harness.ts';
import type { ReceivedCallback } from './recipient.ts';
import { STORAGES } from './storages.ts';

const DAY_MS = 86_400_000;

describe.each(STORAGES)('rotation of a secret on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  async function started() {
    // The verifier compares with the time of the machine.
    const time = { now: Date.now() };
    const target = await harness.recipient();
    const { webhooks } = harness.engine({ clock: () => time.now });
    await webhooks.start();
    const created = await webhooks.create({ url: target.url });
    const send = async (): Promise<ReceivedCallback> => {
      await webhooks.dispatch('user.created', { n: 1 });
      await webhooks.drain();
      const callback = target.received.at(-1);
      if (callback === undefined) throw new Error('nothing was received');
      return callback;
    };
    return { webhooks, created, send, time };
  }

  it('signs with both secrets for 24 hours: recipients may hold either', async () => {
    const { webhooks, created, send, time } = await started();
    const rotated = await webhooks.rotateSecret(created.id);
    const { stats, health, disablesAt, concurrency, busyUntil, ...webhook } = await webhooks.get(created.id);
    expect(rotated).toEqual({
      ...webhook,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      previousSecretExpiresAt: new Date(time.now + DAY_MS).toISOString(),
    });
    expect(rotated.secret).not.toBe(created.secret);

    const { headers, body } = await send();
    expect(headers['x-webhook-signature-previous']).toMatch(/^[0-9a-f]{64}$/);
    for (const secret of [rotated.secret, created.secret]) {
      expect(await verify({ secret, headers, body, scheme: 'standard' })).toMatchObject({ data: { n: 1 } });
    }
    // The plain header is the new secret's; the one beside it is what a recipient with the old one
    // compares.
    expect(await verify({ secret: rotated.secret, headers, body, scheme: 'x-webhook' })).toMatchObject({
      data: { n: 1 },
    });
    const previous = { ...headers, 'x-webhook-signature': headers['x-webhook-signature-previous'] };
    expect(
      await verify({ secret: created.secret, headers: previous, body, scheme: 'x-webhook' }),
    ).toMatchObject({ data: { n: 1 } });
  });

  it('signs with the new secret alone once 24 hours have passed', async () => {
    const { webhooks, created, send, time } = await started();
    time.now -= DAY_MS;
    const { secret } = await webhooks.rotateSecret(created.id);
    time.now += DAY_MS - 1;
    expect((await send()).headers['x-webhook-signature-previous']).toBeDefined();
    time.now += 1;
    const { headers, body } = await send();
    expect(headers['x-webhook-signature-previous']).toBeUndefined();
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(1);
    await verify({ secret, headers, body });
    await expect(verify({ secret: created.secret, headers, body })).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
  });

  it('forgets the older secret when it is rotated again meanwhile', async () => {
    const { webhooks, created, send } = await started();
    const second = await webhooks.rotateSecret(created.id);
    const third = await webhooks.rotateSecret(created.id);
    const { headers, body } = await send();
    for (const { secret } of [second, third]) await verify({ secret, headers, body });
    await expect(verify({ secret: created.secret, headers, body })).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
  });

  it('names the previous signature of a request after that secret has ended, and of no other', async () => {
    const { webhooks, created, send } = await started();
    const omitted = async () => {
      const [last] = (await webhooks.deliveries(created.id)).deliveries;
      return (await webhooks.delivery(created.id, last?.deliveryId ?? '')).request?.omittedHeaders;
    };
    await webhooks.rotateSecret(created.id);
    await send();
    await webhooks.endPreviousSecret(created.id);
    expect(await omitted()).toContain('X-Webhook-Signature-Previous');
    await send();
    await webhooks.rotateSecret(created.id);
    expect(await omitted()).not.toContain('X-Webhook-Signature-Previous');
  });

  it('shows no secret anywhere else, and rotates none of a webhook that is gone', async () => {
    const { webhooks, created } = await started();
    const { secret } = await webhooks.rotateSecret(created.id);
    const shown = JSON.stringify([await webhooks.get(created.id), await webhooks.list()]);
    expect(shown).not.toContain(secret.slice(6));
    expect(shown).not.toContain(created.secret.slice(6));
    await expect(webhooks.rotateSecret(created.id + 1)).rejects.toMatchObject({ code: 'webhook_not_found' });
  });
});
