import { type Clock, timestampText } from '../clock.ts';
import { type FieldError, WebhookError } from '../errors.ts';
import {
  type EventCatalog,
  exampleOf,
  isForTenants,
  type KnownEvent,
  payloadSchemaOf,
  TEST_EVENT,
} from '../events/catalog.ts';
import type { Webhook } from '../storage/webhook-record.ts';
import type { Dispatcher } from './dispatcher.ts';
import { checkedPayloadText, payloadText } from './payload.ts';

/** The event of an administrator's test. */
export interface TestInput {
  /** The name of a known event. Default: `webhook.test`. */
  readonly event?: string | undefined;
  /**
   * Checked against the event's schema, as by `dispatch`. Default: the example in the catalog; for
   * `webhook.test`, `{message, webhook_id, timestamp}`.
   */
  readonly payload?: object | undefined;
}

/** The receipt of an administrator's test. */
export type TestReceipt = {
  readonly deliveryId: string;
  readonly status: 'pending';
};

/** Sends a test to one webhook. */
export interface TestDispatch {
  /**
   * Sends exactly one event to this webhook, whatever its patterns: a real delivery, signed and
   * retried like any other, and marked as a test by its id and by `X-Webhook-Test: 1`. Its failure
   * neither deactivates the webhook nor is recovered.
   *
   * @throws WebhookError `webhook_not_found`, `webhook_inactive`, `validation_failed` (an event
   *   that no catalog knows, or no payload if there is no example), `invalid_payload`,
   *   `payload_too_large`, `schema_failed`, `storage_unavailable`, `overloaded` or `closed`
   */
  test(id: number, input?: TestInput): Promise<TestReceipt>;
}

/** @internal */
export function createTestDispatch(deps: {
  readonly dispatcher: Pick<Dispatcher, 'dispatchTest'>;
  /** Rejects with `webhook_not_found` when there is none. */
  readonly getWebhook: (id: number) => Promise<Webhook>;
  readonly knownEvents: readonly KnownEvent[];
  readonly events?: EventCatalog | undefined;
  readonly clock: Clock;
}): TestDispatch {
  const { dispatcher, getWebhook, events = {}, clock } = deps;
  const names = new Set(deps.knownEvents.map(({ name }) => name));

  function plainPayload(id: number): object {
    return {
      message: 'This is a test event, sent on request.',
      webhook_id: id,
      timestamp: timestampText(clock()),
    };
  }

  /** The name and the payload's JSON text, taken at the call. */
  function chosen(id: number, input: TestInput) {
    const given: { readonly event?: unknown; readonly payload?: unknown } = { ...input };
    const { event = TEST_EVENT, ...others } = given;
    const [unknown] = Object.keys(others).filter((field) => field !== 'payload');
    if (unknown !== undefined) {
      throw refused({ field: unknown, code: 'unknown_field', message: 'is not a field of this input' });
    }
    if (typeof event !== 'string' || !names.has(event)) {
      throw unknownEvent();
    }
    const fallback = event === TEST_EVENT ? plainPayload(id) : exampleOf(events, event);
    const payload = given.payload === undefined ? fallback : given.payload;
    if (payload === undefined) {
      throw refused({ field: 'payload', code: 'required', message: 'is missing: the event has no example' });
    }
    const schema = payloadSchemaOf(events, event);
    const text = schema === undefined ? payloadText(payload) : checkedPayloadText(event, schema, payload);
    return { event, text };
  }

  return {
    async test(id, input = {}) {
      const { event, text } = chosen(id, input);
      const payload = await text;
      // Looked up first, to tell a removed webhook from an inactive one.
      const { isActive, tenant } = await getWebhook(id);
      if (tenant !== '' && !isForTenants(events, event)) throw unknownEvent();
      const deliveryId = isActive ? await dispatcher.dispatchTest(id, event, payload) : undefined;
      if (deliveryId === undefined) {
        throw new WebhookError('webhook_inactive', 'The webhook is inactive: activate it first');
      }
      return { deliveryId, status: 'pending' };
    },
  };
}

function unknownEvent(): WebhookError {
  return refused({ field: 'event', code: 'unknown_event', message: 'must be an event of the catalog' });
}

function refused(error: FieldError): WebhookError {
  return new WebhookError('validation_failed', 'The input has fields that are not valid', {
    errors: [error],
  });
}
