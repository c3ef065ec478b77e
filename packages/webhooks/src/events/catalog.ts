import { isEventName } from './event-name.ts';

/** An event as the discovery endpoint shows it. */
export interface KnownEvent {
  /** `entity.verb` form. */
  readonly name: string;
  /** What an administrator reads, 1–200 characters. */
  readonly label: string;
}

/** A host's own events by name. */
export type EventCatalog = Readonly<Record<string, { readonly label: string }>>;

/** The event that the admin API's test operation sends. */
export const TEST_EVENT = 'webhook.test';

/** The events every installation knows; an application dispatches those it has. */
export const BUILT_IN_EVENTS: readonly KnownEvent[] = Object.freeze(
  (
    [
      ['user.registered', 'User self-registered'],
      ['user.created', 'Admin created a user'],
      ['user.updated', 'User profile updated'],
      ['user.deleted', 'User deleted'],
      ['user.bulk_deleted', 'Users bulk deleted'],
      ['admin.created', 'Admin created'],
      ['admin.updated', 'Admin updated'],
      ['admin.deleted', 'Admin deleted'],
      ['admin.bulk_deleted', 'Admins bulk deleted'],
      ['role.created', 'Role created'],
      ['role.updated', 'Role updated'],
      ['role.deleted', 'Role deleted'],
      ['session.revoked', 'Session revoked'],
      ['session.bulk_revoked', 'Sessions bulk revoked'],
      ['setting.updated', 'Setting updated'],
      [TEST_EVENT, 'Test event sent on request'],
    ] as const
  ).map(([name, label]) => Object.freeze({ name, label })),
);

const MAX_CUSTOM_EVENTS = 1_000;
const MAX_LABEL_LENGTH = 200;

/**
 * Declares a host's own events, which then appear at the discovery endpoint beside the built-in ones.
 *
 * @param catalog at most 1,000 events; a built-in name may be given another label
 * @throws TypeError naming the event whose name or label is no good
 * @example
 * createWebhooks({ storage, events: defineEvents({ 'order.created': { label: 'Order placed' } }) })
 */
export function defineEvents<const Catalog extends EventCatalog>(catalog: Catalog): Catalog {
  const given: unknown = catalog;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError('events must be an object of events by name');
  }
  const names = Object.keys(catalog);
  if (names.length > MAX_CUSTOM_EVENTS) {
    throw new TypeError(`events: ${names.length} given, at most ${MAX_CUSTOM_EVENTS}`);
  }
  for (const name of names) {
    if (!isEventName(name)) throw new TypeError(`events: "${name}" is no event name (entity.verb)`);
    const label: unknown = catalog[name]?.label;
    if (typeof label !== 'string' || label.length < 1 || label.length > MAX_LABEL_LENGTH) {
      throw new TypeError(`events: the label of "${name}" must be text of 1–${MAX_LABEL_LENGTH} characters`);
    }
  }
  return Object.freeze({ ...catalog });
}

/**
 * The built-in events and then the host's own, each name once.
 *
 * @throws TypeError as {@link defineEvents} does
 */
export function knownEvents(catalog: EventCatalog): readonly KnownEvent[] {
  defineEvents(catalog);
  const labels = new Map(BUILT_IN_EVENTS.map(({ name, label }) => [name, label]));
  for (const [name, { label }] of Object.entries(catalog)) labels.set(name, label);
  return Object.freeze([...labels].map(([name, label]) => Object.freeze({ name, label })));
}
