import type { Client } from 'undici';

/** The constructor of undici's client. */
export type HttpClient = typeof Client;

/**
 * Loads undici on the first call, which an engine makes when it starts: it takes longer to load
 * than all the rest, and a process that only dispatches needs none of it.
 */
export async function loadHttpClient(): Promise<HttpClient> {
  // Imported by its file, because Bun replaces the bare name by a client of its own, which ignores
  // connectors. The bare name will do once Bun's client passes `assertEgressGuard`.
  const { Client } = await import('undici/index.js');
  return Client;
}
