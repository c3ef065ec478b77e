import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A recipient that runs in a process of its own. */
export interface RecipientProcess {
  readonly origin: string;
  close(): void;
}

export async function startRecipient(): Promise<RecipientProcess> {
  const child = fork(fileURLToPath(new URL('./recipient.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const [port] = await once(child, 'message');
  return { origin: `http://127.0.0.1:${String(port)}`, close: () => child.kill() };
}
