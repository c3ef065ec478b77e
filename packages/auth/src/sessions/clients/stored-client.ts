import { logSafeText } from '../../text/log-safe-text.ts';
import type { SessionClient } from '../sessions-options.ts';

const MAX_USER_AGENT_LENGTH = 256;
const MAX_IP_LENGTH = 64;

/** A client as a store keeps it: bounded texts, empty if nothing is known. */
export interface StoredClient {
  readonly ip: string;
  readonly userAgent: string;
}

export function storedClient(client: SessionClient): StoredClient {
  const { ip = '', userAgent = '' } = plainClient(client);
  return {
    ip: logSafeText(ip, MAX_IP_LENGTH),
    userAgent: logSafeText(userAgent, MAX_USER_AGENT_LENGTH),
  };
}

/**
 * Reads `null`, as `headers.get` returns it, as `undefined`.
 *
 * @throws TypeError naming a member that is no text
 */
export function plainClient<Client extends SessionClient>(client: Client): Client {
  const { ip, userAgent } = client;
  return { ...client, ip: plainText('client.ip', ip), userAgent: plainText('client.userAgent', userAgent) };
}

function plainText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} must be a string, got ${typeof value}`);
}
