import { type Child, startChild } from '../../processes/child-process.ts';
import { WORKER_ENTRY } from '../../processes/demo-processes.ts';

/** What the app asks of the process that started it, and is told. */
export type WorkerOrder = 'kill' | 'start';
export type WorkerState = 'runs' | 'starts' | 'is dead';

/** The worker, which the page can kill and start again. */
export interface SwitchedWorker {
  start(): Promise<void>;
  /** Follows the orders of the app, and tells it the state. */
  obey(app: Child): void;
  /** Asks the worker to end, and waits for it. */
  end(): Promise<void>;
}

export function createSwitchedWorker(env: NodeJS.ProcessEnv): SwitchedWorker {
  let worker: Promise<Child> | undefined;
  let tell: (state: WorkerState) => void = () => {};

  async function start(): Promise<void> {
    if (worker !== undefined) return;
    tell('starts');
    const started = startChild(WORKER_ENTRY, { env });
    worker = started;
    const gone = () => {
      if (worker === started) worker = undefined;
      tell('is dead');
    };
    try {
      const { exited } = await started;
      tell('runs');
      void exited.then(gone);
    } catch (error) {
      gone();
      throw error;
    }
  }

  return {
    start,
    obey(app) {
      tell = (worker) => app.send({ worker });
      app.onMessage((message) => {
        const order =
          typeof message === 'object' && message !== null && 'worker' in message && message.worker;
        if (order === 'start') start().catch((error: unknown) => console.error(error));
        // Its start has reported why there is none.
        if (order === 'kill') worker?.then((child) => child.kill()).catch(() => {});
      });
    },
    async end() {
      await (await worker?.catch(() => undefined))?.stop();
    },
  };
}
