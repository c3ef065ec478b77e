import type { DispatchRecord } from '../delivery-requests.ts';
import { nextUpdatedAt } from '../next-updated-at.ts';
import type { Webhook } from '../records.ts';
import { pageOf } from '../webhook-page.ts';
import type {
  Deactivation,
  NewWebhook,
  SecretRotation,
  WebhookChange,
  WebhookQuery,
} from '../webhook-requests.ts';
import { copyOf, type WebhookRow } from './webhook-row.ts';

/** The webhooks, and who is subscribed to what. */
export class WebhookRows {
  readonly #rows = new Map<number, WebhookRow>();
  /** The ids of the active webhooks that hold a pattern: a dispatch looks at no others. */
  readonly #subscribers = new Map<string, Set<number>>();
  #lastId = 0;

  get(id: number): WebhookRow | undefined {
    return this.#rows.get(id);
  }

  ids(): Iterable<number> {
    return this.#rows.keys();
  }

  create({ secret, ...fields }: NewWebhook): Webhook {
    const id = ++this.#lastId;
    const webhook: Webhook = {
      id,
      ...fields,
      events: [...fields.events],
      inactiveReason: '',
      previousSecretExpiresAt: null,
      updatedAt: fields.createdAt,
    };
    this.#rows.set(id, { id, webhook, secret, previousSecret: null, activations: 0, lastSuccessAt: '' });
    this.#subscribe(webhook);
    return copyOf(webhook);
  }

  list(query: WebhookQuery): { webhooks: Webhook[]; total: number } {
    const { webhooks, total } = pageOf(
      Array.from(this.#rows.values(), ({ webhook }) => webhook),
      query,
    );
    return { webhooks: webhooks.map(copyOf), total };
  }

  /** True if there is such a webhook, and it was last changed when that is expected. */
  isAsExpected(id: number, expectedUpdatedAt: string | undefined): boolean {
    const row = this.#rows.get(id);
    return row !== undefined && (expectedUpdatedAt ?? row.webhook.updatedAt) === row.webhook.updatedAt;
  }

  update(id: number, change: WebhookChange): Webhook | undefined {
    const row = this.#rows.get(id);
    if (row === undefined || !this.isAsExpected(id, change.expectedUpdatedAt)) return undefined;
    const { webhook } = row;
    const hasNewUrl = change.url !== undefined && change.url !== webhook.url;
    if (hasNewUrl || (change.isActive === true && !webhook.isActive)) row.activations++;
    return this.#replace(row, {
      ...webhook,
      url: change.url ?? webhook.url,
      description: change.description ?? webhook.description,
      events: [...(change.events ?? webhook.events)],
      isActive: change.isActive ?? webhook.isActive,
      inactiveReason: change.isActive === true ? '' : webhook.inactiveReason,
      updatedAt: change.updatedAt,
    });
  }

  deactivate(id: number, { activation, reason, updatedAt }: Deactivation): boolean {
    const row = this.#rows.get(id);
    if (row === undefined || !row.webhook.isActive || row.activations !== activation) return false;
    this.#replace(row, { ...row.webhook, isActive: false, inactiveReason: reason, updatedAt });
    return true;
  }

  rotateSecret(id: number, rotation: SecretRotation): Webhook | undefined {
    const row = this.#rows.get(id);
    if (row === undefined || !this.isAsExpected(id, rotation.expectedUpdatedAt)) return undefined;
    const { secret, previousSecretExpiresAt, updatedAt } = rotation;
    row.previousSecret = { secret: row.secret, expiresAt: previousSecretExpiresAt };
    row.secret = secret;
    return this.#replace(row, { ...row.webhook, previousSecretExpiresAt, updatedAt });
  }

  delete(id: number): boolean {
    const row = this.#rows.get(id);
    if (row === undefined) return false;
    this.#unsubscribe(row.webhook);
    return this.#rows.delete(id);
  }

  /** The ids of those that an event goes to, ascending. */
  targets(target: DispatchRecord['target']): number[] {
    if ('webhookId' in target) {
      return this.#rows.get(target.webhookId)?.webhook.isActive === true ? [target.webhookId] : [];
    }
    const ids = new Set<number>();
    for (const pattern of target.patterns) {
      for (const id of this.#subscribers.get(pattern) ?? []) ids.add(id);
    }
    return [...ids].sort((a, b) => a - b);
  }

  #replace(row: WebhookRow, changed: Webhook): Webhook {
    const updatedAt = nextUpdatedAt(row.webhook.updatedAt, changed.updatedAt);
    this.#unsubscribe(row.webhook);
    row.webhook = { ...changed, updatedAt };
    this.#subscribe(row.webhook);
    return copyOf(row.webhook);
  }

  #subscribe({ id, events, isActive }: Webhook): void {
    if (!isActive) return;
    for (const pattern of events) {
      const ids = this.#subscribers.get(pattern);
      if (ids === undefined) this.#subscribers.set(pattern, new Set([id]));
      else ids.add(id);
    }
  }

  #unsubscribe({ id, events }: Webhook): void {
    for (const pattern of events) {
      const ids = this.#subscribers.get(pattern);
      if (ids?.delete(id) && ids.size === 0) this.#subscribers.delete(pattern);
    }
  }
}
