import { integerUid } from '../../../toolkit/src/integer-uid.ts';
import { type Clock, timestampText } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import type { EventCatalog } from '../events/catalog.ts';
import { generateSecret } from '../signing/secret.ts';
import { changing } from '../storage/changed-state.ts';
import { TENANT_CLOSED_MS, tenantRemoved } from '../storage/removed-tenant.ts';
import type { AdministeredStorage } from '../storage/tenant-storage.ts';
import { settingsOf, type Webhook } from '../storage/webhook-record.ts';
import type { ExpectedState, WebhookChange } from '../storage/webhook-requests.ts';
import { createDeliveryHistory, type DeliveryHistory } from './delivery-history.ts';
import { assertExpected, existingWebhook, preconditionFailed, webhookNotFound } from './existing-webhook.ts';
import { inputAtCall, readInput } from './read-input.ts';
import type { SharedReads } from './shared-reads.ts';
import { assertSubscribable } from './subscribable.ts';
import type { TenantBounds } from './tenant-bounds.ts';
import type {
  CreatedWebhook,
  CreateWebhookInput,
  RotatedWebhook,
  UpdateWebhookInput,
  WebhookConcurrency,
  WebhookPrecondition,
} from './webhook-input.ts';
import { createWebhookOverview, type WebhookOverview } from './webhook-overview.ts';
import { refuseLostTenant, whoseOf } from './whose.ts';

/**
 * How long requests are also signed with the old secret: a day, in which the recipient adopts the
 * new one.
 */
export const SECRET_OVERLAP_MS = 86_400_000;

/** A registration takes seconds, unless its process was asleep. */
const MAX_CREATION_MS = TENANT_CLOSED_MS / 2;

/** Registers, changes and reads webhooks. Validates every input. */
export interface WebhookRegistry<Pattern extends string = string> extends DeliveryHistory, WebhookOverview {
  /**
   * Registers a webhook with a generated secret.
   *
   * @throws WebhookError `validation_failed` or `url_not_public`, with `errors`;
   *   `too_many_webhooks`; `rate_limited` for a minute after `removeTenant`, and if a tenant has
   *   removed ten times as many webhooks within a day as it may have
   */
  create(input: CreateWebhookInput<Pattern>): Promise<CreatedWebhook>;
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
   * Removes the webhook with all its deliveries. Nothing of it is found or sent from then on; an
   * attempt in flight is not interrupted. The rows of its deliveries are removed in the background,
   * 100 at a time, within seconds. Where the process ends first, the next purge removes them.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` or `precondition_failed`
   */
  delete(id: number, precondition?: WebhookPrecondition): Promise<void>;
  /**
   * Replaces the signing secret for attempts that have not begun. For the next 24 hours requests
   * are also signed with the old secret: in `X-Webhook-Signature-Previous`, and in a second `v1,`
   * entry of `webhook-signature`. Another rotation within those hours discards the oldest secret at
   * once. `endPreviousSecret` ends the old one.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` or `precondition_failed`
   */
  rotateSecret(id: number, precondition?: WebhookPrecondition): Promise<RotatedWebhook>;
  /**
   * Ends the overlap of a rotation: attempts that have not begun are signed with the present secret
   * alone, which stays as it is.
   *
   * @throws WebhookError `webhook_not_found`, `no_previous_secret`, `validation_failed` or
   *   `precondition_failed`
   */
  endPreviousSecret(id: number, precondition?: WebhookPrecondition): Promise<Webhook>;
}

/** @internal */
export function createWebhookRegistry(deps: {
  readonly storage: AdministeredStorage;
  /** Whose webhooks these are. Default: everybody's, and an input says whose. */
  readonly tenant?: string | undefined;
  readonly tenantBounds: TenantBounds;
  /** Rejects with `url_not_public` unless deliveries may go to the URL. */
  readonly assertUrl: (url: string, tenant: string) => Promise<URL>;
  /** Default: none besides the built-in ones. */
  readonly events?: EventCatalog | undefined;
  readonly clock: Clock;
  readonly share: SharedReads;
  readonly standardHeaders: boolean;
  readonly userAgent: string;
  /** 0: never. */
  readonly disableAfterFailingMs: number;
  readonly recoverAfterOutage: boolean;
  readonly concurrencyOf: (webhookId: number) => WebhookConcurrency | undefined;
  /** Whether a tenant that is undefined is refused. Default: it is taken for none. */
  readonly requiresTenant?: boolean;
  /** Removes what removed webhooks leave behind, in the background. */
  readonly removals: { readonly begin: () => void };
}): WebhookRegistry {
  const { storage, assertUrl, clock, removals } = deps;
  const { forChange, change, refuseChange } = createChanges(storage);

  return {
    async create(input) {
      const begun = performance.now();
      if (deps.requiresTenant) refuseLostTenant(input);
      const fields = await readInput(({ createInput }) => createInput, input);
      const { tenant: given, createdByUid, ...settings } = fields;
      const tenant = whoseOf(deps.tenant, given) ?? '';
      assertSubscribable(deps, tenant, settings.events);
      await assertUrl(settings.url, tenant);
      assertInTime(begun);
      const secret = generateSecret();
      const createdAt = timestampText(clock());
      const creator = { createdBy: integerUid(createdByUid ?? ''), createdByUid };
      const webhook = { tenant, secret, ...settings, ...creator, createdAt };
      const bound = tenant === '' ? {} : { maxOfTenant: deps.tenantBounds.maxWebhooksPerTenant(tenant) };
      return { ...(await storage.createWebhook({ ...webhook, ...bound })), secret };
    },

    async update(id, input, condition = {}) {
      const taken = inputAtCall(input);
      const { webhook, expected } = await forChange(id, inputAtCall(condition));
      const fields = await readInput(({ updateInput }) => updateInput, taken);
      const { url, events } = fields;
      const given = settingsOf(fields);
      if (Object.keys(given).length === 0) return webhook;
      assertSubscribable(deps, webhook.tenant, events);
      if (url !== undefined) await assertUrl(url, webhook.tenant);
      return change(id, { ...given, updatedAt: timestampText(clock()), expected });
    },

    async delete(id, given = {}) {
      const { expected } = await forChange(id, inputAtCall(given));
      if (!(await storage.deleteWebhook(id, expected.updatedAt))) await refuseChange(id, expected);
      removals.begin();
    },

    async rotateSecret(id, given = {}) {
      const { expected } = await forChange(id, inputAtCall(given));
      const secret = generateSecret();
      const now = clock();
      const previousSecretExpiresAt = timestampText(now + SECRET_OVERLAP_MS);
      const rotation = { secret, previousSecretExpiresAt };
      const rotated = await change(id, { rotation, updatedAt: timestampText(now), expected });
      return { ...rotated, previousSecretExpiresAt, secret };
    },

    async endPreviousSecret(id, given = {}) {
      const { webhook, expected } = await forChange(id, inputAtCall(given));
      const updatedAt = timestampText(clock());
      if ((webhook.previousSecretExpiresAt ?? '') <= updatedAt) {
        throw new WebhookError('no_previous_secret', 'No previous secret signs any more');
      }
      return change(id, { previousSecret: null, updatedAt, expected });
    },

    ...createWebhookOverview(deps),
    ...createDeliveryHistory(deps),
  };
}

/** Refuses a registration that may come after a removal of its tenant, too late to meet it. */
function assertInTime(begun: number): void {
  if (performance.now() - begun > MAX_CREATION_MS) throw tenantRemoved();
}

/** What the changes of webhooks have in common. */
function createChanges(storage: AdministeredStorage) {
  const existing = (id: number) => existingWebhook(storage, id);

  /** Reads the webhook to change, and returns the precondition in the form that a storage takes. */
  async function forChange(id: number, given: WebhookPrecondition) {
    const webhook = await existing(id);
    const { expectedUpdatedAt } = await readInput(({ precondition }) => precondition, given);
    assertExpected(webhook, expectedUpdatedAt);
    return { webhook, expected: expectedUpdatedAt === undefined ? {} : { updatedAt: expectedUpdatedAt } };
  }

  async function change(id: number, to: WebhookChange & { readonly expected: ExpectedState }) {
    return (await storage.changeWebhook(id, changing(to))) ?? refuseChange(id, to.expected);
  }

  /** Throws the reason why the storage did not change a webhook that existed just before. */
  async function refuseChange(id: number, { updatedAt }: ExpectedState): Promise<never> {
    if (updatedAt === undefined) return webhookNotFound();
    await existing(id);
    return preconditionFailed();
  }

  return { forChange, change, refuseChange };
}
