import { type Clock, timestampText } from '../clock.ts';
import { generateSecret } from '../signing/secret.ts';
import type { Webhook } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { createDeliveryHistory, type DeliveryHistory } from './delivery-history.ts';
import { existingWebhook, webhookNotFound } from './existing-webhook.ts';
import { parseInput } from './field-errors.ts';
import {
  type CreatedWebhook,
  type CreateWebhookInput,
  createInput,
  type ListedWebhook,
  type ListWebhooksInput,
  listInput,
  type RotatedWebhook,
  type UpdateWebhookInput,
  updateInput,
  type WebhookDetail,
  type WebhookPage,
} from './webhook-input.ts';

/** What administrators do with webhooks: registered, changed, looked up; every input validated here. */
export interface WebhookRegistry<Pattern extends string = string> extends DeliveryHistory {
  /**
   * Registers a webhook under a generated secret.
   *
   * @throws WebhookError `validation_failed` or `url_not_public`, with `errors`
   */
  create(input: CreateWebhookInput<Pattern>): Promise<CreatedWebhook>;
  /**
   * One webhook with its retained deliveries counted by outcome.
   *
   * @throws WebhookError `webhook_not_found`
   */
  get(id: number): Promise<WebhookDetail>;
  /**
   * One page of webhooks, each with its newest delivery.
   *
   * @throws WebhookError `validation_failed`
   */
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
   * Replaces the signing secret, effective for attempts that have not begun. For the next 24 hours the secret so far
   * signs as well: `X-Webhook-Signature-Previous`, and a second `v1,` entry of `webhook-signature`. A rotation within
   * those hours is allowed, and then the oldest secret is forgotten at once: a leaked one can be dropped by rotating
   * twice.
   *
   * @throws WebhookError `webhook_not_found`
   */
  rotateSecret(id: number): Promise<RotatedWebhook>;
}

/** How long the secret before a rotation signs too: a day, in which the recipient takes over the new one. */
const SECRET_OVERLAP_MS = 86_400_000;

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
      const webhooks = await withLastDelivery(storage, found.webhooks);
      return { webhooks, total: found.total, limit: page.limit, offset: page.offset };
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

    async rotateSecret(id) {
      await existing(id);
      const secret = generateSecret();
      const now = clock();
      const previousSecretExpiresAt = timestampText(now + SECRET_OVERLAP_MS);
      const rotation = { secret, previousSecretExpiresAt, updatedAt: timestampText(now) };
      const rotated = await storage.rotateSecret(id, rotation);
      if (rotated === undefined) webhookNotFound();
      return { ...rotated, previousSecretExpiresAt, secret };
    },

    ...createDeliveryHistory({ storage, clock }),
  };
}

async function withLastDelivery(
  storage: Pick<WebhookStorage, 'lastDeliveries'>,
  webhooks: readonly Webhook[],
): Promise<ListedWebhook[]> {
  if (webhooks.length === 0) return [];
  const last = await storage.lastDeliveries(webhooks.map(({ id }) => id));
  const byWebhook = new Map(last.map((delivery) => [delivery.webhookId, delivery]));
  return webhooks.map((webhook) => ({ ...webhook, lastDelivery: byWebhook.get(webhook.id) ?? null }));
}
