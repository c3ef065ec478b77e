import { isPlainLine } from '../../../toolkit/src/plain-line.ts';

/** In UTF-16 code units. */
const MAX_TENANT_LENGTH = 64;

/** What {@link isTenant} accepts, for messages. */
export const TENANT_BOUNDS: string = `1 to ${MAX_TENANT_LENGTH} printable characters without spaces at the ends`;

/** Matches what no font shows: two tenants that look alike would be two customers. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Tells whether a value names a customer. Databases keep it byte by byte. Those that pad texts
 * compare without the spaces at the end, which is why it has none.
 */
export function isTenant(value: unknown): value is string {
  if (typeof value !== 'string' || value.length < 1 || value.length > MAX_TENANT_LENGTH) return false;
  return isPlainLine(value) && !INVISIBLE.test(value) && value.trim() === value;
}

/** A tenant as hooks, logs and answers name it: not at all if the webhook is the host's own. */
export function tenantField(tenant: string): { readonly tenant?: string } {
  return tenant === '' ? {} : { tenant };
}
