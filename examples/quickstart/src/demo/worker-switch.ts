import { type Child, startChild } from './child-process.ts';

/** The worker, which the page kills and starts again. */
export interface WorkerSwitch {
  readonly state: 'runs' | 'starts' | 'is dead';
  start(): Promise<void>;
  /** Gives it no chance to do anything more. */
  kill(): Promise<void>;
  /** Waits for what it has begun. */
  end(): Promise<void>;
}

export function createWorkerSwitch(): WorkerSwitch {
  let worker: Promise<Child> | undefined;
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    await (await worker?.catch(() => undefined))?.end(signal);
  };
  const worked: { -readonly [Key in keyof WorkerSwitch]: WorkerSwitch[Key] } = {
    state: 'is dead',
    async start() {
      if (worker !== undefined) return;
      worked.state = 'starts';
      worker = startChild('worker');
      const gone = () => {
        worker = undefined;
        worked.state = 'is dead';
      };
      try {
        const { exited } = await worker;
        worked.state = 'runs';
        void exited.then(gone);
      } catch (error) {
        gone();
        throw error;
      }
    },
    kill: () => end('SIGKILL'),
    end: () => end('SIGTERM'),
  };
  return worked;
}
