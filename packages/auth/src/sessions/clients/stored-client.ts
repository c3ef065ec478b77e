import type { SessionClient } from '../sessions-options.ts';

const MAX_USER_AGENT_LENGTH = 256;
const MAX_IP_LENGTH = 64;

/** A client as a store keeps it: bounded texts, empty where nothing is known. */
export interface StoredClient {
  readonly ip: string;
  readonly userAgent: string;
}

export function storedClient({ ip, userAgent }: SessionClient): StoredClient {
  return { ip: storableText(ip, MAX_IP_LENGTH), userAgent: storableText(userAgent, MAX_USER_AGENT_LENGTH) };
}

/**
 * Text for a database: bounded, without control characters, which PostgreSQL (U+0000) and terminals
 * mind.
 */
function storableText(text: string | undefined, maxLength: number): string {
  return (text ?? '').slice(0, maxLength).replace(/[\p{Cc}\p{Surrogate}]/gu, '\uFFFD');
}
