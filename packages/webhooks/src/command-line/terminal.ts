import { once } from 'node:events';
import { styleText } from 'node:util';

/** Colours by what they say. */
export type Tone = 'good' | 'bad' | 'notable' | 'quiet';

const COLOURS = { good: 'green', bad: 'red', notable: 'yellow', quiet: 'gray' } as const;

/** Columns where the output is no terminal. */
const DEFAULT_COLUMNS = 100;

/** Where a command prints. */
export interface Terminal {
  readonly columns: number;
  /** Prints to standard output. Waits for a reader that is slower than the requests. */
  print(text: string): Promise<void>;
  /** Prints one line to standard error. */
  warn(text: string): void;
  /** Colours text where standard output is a terminal, unless `NO_COLOR` is set. */
  paint(tone: Tone, text: string): string;
}

/**
 * The exit code of a command whose output cannot be written: its reader is gone, or the disk is
 * full.
 */
const NO_OUTPUT = 2;

/** Opens standard output. The process ends once that cannot be written. */
export function openTerminal(env: NodeJS.ProcessEnv): Terminal {
  const { stdout, stderr } = process;
  const isColoured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  for (const stream of [stdout, stderr]) stream.on('error', () => process.exit(NO_OUTPUT));
  let drained: Promise<unknown> | undefined;
  return {
    columns: Math.max(40, stdout.columns ?? DEFAULT_COLUMNS),
    async print(text) {
      if (stdout.write(text)) return;
      drained ??= once(stdout, 'drain').finally(() => {
        drained = undefined;
      });
      await drained;
    },
    warn: (text) => void stderr.write(`${text}\n`),
    paint: (tone, text) => (isColoured ? styleText(COLOURS[tone], text) : text),
  };
}
