export {
  BUILT_IN_EVENTS,
  type BuiltInChoice,
  type BuiltInEventName,
  defineEvents,
  type EventCatalog,
  type EventDefinition,
  type KnownEvent,
} from './catalog.ts';
export {
  type EventSchemas,
  eventSchemas,
  type JsonSchema,
} from './event-schemas.ts';
export { matchesPattern } from './pattern.ts';
export type { PayloadSchema } from './payload-schema.ts';
export type { EventData, EventName, EventPattern, EventPayload, KeptEvents } from './typed-catalog.ts';
