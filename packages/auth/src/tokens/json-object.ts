import { isUtf8 } from 'node:buffer';

/** A parsed JSON object. It has a prototype: read its own members alone, as {@link member} does. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses a JSON object from UTF-8 bytes, or gives `undefined` for anything else.
 *
 * Of several members of one name the last counts, as in jose. A byte order mark is left in the
 * text, where JSON.parse refuses it.
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject | undefined {
  if (!isUtf8(bytes)) return undefined;
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const value: unknown = JSON.parse(buffer.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Gives a member that the JSON text itself held.
 *
 * What somebody added to `Object.prototype` is no member, and one called `__proto__` is a member
 * like any other.
 */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
