import type { ShopWebhooks } from '../shop/webhooks.ts';
import { RECIPIENTS, type RecipientClient } from './recipient-client.ts';

/** The webhook of a recipient. */
export interface Subscription {
  readonly name: string;
  readonly webhookId: number;
  /** Deliveries that had ended before this start: the recipient counts from zero. */
  readonly endedBefore: number;
}

/** Sees that each recipient has a webhook at its address, and knows the secret. */
export function subscribeRecipients(
  webhooks: ShopWebhooks,
  recipients: RecipientClient,
): Promise<readonly Subscription[]> {
  return Promise.all(
    RECIPIENTS.map(async (name) => {
      const url = recipients.urlOf(name);
      const { webhooks: found } = await webhooks.list({ search: name, sort: 'id', order: 'asc' });
      const known = found.find((webhook) => webhook.name === name);
      if (known === undefined) {
        const { id, secret } = await webhooks.create({ url, name, events: ['order.created'] });
        await recipients.change(name, { secret });
        return { name, webhookId: id, endedBefore: 0 };
      }
      // The database is of an earlier start, and the port may be another one this time.
      if (known.url !== url) await webhooks.update(known.id, { url });
      await recipients.change(name, { secret: (await webhooks.rotateSecret(known.id)).secret });
      const { success, failed } = (await webhooks.get(known.id)).stats;
      return { name, webhookId: known.id, endedBefore: success + failed };
    }),
  );
}
