import type { DemoUnderCheck } from './demo-under-check.ts';
import { eventually, expectEqual } from './expectation.ts';
import type { HttpClient } from './http-client.ts';

/**
 * A webhook as the admin API shows it: `secret` only when it is created, `stats` only in its
 * detail.
 */
export interface WebhookJson {
  readonly id: number;
  readonly url: string;
  readonly events: readonly string[];
  readonly is_active: boolean;
  readonly secret?: string;
  readonly stats?: DeliveryCountsJson;
}

export interface DeliveryCountsJson {
  readonly total: number;
  readonly success: number;
  readonly failed: number;
  readonly pending: number;
}

export interface DeliveryJson {
  readonly delivery_id: string;
  readonly event: string;
  readonly status: string;
  readonly status_code: number;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly attempt_log?: readonly { readonly attempt: number; readonly status_code: number }[];
}

export interface DeliveryPageJson {
  readonly deliveries: readonly DeliveryJson[];
  readonly next_cursor: string | null;
}

/** A received request as the recipient reports it. */
export interface ArrivalJson {
  readonly hook: string;
  readonly signature: string;
  readonly status: number;
  readonly isRepeat: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const WEBHOOKS = '/api/admin/webhooks';

/** Identifies the webhooks of a check in a database that may contain others. */
export const CHECK_DESCRIPTION = 'Registered by npm run demo -- --check';

const MAX_PAGES = 100;

/**
 * Removes the webhooks of this check, and of an earlier one that was interrupted. They would fire
 * again.
 */
export async function removeCheckWebhooks(admin: HttpClient): Promise<void> {
  const page = `${WEBHOOKS}?limit=100&search=${encodeURIComponent(CHECK_DESCRIPTION)}`;
  for (let n = 0; n < MAX_PAGES; n += 1) {
    const { webhooks } = (await admin.get<{ webhooks: WebhookJson[] }>(page)).json;
    if (webhooks.length === 0) return;
    for (const { id } of webhooks) {
      expectEqual('removal', (await admin.delete(`${WEBHOOKS}/${id}`)).status, 204);
    }
  }
  throw new Error(`After ${MAX_PAGES} pages there are still webhooks of a check`);
}

/** A registered webhook of the recipient, with the view from both ends. */
export interface WebhookFixture {
  readonly id: number;
  readonly secret: string;
  readonly path: string;
  /** Its history, the newest first. */
  history(): Promise<readonly DeliveryJson[]>;
  counts(): Promise<DeliveryCountsJson | undefined>;
  /** The requests that the recipient received for it, oldest first. */
  arrivals(): Promise<readonly ArrivalJson[]>;
  /**
   * Waits until the newest delivery has this status, and returns it with the log of its attempts.
   */
  newest(status: string): Promise<DeliveryJson>;
}

/** Registers a webhook for a hook of the recipient, and gives the recipient the secret. */
export async function registerWebhook(
  demo: DemoUnderCheck,
  admin: HttpClient,
  hook: string,
  events: readonly string[],
  query = '',
): Promise<WebhookFixture> {
  const created = await admin.post<WebhookJson>(WEBHOOKS, {
    url: `${demo.recipientUrl}/hooks/${hook}${query}`,
    description: CHECK_DESCRIPTION,
    events,
  });
  expectEqual('status of the registration', created.status, 201);
  const { id, secret = '' } = created.json;
  expectEqual(
    'answer to the secret',
    (await demo.recipient.post(`/secrets/${hook}`, { secret })).status,
    204,
  );
  const path = `${WEBHOOKS}/${id}`;
  const history = async () => (await admin.get<DeliveryPageJson>(`${path}/deliveries`)).json.deliveries;

  return {
    id,
    secret,
    path,
    history,
    counts: async () => (await admin.get<WebhookJson>(path)).json.stats,
    async arrivals() {
      const { json } = await demo.recipient.get<{ received: ArrivalJson[] }>('/received.json');
      return json.received.filter((arrival) => arrival.hook === hook);
    },
    async newest(status) {
      const id = await eventually(`a delivery with status ${status}`, async () => {
        const [delivery] = await history();
        return delivery?.status === status ? delivery.delivery_id : undefined;
      });
      return (await admin.get<DeliveryJson>(`${path}/deliveries/${id}`)).json;
    },
  };
}

/** Returns a secret in a form that may be printed. */
export function masked(secret: string): string {
  return `${secret.slice(0, 6)}${'*'.repeat(8)} (${secret.length} characters)`;
}
