import { z } from 'zod';
import { isShownTo } from '../../src/admin/audience.ts';
import type { Route } from '../../src/admin/routes/route.ts';
import { WEBHOOK_SETTINGS } from '../../src/storage/webhook-record.ts';
import { HOOK_URL } from './portal-harness.ts';

/** What a request may name: ids and the like, of one tenant or of nobody. */
export interface Names {
  readonly webhook: number;
  readonly delivery: string;
  readonly etag: string;
  /** The places after which pages of each kind go on. */
  readonly history: string;
  readonly search: string;
  readonly recovery: string;
  readonly event: string;
  /** A part of a URL. */
  readonly text: string;
}

/** A place in a request, such as `path.id`. */
type Field = string;

/**
 * Fields that name something, by place or, where a route means another thing by it, by route. Lists
 * have what is the caller's own besides, where that changes nothing of it.
 */
const NAMING: Readonly<Record<Field, (names: Names, own: Names) => unknown>> = {
  'path.id': ({ webhook }) => webhook,
  'path.delivery_id': ({ delivery }) => delivery,
  'path.name': ({ event }) => event,
  'header.if-match': ({ etag }) => `"${etag}"`,
  'query.search': ({ text }) => text,
  'query.event': ({ event }) => event,
  'query.delivery_id': ({ delivery }) => delivery,
  'query.webhook_id': ({ webhook }) => webhook,
  'query.webhooks': ({ webhook }, own) => `${own.webhook},${webhook}`,
  'listDeliveries.query.cursor': ({ history }) => history,
  'searchDeliveries.query.cursor': ({ search }) => search,
  'recover.body.cursor': ({ recovery }) => recovery,
  'body.webhooks': ({ webhook }, own) => [own.webhook, webhook],
  'body.deliveries': ({ delivery }) => [delivery],
  'body.event': ({ event }) => event,
  'body.events': ({ event }) => [event],
};

/** Fields that name nothing of anybody, with a value where one is needed. */
const PLAIN: Readonly<Record<Field, unknown>> = {
  ...Object.fromEntries(
    [
      ...['active', 'health', 'limit', 'offset', 'sort', 'order', 'status', 'error', 'status_code'],
      ...['from', 'to', 'interval'],
    ].map((name) => [`query.${name}`, undefined]),
  ),
  ...Object.fromEntries(Object.values(WEBHOOK_SETTINGS).map(({ column }) => [`body.${column}`, undefined])),
  'body.url': HOOK_URL,
  'body.name': 'changed',
  'body.description': 'changed',
  'body.end_previous': undefined,
  'body.payload': undefined,
  'body.action': 'activate',
  'body.dry_run': undefined,
  'body.since': '2026-01-01T00:00:00Z',
  'body.until': undefined,
};

/** A request below the base path. */
export interface FilledRequest {
  readonly method: string;
  readonly path: string;
  readonly options: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> };
}

/** The fields of a route that name something. */
export function namingFields(route: Route): Field[] {
  return fieldsOf(route).filter((field) => namingOf(route, field) !== undefined);
}

/**
 * The request of a route in which each of the fields names what is given for it; others that it
 * needs are plain, or name what is its caller's own.
 *
 * @throws Error for a field that is in neither table: a new one says there what it may name
 */
export function filled(route: Route, own: Names, named: ReadonlyMap<Field, Names>): FilledRequest {
  const values = new Map<Field, unknown>();
  for (const field of fieldsOf(route)) {
    const naming = namingOf(route, field);
    if (naming === undefined && !Object.hasOwn(PLAIN, field)) {
      throw new Error(`${route.name} has ${field}: say in fillings.ts what it names`);
    }
    const given = named.get(field) ?? (isNeeded(route, field) ? own : undefined);
    const value = naming === undefined ? PLAIN[field] : given && naming(given, own);
    if (value !== undefined) values.set(field, value);
  }
  const under = (place: string) =>
    [...values]
      .filter(([field]) => field.startsWith(`${place}.`))
      .map(([field, value]): [string, unknown] => [field.slice(place.length + 1), value]);
  const texts = (place: string): Record<string, string> =>
    Object.fromEntries(under(place).map(([name, value]) => [name, String(value)]));
  const query = new URLSearchParams(texts('query'));
  const path = under('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, String(value)),
    route.path,
  );
  const body = Object.fromEntries(under('body'));
  return {
    method: route.method,
    path: query.size === 0 ? path : `${path}?${query}`,
    options: { ...(shapeOf(route.body) && { body }), headers: texts('header') },
  };
}

function namingOf({ name }: Route, field: Field) {
  return NAMING[`${name}.${field}`] ?? NAMING[field];
}

function fieldsOf(route: Route): Field[] {
  const under = (place: string, shape: object = {}) =>
    Object.entries(shape)
      .filter(([, schema]) => isShownTo('customers', schema))
      .map(([name]) => `${place}.${name}`);
  return [
    ...under('path', route.params.shape),
    ...under('query', route.query.shape),
    ...under('body', shapeOf(route.body)),
    ...(route.isConditional ? ['header.if-match'] : []),
  ];
}

function isNeeded(route: Route, field: Field): boolean {
  const [place = '', name = ''] = field.split('.');
  const shape = { path: route.params.shape, query: route.query.shape, body: shapeOf(route.body) }[place];
  const schema: unknown = shape?.[name];
  return place === 'path' || (schema instanceof z.ZodType && !schema.safeParse(undefined).success);
}

function shapeOf(schema: z.ZodType): z.ZodRawShape | undefined {
  const object = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return object instanceof z.ZodObject ? object.shape : undefined;
}
