import type { Field, Fields } from './field.ts';

/** What its administrators, or a customer's users, choose of a webhook. */
export interface WebhookSettings {
  readonly url: string;
  /**
   * What people call it: one line of 1–80 characters, one of them visible, without bidirectional
   * controls. Default, and '': no name.
   */
  readonly name: string;
  /** At most 1,000 characters. Default: ''. */
  readonly description: string;
  /** Event patterns: `*`, `<prefix>.*` or an exact event name. At least one. */
  readonly events: readonly string[];
  /** Default: true. */
  readonly isActive: boolean;
  /**
   * How many attempts a minute each process makes at most, retries included: 1–60,000, of which a
   * second's worth may be made at once. Deliveries wait for it, and no other webhook does. A process
   * applies a change from its next attempt on. Default, and null: any number.
   */
  readonly maxPerMinute: number | null;
}

/** A registered webhook as the storage keeps it, without its signing secret. */
export interface Webhook extends WebhookSettings {
  /** Positive integer, assigned by the storage. */
  readonly id: number;
  /** Whose it is: a tenant of 1–64 characters, or '' for the host's own. It never changes. */
  readonly tenant: string;
  /** Why the engine deactivated it; '' if it is active, or an administrator deactivated it. */
  readonly inactiveReason: InactiveReason;
  /** Since when the engine or an administrator has kept it inactive; null while it is active. */
  readonly inactiveSince: string | null;
  /**
   * Until when deliveries are signed with the previous secret too; null if there was none. May
   * be past.
   */
  readonly previousSecretExpiresAt: string | null;
  /**
   * `createdByUid` as an integer: 0 if it is none within the safe range of a number, or unknown.
   */
  readonly createdBy: number;
  /** The uid of the administrator who created it, 1–255 characters; null when unknown. */
  readonly createdByUid: string | null;
  /** RFC 3339 text, UTC, milliseconds, as are all the timestamps below. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * `gone`: the recipient answered 410. `failing`: none of its deliveries succeeded for too long.
 */
export type InactiveReason = '' | 'gone' | 'failing';

/**
 * The settings, each in one row. Inputs, bodies, answers, the OpenAPI document, rows and changes
 * follow from it. What one setting alone has, such as the resolution of a URL, is written out where
 * it acts.
 */
export const WEBHOOK_SETTINGS = {
  url: { column: 'url', holds: 'url', audience: 'everybody', example: 'https://hooks.example.com/in' },
  name: { column: 'name', holds: 'line', audience: 'everybody', max: 80, initial: '', example: 'Billing' },
  description: {
    column: 'description',
    holds: 'text',
    audience: 'everybody',
    max: 1_000,
    initial: '',
    example: 'Invoices into the ledger',
  },
  events: {
    column: 'events',
    holds: 'patterns',
    audience: 'everybody',
    max: 100,
    initial: ['*'],
    example: ['user.*', 'role.created'],
  },
  isActive: { column: 'is_active', holds: 'boolean', audience: 'everybody', initial: true, example: true },
  maxPerMinute: {
    column: 'max_per_minute',
    holds: 'number',
    audience: 'everybody',
    isNullable: true,
    min: 1,
    max: 60_000,
    initial: null,
    example: 600,
  },
} as const satisfies Fields<WebhookSettings>;

/** Every field of a webhook, in the order in which the API answers them. */
export const WEBHOOK_FIELDS = {
  id: { column: 'id', holds: 'number', audience: 'everybody', min: 1, example: 1 },
  tenant: { column: 'tenant', holds: 'text', audience: 'administrators', example: '' },
  ...WEBHOOK_SETTINGS,
  inactiveReason: {
    column: 'inactive_reason',
    holds: ['', 'gone', 'failing'],
    audience: 'everybody',
    example: '',
  },
  inactiveSince: {
    column: 'inactive_since',
    holds: 'time',
    audience: 'everybody',
    isNullable: true,
    example: null,
  },
  previousSecretExpiresAt: {
    column: 'previous_secret_expires_at',
    holds: 'time',
    audience: 'everybody',
    isNullable: true,
    example: null,
  },
  createdBy: { column: 'created_by', holds: 'number', audience: 'administrators', example: 42 },
  createdByUid: {
    column: 'created_by_uid',
    holds: 'text',
    isNullable: true,
    audience: 'administrators',
    example: '42',
  },
  createdAt: {
    column: 'created_at',
    holds: 'time',
    audience: 'everybody',
    example: '2026-11-20T04:10:00.123Z',
  },
  updatedAt: {
    column: 'updated_at',
    holds: 'time',
    audience: 'everybody',
    example: '2026-11-20T04:10:00.123Z',
  },
} as const satisfies Fields<Webhook>;

/** What they mean, for the document of the API. */
export const WEBHOOK_WORDS = {
  tenant: 'The customer whose webhook it is; absent where it is the application’s own.',
  name: 'What people call it, on one line; empty: it has no name.',
  description: 'Free text for people.',
  events:
    'Which events it receives: `*`, `<prefix>.*` or exact names; none if it was written by SQL without any.',
  isActive: 'Whether it receives events.',
  maxPerMinute:
    'How many requests a minute each process that delivers sends to it at most, retries included; null: any number.',
  inactiveReason:
    'Why it was deactivated automatically: `gone`, its recipient answered 410; `failing`, nothing succeeded for too long. Empty if it is active, or if a user deactivated it.',
  inactiveSince: 'Since when it has been inactive; null while it is active.',
  previousSecretExpiresAt:
    'Until when requests are also signed with the secret before the last rotation. May lie in the past; null if the secret was never rotated.',
  createdBy: 'The uid of its creator as an integer, 0 if it is none.',
  createdByUid: 'The uid of its creator, or null.',
} as const satisfies { readonly [Name in keyof Webhook]?: string };

/** What whoever sets one of them must know besides. */
export const SETTING_WORDS = {
  url: 'Where deliveries go: an http or https URL whose host is public and whose port is 80, 443, above 1023 or one that the application allows. A host name that does not resolve yet is accepted; deliveries check again.',
  events: 'Duplicates are removed.',
  isActive: 'Activating an inactive one also clears `inactive_reason` and begins a new run of failures.',
} as const satisfies { readonly [Name in keyof WebhookSettings]?: string };

/** Some of the settings: those that are undefined are not given. */
export type GivenSettings = {
  readonly [Name in keyof WebhookSettings]?: WebhookSettings[Name] | undefined;
};

/** The settings among the members of a change or an input. */
export function settingsOf(values: GivenSettings): Partial<WebhookSettings> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.filter(([name]) => Object.hasOwn(WEBHOOK_SETTINGS, name)));
}

/** The settings of a new webhook. */
export function newSettings(given: GivenSettings & Pick<WebhookSettings, 'url'>): WebhookSettings {
  const rows = Object.entries<Field>(WEBHOOK_SETTINGS);
  const initial = Object.fromEntries(rows.map(([name, field]) => [name, field.initial]));
  return { ...initial, ...settingsOf(given) } as WebhookSettings;
}
