import { type Clock, timestampText } from '../clock.ts';
import { generateSecret } from '../signing/secret.ts';
import type { Webhook } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { integerUid } from './administrator-uid.ts';
import { createDeliveryHistory, type DeliveryHistory } from './delivery-history.ts';
import { assertExpected, existingWebhook, preconditionFailed, webhookNotFound } from './existing-webhook.ts';
import { inputAtCall, readInput } from './read-input.ts';
import type {
  CreatedWebhook,
  CreateWebhookInput,
  ListedWebhook,
  ListWebhooksInput,
  RotatedWebhook,
  UpdateWebhookInput,
  WebhookDetail,
  WebhookPage,
  WebhookPrecondition,
} from './webhook-input.ts';

/** Registers, changes and reads webhooks. Validates every input. */
export interface WebhookRegistry<Pattern extends string = string> extends DeliveryHistory {
  /**
   * Registers a webhook with a generated secret.
   *
   * @throws WebhookError `validation_failed` or `url_not_public`, with `errors`
   */
  create(input: CreateWebhookInput<Pattern>): Promise<CreatedWebhook>;
  /**
   * Returns one webhook with the counts of its retained deliveries by status.
   *
   * @throws WebhookError `webhook_not_found`
   */
  get(id: number): Promise<WebhookDetail>;
  /**
   * Returns one page of webhooks, each with its newest delivery.
   *
   * @throws WebhookError `validation_failed`
   */
  list(input?: ListWebhooksInput): Promise<WebhookPage>;
  /**
   * Replaces the given fields. The change applies to the next dispatch, and to attempts that have
   * not begun. `updatedAt` grows with every change. Atomic with `expectedUpdatedAt`: of several
   * calls that expect the same state, one succeeds.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed`, `url_not_public` or
   *   `precondition_failed`
   */
  update(
    id: number,
    input: UpdateWebhookInput<Pattern>,
    precondition?: WebhookPrecondition,
  ): Promise<Webhook>;
  /**
   * Removes the webhook with all its deliveries. An attempt in flight is not interrupted.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` or `precondition_failed`
   */
  delete(id: number, precondition?: WebhookPrecondition): Promise<void>;
  /**
   * Replaces the signing secret for attempts that have not begun. For the next 24 hours requests
   * are also signed with the old secret: in `X-Webhook-Signature-Previous`, and in a second `v1,`
   * entry of `webhook-signature`. Another rotation within those hours discards the oldest secret at
   * once. To drop a leaked secret immediately, rotate twice.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` or `precondition_failed`
   */
  rotateSecret(id: number, precondition?: WebhookPrecondition): Promise<RotatedWebhook>;
}

/**
 * How long requests are also signed with the old secret: a day, in which the recipient adopts the
 * new one.
 */
const SECRET_OVERLAP_MS = 86_400_000;

/** @internal */
export function createWebhookRegistry(deps: {
  readonly storage: WebhookStorage<never>;
  /** Rejects with `url_not_public` unless deliveries may go to the URL. */
  readonly assertUrl: (url: string) => Promise<URL>;
  readonly clock: Clock;
}): WebhookRegistry {
  const { storage, assertUrl, clock } = deps;

  const existing = (id: number) => existingWebhook(storage, id);

  /** Reads the webhook to change, and returns the precondition in the form that a storage takes. */
  async function forChange(id: number, given: WebhookPrecondition) {
    const webhook = await existing(id);
    const { expectedUpdatedAt } = await readInput(({ precondition }) => precondition, given);
    assertExpected(webhook, expectedUpdatedAt);
    return { webhook, expected: expectedUpdatedAt === undefined ? {} : { expectedUpdatedAt } };
  }

  /** Throws the reason why the storage did not change a webhook that existed just before. */
  async function refuseChange(id: number, { expectedUpdatedAt }: WebhookPrecondition): Promise<never> {
    if (expectedUpdatedAt === undefined) return webhookNotFound();
    await existing(id);
    return preconditionFailed();
  }

  return {
    async create(input) {
      const { createdByUid, description, events, isActive, url } = await readInput(
        ({ createInput }) => createInput,
        input,
      );
      await assertUrl(url);
      const secret = generateSecret();
      const createdAt = timestampText(clock());
      const creator = { createdBy: integerUid(createdByUid), createdByUid };
      const webhook = { url, secret, description, events, isActive, ...creator, createdAt };
      return { ...(await storage.createWebhook(webhook)), secret };
    },

    async get(id) {
      return { ...(await existing(id)), stats: await storage.countDeliveries(id) };
    },

    async list(input = {}) {
      const { active, search, ...page } = await readInput(({ listInput }) => listInput, input);
      const found = await storage.listWebhooks({
        ...page,
        ...(active === undefined ? {} : { isActive: active }),
        ...(search === undefined || search === '' ? {} : { search }),
      });
      const webhooks = await withLastDelivery(storage, found.webhooks);
      return { webhooks, total: found.total, limit: page.limit, offset: page.offset };
    },

    async update(id, input, given = {}) {
      const taken = inputAtCall(input);
      const { webhook, expected } = await forChange(id, inputAtCall(given));
      const { url, description, events, isActive } = await readInput(({ updateInput }) => updateInput, taken);
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
      const { expected } = await forChange(id, inputAtCall(given));
      if (!(await storage.deleteWebhook(id, expected.expectedUpdatedAt))) await refuseChange(id, expected);
    },

    async rotateSecret(id, given = {}) {
      const { expected } = await forChange(id, inputAtCall(given));
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
