/**
 * The grammars of event names and patterns as ECMA-262 regular expressions, for the OpenAPI
 * document. `isEventName` and `isEventPattern` decide what is accepted; a test compares them.
 */
export const EVENT_NAME = '^[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)+$';
export const EVENT_PATTERN = '^(?:\\*|[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*\\.(?:\\*|[A-Za-z0-9_-]+))$';
