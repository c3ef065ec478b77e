import { DELIVERY_JOB_KIND } from './queue.ts';

/**
 * Reads the option that names a backend's queue: 1–100 letters, digits, `_`, `-` and `.`, which
 * every backend accepts.
 *
 * @throws TypeError when the name is invalid
 */
export function queueNameOption(value: string | undefined): string {
  const name: unknown = value ?? DELIVERY_JOB_KIND;
  if (typeof name === 'string' && /^[\w.-]{1,100}$/.test(name)) return name;
  throw new TypeError('queueName must be text of 1–100 letters, digits, "_", "-" or "."');
}
