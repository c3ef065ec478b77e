import { sample } from 'openapi-sampler';
import type { EventDescription } from '../api/records.ts';

/** Levels of objects and arrays that are filled. */
const MAX_DEPTH = 8;
const MAX_CHARACTERS = 32_768;

/**
 * A payload of placeholders that fits a callback's JSON Schema, except for patterns of text and
 * what JSON Schema cannot express.
 *
 * @returns indented JSON; null if the schema describes no member, or too many
 */
export function sampledPayload(schema: EventDescription['schema']): string | null {
  const callback = withoutDefaults(schema);
  const payload: unknown = sample(
    callback,
    { quiet: true, maxSampleDepth: MAX_DEPTH, format: 'json' },
    callback,
  );
  if (typeof payload !== 'object' || payload === null || !('data' in payload)) return null;
  const text = JSON.stringify(payload.data, null, 2);
  return text.startsWith('{\n') && text.length <= MAX_CHARACTERS ? text : null;
}

/**
 * Without what zod writes by itself: "any other member", for which the sampler invents two, and the
 * bounds of a safe integer, of which it takes the least.
 */
function withoutDefaults(schema: EventDescription['schema']): EventDescription['schema'] {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === 'additionalProperties' && JSON.stringify(value) === '{}') return true;
    const isBound = key === 'minimum' || key === 'maximum';
    return isBound && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value;
  });
}
