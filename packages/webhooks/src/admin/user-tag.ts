import { createHash } from 'node:crypto';

/** Pages learn from it that they have another user than before, and have their changes refused. */
export const USER_HEADER = 'Webhooks-User';

/**
 * The same text for the same user of the same tenant, from every instance. No secret: who has it
 * may find out both by trying.
 */
export function userTag(uid: string, tenant?: string): string {
  const text = JSON.stringify([uid, tenant]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
