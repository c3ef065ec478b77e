import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The two servers and the worker, each a process of its own. */
export const APP_ENTRY: URL = new URL('../app/server.ts', import.meta.url);
export const RECIPIENT_ENTRY: URL = new URL('../recipient/server.ts', import.meta.url);
export const WORKER_ENTRY: URL = new URL('../worker/worker.ts', import.meta.url);

/** Runs something with a temporary folder, which is removed afterwards. */
export async function withTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'acme-quickstart-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
