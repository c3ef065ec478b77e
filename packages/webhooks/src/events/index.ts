export {
  BUILT_IN_EVENTS,
  type BuiltInEventName,
  defineEvents,
  type EventCatalog,
  type EventDefinition,
  type KnownEvent,
} from './catalog.ts';
export {
  type EventSchemas,
  type EventSchemasOptions,
  eventSchemas,
  type JsonSchema,
} from './event-schemas.ts';
export { matchesPattern } from './pattern.ts';
export type { PayloadSchema } from './payload-schema.ts';
export type { EventData, EventName, EventPattern, EventPayload } from './typed-catalog.ts';
