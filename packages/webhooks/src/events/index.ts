export {
  BUILT_IN_EVENTS,
  type BuiltInEventName,
  defineEvents,
  type EventCatalog,
  type KnownEvent,
} from './catalog.ts';
export type { CatalogSchemasOptions } from './event-schemas.ts';
export { type EventSchemas, eventSchemas } from './event-schemas.ts';
export { matchesPattern } from './pattern.ts';
export type { EventData, EventName, EventPayload } from './typed-catalog.ts';
