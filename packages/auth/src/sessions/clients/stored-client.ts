import { logSafeText } from '../../text/log-safe-text.ts';
import type { SessionClient } from '../sessions-options.ts';

const MAX_USER_AGENT_LENGTH = 256;
const MAX_IP_LENGTH = 64;

/** A client as a store keeps it: bounded texts, empty where nothing is known. */
export interface StoredClient {
  readonly ip: string;
  readonly userAgent: string;
}

export function storedClient({ ip, userAgent }: SessionClient): StoredClient {
  return {
    ip: logSafeText(ip ?? '', MAX_IP_LENGTH),
    userAgent: logSafeText(userAgent ?? '', MAX_USER_AGENT_LENGTH),
  };
}
