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
  const undici: { readonly Client?: HttpClient; readonly default?: { readonly Client: HttpClient } } =
    await import('undici/index.js');
  // A bundler that splits may put CommonJS into a chunk of its own that has a default export alone.
  const client = undici.Client ?? undici.default?.Client;
  if (client === undefined) throw new Error('undici was loaded without its Client');
  return client;
}
