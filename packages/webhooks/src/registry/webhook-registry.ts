import { type Clock, timestampText } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import { generateSecret } from '../signing/secret.ts';
import type { Delivery, Webhook } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { decodeCursor, encodeCursor } from './delivery-cursor.ts';
import { existingWebhook, webhookNotFound } from './existing-webhook.ts';
import { parseInput } from './field-errors.ts';
import {
  type CreatedWebhook,
  type CreateWebhookInput,
  createInput,
  type DeliveryPage,
  historyInput,
  type ListDeliveriesInput,
  type ListWebhooksInput,
  listInput,
  type UpdateWebhookInput,
  updateInput,
  type WebhookDetail,
  type WebhookPage,
} from './webhook-input.ts';

/** What administrators do with webhooks: registered, changed, looked up; every input validated here. */
export interface WebhookRegistry<Pattern extends string = string> {
  /**
   * Registers a webhook under a generated secret.
   *
   * @throws WebhookError `validation_failed` or `url_not_public`, with `errors`
   */
  create(input: CreateWebhookInput<Pattern>): Promise<CreatedWebhook>;
  /** @throws WebhookError `webhook_not_found` */
  get(id: number): Promise<WebhookDetail>;
  /** @throws WebhookError `validation_failed` */
  list(input?: ListWebhooksInput): Promise<WebhookPage>;
  /**
   * Replaces the given fields; effective for the next dispatch, and for attempts that have not begun.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` or `url_not_public`
   */
  update(id: number, input: UpdateWebhookInput<Pattern>): Promise<Webhook>;
  /**
   * Removes the webhook with all its deliveries; an attempt under way is not interrupted.
   *
   * @throws WebhookError `webhook_not_found`
   */
  delete(id: number): Promise<void>;
  /**
   * One page of the webhook's history.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` (a foreign cursor included)
   */
  deliveries(webhookId: number, input?: ListDeliveriesInput): Promise<DeliveryPage>;
  /**
   * One delivery with its payload and the log of its attempts.
   *
   * @throws WebhookError `webhook_not_found` or `delivery_not_found`
   */
  delivery(webhookId: number, deliveryId: string): Promise<Delivery>;
}

/** @internal */
export function createWebhookRegistry(deps: {
  readonly storage: WebhookStorage<never>;
  /** Rejects with `url_not_public` unless deliveries may go there. */
  readonly assertUrl: (url: string) => Promise<URL>;
  readonly clock: Clock;
}): WebhookRegistry {
  const { storage, assertUrl, clock } = deps;

  const existing = (id: number) => existingWebhook(storage, id);

  return {
    async create(input) {
      const { createdBy, description, events, isActive, url } = parseInput(createInput, input);
      await assertUrl(url);
      const secret = generateSecret();
      const createdAt = timestampText(clock());
      const webhook = { url, secret, description, events, isActive, createdBy, createdAt };
      return { ...(await storage.createWebhook(webhook)), secret };
    },

    async get(id) {
      const webhook = await existing(id);
      return { ...webhook, stats: await storage.countDeliveries(id) };
    },

    async list(input = {}) {
      const { active, search, ...page } = parseInput(listInput, input);
      const found = await storage.listWebhooks({
        ...page,
        ...(active === undefined ? {} : { isActive: active }),
        ...(search === undefined || search === '' ? {} : { search }),
      });
      return { ...found, limit: page.limit, offset: page.offset };
    },

    async update(id, input) {
      const webhook = await existing(id);
      const { url, description, events, isActive } = parseInput(updateInput, input);
      if ([url, description, events, isActive].every((field) => field === undefined)) return webhook;
      if (url !== undefined) await assertUrl(url);
      const updated = await storage.updateWebhook(id, {
        ...(url === undefined ? {} : { url }),
        ...(description === undefined ? {} : { description }),
        ...(events === undefined ? {} : { events }),
        ...(isActive === undefined ? {} : { isActive }),
        updatedAt: timestampText(clock()),
      });
      return updated ?? webhookNotFound();
    },

    async delete(id) {
      await existing(id);
      if (!(await storage.deleteWebhook(id))) webhookNotFound();
    },

    async deliveries(webhookId, input = {}) {
      const { cursor, event, limit, status } = parseInput(historyInput, input);
      const beforeId = cursor === undefined ? undefined : decodeCursor(cursor);
      await existing(webhookId);
      const found = await storage.listDeliveries({
        webhookId,
        limit: limit + 1,
        ...(status === undefined ? {} : { status }),
        ...(event === undefined ? {} : { event }),
        ...(beforeId === undefined ? {} : { beforeId }),
      });
      const deliveries = found.slice(0, limit);
      const last = deliveries.at(-1);
      const hasMore = found.length > limit && last !== undefined;
      return { deliveries, nextCursor: hasMore ? encodeCursor(last.id) : null };
    },

    async delivery(webhookId, deliveryId) {
      await existing(webhookId);
      const found = isDeliveryId(deliveryId) ? await storage.findDelivery(webhookId, deliveryId) : undefined;
      if (found === undefined) throw new WebhookError('delivery_not_found', 'There is no such delivery');
      return found;
    },
  };
}

function isDeliveryId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text);
}
