import type { PayloadSchema } from './payload-schema.ts';

/** An administrator may edit an example and send it in a body of 64 KiB. */
const MAX_EXAMPLE_BYTES = 32_768;

/**
 * Checks an event's example, against its schema as well unless that is asynchronous.
 *
 * @throws TypeError naming the event
 */
export function assertExample(event: string, example: unknown, schema: PayloadSchema | undefined): void {
  const text = jsonText(example);
  if (text?.[0] !== '{' || new TextEncoder().encode(text).length > MAX_EXAMPLE_BYTES) {
    throw new TypeError(
      `events: the example of "${event}" must be an object of at most ${MAX_EXAMPLE_BYTES} bytes of JSON`,
    );
  }
  if (schema === undefined) return;
  const result: unknown = schema['~standard'].validate(JSON.parse(text));
  // Nobody waits for an asynchronous schema here: it decides when the example is sent.
  if (result instanceof Promise) result.catch(() => undefined);
  if (typeof result === 'object' && result !== null && 'issues' in result && result.issues) {
    throw new TypeError(`events: the example of "${event}" does not fit its payload schema`);
  }
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
