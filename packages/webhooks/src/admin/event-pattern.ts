/**
 * The grammars of event names and patterns as regular expressions of ECMA-262, for documents. What is accepted is
 * decided by `isEventName` and `isEventPattern`; a test compares them.
 */
export const EVENT_NAME = '^[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)+$';
export const EVENT_PATTERN = '^(?:\\*|[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*\\.(?:\\*|[A-Za-z0-9_-]+))$';
