import { type Clock, timestampText } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import { TEST_EVENT } from '../events/catalog.ts';
import type { Webhook } from '../storage/records.ts';
import type { Dispatcher } from './dispatcher.ts';

/** The receipt of an administrator's test. */
export interface TestReceipt {
  readonly deliveryId: string;
  readonly status: 'pending';
}

/** Sends `webhook.test` to one webhook. */
export interface TestDispatch {
  /**
   * Sends exactly one `webhook.test` event to this webhook, whatever its patterns: a real delivery,
   * signed and retried like any other. Its payload is `{message, webhook_id, timestamp}`.
   *
   * @throws WebhookError `webhook_not_found` or `webhook_inactive`
   */
  test(id: number): Promise<TestReceipt>;
}

/** @internal */
export function createTestDispatch(deps: {
  readonly dispatcher: Pick<Dispatcher, 'dispatchTo'>;
  /** Rejects with `webhook_not_found` when there is none. */
  readonly getWebhook: (id: number) => Promise<Webhook>;
  readonly clock: Clock;
}): TestDispatch {
  const { dispatcher, getWebhook, clock } = deps;

  return {
    async test(id) {
      // Looked up first, to tell a removed webhook from an inactive one.
      const { isActive } = await getWebhook(id);
      const deliveryId = isActive
        ? await dispatcher.dispatchTo(id, TEST_EVENT, {
            message: 'This is a test event, sent on request of an administrator.',
            webhook_id: id,
            timestamp: timestampText(clock()),
          })
        : undefined;
      if (deliveryId === undefined) {
        throw new WebhookError('webhook_inactive', 'The webhook is inactive: activate it first');
      }
      return { deliveryId, status: 'pending' };
    },
  };
}
