/** How deep a payload may be nested before a schema sees it. */
export const MAX_PAYLOAD_DEPTH = 200;

/**
 * Copies what a host may still change while a schema reads it, and what a schema might change of
 * the host's: plain objects, arrays and dates, at any depth. Anything else (instances of classes,
 * maps, bytes, what `JSON.rawJSON` made) is passed on as it is, for a schema may ask for exactly
 * that.
 *
 * @throws RangeError when the payload is nested deeper than 200 levels, or in itself
 */
export function payloadSnapshot(payload: unknown, depth = 0): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  if (depth === MAX_PAYLOAD_DEPTH) throw new RangeError(`nested deeper than ${MAX_PAYLOAD_DEPTH} levels`);
  if (Array.isArray(payload)) return Array.from(payload, (item) => payloadSnapshot(item, depth + 1));
  if (isRawJson(payload)) return payload;
  if (payload instanceof Date) return new Date(payload);
  const prototype: unknown = Object.getPrototypeOf(payload);
  if (prototype !== Object.prototype && prototype !== null) return payload;
  // Not by assignment: a member named __proto__ stays a member.
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [key, payloadSnapshot(value, depth + 1)]),
  );
}

/** Whether `JSON.rawJSON` (Node 22) made it: a copy would be an ordinary object. */
function isRawJson(value: object): boolean {
  const test: unknown = Reflect.get(JSON, 'isRawJSON');
  return typeof test === 'function' && test.call(JSON, value) === true;
}
