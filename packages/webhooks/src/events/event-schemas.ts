import {
  type BuiltInChoice,
  type BuiltInEventName,
  builtInEventsOf,
  type EventCatalog,
  type KnownEvent,
  knownEvents,
  payloadSchemaOf,
} from './catalog.ts';
import type { PayloadSchema } from './payload-schema.ts';
import type { EventName, KeptEvents } from './typed-catalog.ts';

/** A JSON Schema of draft 2020-12, the one that OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * JSON Schemas by event name.
 *
 * As a mapped type it makes the compiler compare engines of different catalogs member by member.
 * Otherwise the compiler would conclude from the catalogs' types that the engines are not
 * assignable.
 */
export type EventSchemas<
  Catalog extends EventCatalog = EventCatalog,
  BuiltIn extends BuiltInEventName = BuiltInEventName,
> = {
  readonly [Event in EventName<Catalog, BuiltIn>]: JsonSchema;
};

/** What {@link eventSchemas} takes beside a catalog. */
export interface CatalogSchemasOptions<BuiltIn extends BuiltInChoice = true> {
  /**
   * The built-in events that are included, as in the option of `createWebhooks`: `true` for all
   * (default), `false` for none, or a list of names. `webhook.test` always is.
   */
  readonly builtInEvents?: BuiltIn | undefined;
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The schema of a payload without one. `additionalProperties` is explicit for code generators. */
const ANY_OBJECT: JsonSchema = Object.freeze({ type: 'object', additionalProperties: true });

/**
 * Returns the JSON Schema of the callback body `{type, timestamp, data}` of every known event by
 * name, including the built-in events unless `builtInEvents` leaves them out.
 *
 * `data` is described as it is sent: by the output of the event's payload schema, if the schema
 * library supports Standard JSON Schema (zod 4.2+, ArkType 2.1.28+, valibot through
 * `toStandardJsonSchema`), and as any object otherwise. A zod `date` becomes its JSON text; a type
 * that zod cannot express becomes `{}`.
 *
 * @param catalog the result of `defineEvents`. Default: only the built-in events.
 * @throws TypeError if `builtInEvents` is neither a boolean nor a list of built-in names
 * Source: https://standardschema.dev/json-schema, version 1.
 */
export function eventSchemas<Catalog extends EventCatalog, const BuiltIn extends BuiltInChoice = true>(
  catalog?: Catalog | undefined,
  options?: CatalogSchemasOptions<BuiltIn>,
): EventSchemas<Catalog, KeptEvents<BuiltIn>>;
export function eventSchemas(
  catalog: EventCatalog = {},
  { builtInEvents }: CatalogSchemasOptions<BuiltInChoice> = {},
): Readonly<Record<string, JsonSchema>> {
  return schemasOf(knownEvents(catalog, builtInEventsOf(builtInEvents)), catalog);
}

/** The schemas of an installation's events, which may lack some of the built-in ones. */
export function schemasOf<Catalog extends EventCatalog, BuiltIn extends BuiltInEventName>(
  events: readonly KnownEvent[],
  catalog?: Catalog | undefined,
): EventSchemas<Catalog, BuiltIn>;
export function schemasOf(
  events: readonly KnownEvent[],
  catalog: EventCatalog = {},
): Readonly<Record<string, JsonSchema>> {
  const schemas = events.map(({ name, label }) => {
    const payload = payloadSchemaOf(catalog, name);
    const body = {
      $schema: DIALECT,
      description: label,
      type: 'object',
      properties: {
        type: { type: 'string', const: name },
        timestamp: { type: 'string', format: 'date-time', description: 'When the delivery was created.' },
        data: payload === undefined ? ANY_OBJECT : dataSchema(payload),
      },
      required: ['type', 'timestamp', 'data'],
    };
    return [name, Object.freeze(body)] as const;
  });
  return Object.freeze(Object.fromEntries(schemas));
}

/**
 * Returns an event's schema for its place in a larger document, a URI fragment such as
 * `#/components/schemas/order.created`: its references start there.
 */
export function placedSchema(schema: JsonSchema, place: string): JsonSchema {
  const { $schema: _, ...placed } = schema;
  return Object.fromEntries(Object.entries(placed).map(relocatedMember(place)));
}

function dataSchema(payload: PayloadSchema): JsonSchema {
  const standard: PayloadSchema['~standard'] & { readonly jsonSchema?: unknown } = payload['~standard'];
  const { jsonSchema, vendor } = standard;
  if (typeof jsonSchema !== 'object' || jsonSchema === null || !('output' in jsonSchema)) return ANY_OBJECT;
  if (typeof jsonSchema.output !== 'function') return ANY_OBJECT;
  const libraryOptions = vendor === 'zod' ? { libraryOptions: ZOD_OPTIONS } : {};
  try {
    const schema: unknown = jsonSchema.output({ target: 'draft-2020-12', ...libraryOptions });
    const relocated = relocate(schema, '#/properties/data');
    return isJsonObject(relocated) ? relocated : ANY_OBJECT;
  } catch {
    // Standard JSON Schema allows a library to throw for types that JSON Schema cannot express.
    return ANY_OBJECT;
  }
}

/** Parameters of zod's `toJSONSchema`. */
const ZOD_OPTIONS = {
  // A member that JSON Schema cannot express must not hide the others.
  unrepresentable: 'any',
  // An `id` would move its schema to `$defs`, which type generators show as a member of the
  // payload.
  metadata: {
    get(schema: { readonly meta?: () => Readonly<Record<string, unknown>> | undefined }) {
      const { id: _, ...metadata } = schema.meta?.() ?? {};
      return metadata;
    },
  },
  override({ zodSchema, jsonSchema }: ZodOverride) {
    if (zodSchema._zod.def.type === 'date')
      Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  },
};

interface ZodOverride {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly jsonSchema: object;
}

/** Keywords whose members are schemas under arbitrary names, and keywords whose values are data. */
const SCHEMAS_BY_NAME = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
const DATA = ['const', 'enum', 'default', 'examples'];

/** Rewrites a schema's references to itself for its position in a larger document. */
function relocate(schema: unknown, base: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => relocate(item, base));
  return isJsonObject(schema) ? placedSchema(schema, base) : schema;
}

function relocatedMember(base: string) {
  return ([keyword, value]: [string, unknown]): [string, unknown] => {
    if (keyword === '$ref' && typeof value === 'string') return [keyword, relocateReference(value, base)];
    if (DATA.includes(keyword)) return [keyword, value];
    if (!SCHEMAS_BY_NAME.includes(keyword) || !isJsonObject(value)) return [keyword, relocate(value, base)];
    const named = Object.entries(value).map(([name, member]) => [name, relocate(member, base)]);
    return [keyword, Object.fromEntries(named)];
  };
}

function relocateReference(reference: string, base: string): string {
  return reference === '#' || reference.startsWith('#/') ? `${base}${reference.slice(1)}` : reference;
}

function isJsonObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
