import { type Clock, timestampText } from '../clock.ts';
import { generateSecret } from '../signing/secret.ts';
import type { Webhook } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { createDeliveryHistory, type DeliveryHistory } from './delivery-history.ts';
import { assertExpected, existingWebhook, preconditionFailed, webhookNotFound } from './existing-webhook.ts';
import { parseInput } from './field-errors.ts';
import {
  type CreatedWebhook,
  type CreateWebhookInput,
  createInput,
  type ListedWebhook,
  type ListWebhooksInput,
  listInput,
  precondition,
  type RotatedWebhook,
  type UpdateWebhookInput,
  updateInput,
  type WebhookDetail,
  type WebhookPage,
  type WebhookPrecondition,
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
   * Replaces the given fields; effective for the next dispatch, and for attempts that have not begun. `updatedAt` grows
   * with every change. Atomic with `expectedUpdatedAt`: of several that expect the same state, one changes it.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed`, `url_not_public` or `precondition_failed`
   */
  update(
    id: number,
    input: UpdateWebhookInput<Pattern>,
    precondition?: WebhookPrecondition,
  ): Promise<Webhook>;
  /**
   * Removes the webhook with all its deliveries; an attempt under way is not interrupted.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` or `precondition_failed`
   */
  delete(id: number, precondition?: WebhookPrecondition): Promise<void>;
  /**
   * Replaces the signing secret, effective for attempts that have not begun. For the next 24 hours the secret so far
   * signs as well: `X-Webhook-Signature-Previous`, and a second `v1,` entry of `webhook-signature`. A rotation within
   * those hours is allowed, and then the oldest secret is forgotten at once: a leaked one can be dropped by rotating
   * twice.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` or `precondition_failed`
   */
  rotateSecret(id: number, precondition?: WebhookPrecondition): Promise<RotatedWebhook>;
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

  /** The webhook that is to be changed, and the precondition as a storage takes it. */
  async function forChange(id: number, given: WebhookPrecondition) {
    const webhook = await existing(id);
    const { expectedUpdatedAt } = parseInput(precondition, given);
    assertExpected(webhook, expectedUpdatedAt);
    return { webhook, expected: expectedUpdatedAt === undefined ? {} : { expectedUpdatedAt } };
  }

  /** Why a storage did not change what was there a moment ago. */
  async function refuseChange(id: number, { expectedUpdatedAt }: WebhookPrecondition): Promise<never> {
    if (expectedUpdatedAt === undefined) return webhookNotFound();
    await existing(id);
    return preconditionFailed();
  }

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

    async update(id, input, given = {}) {
      const { webhook, expected } = await forChange(id, given);
      const { url, description, events, isActive } = parseInput(updateInput, input);
      if ([url, description, events, isActive].every((field) => field === undefined)) return webhook;
      if (url !== undefined) await assertUrl(url);
      const updated = await storage.updateWebhook(id, {
        ...(url === undefined ? {} : { url }),
        ...(description === undefined ? {} : { description }),
        ...(events === undefined ? {} : { events }),
        ...(isActive === undefined ? {} : { isActive }),
        updatedAt: timestampText(clock()),
        ...expected,
      });
      return updated ?? refuseChange(id, expected);
    },

    async delete(id, given = {}) {
      const { expected } = await forChange(id, given);
      if (!(await storage.deleteWebhook(id, expected.expectedUpdatedAt))) await refuseChange(id, expected);
    },

    async rotateSecret(id, given = {}) {
      const { expected } = await forChange(id, given);
      const secret = generateSecret();
      const now = clock();
      const previousSecretExpiresAt = timestampText(now + SECRET_OVERLAP_MS);
      const rotation = { secret, previousSecretExpiresAt, updatedAt: timestampText(now), ...expected };
      const rotated = (await storage.rotateSecret(id, rotation)) ?? (await refuseChange(id, expected));
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
