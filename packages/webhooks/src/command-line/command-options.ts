import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

// Node's own parser, because servers install the package and most never run a command: commander
// would add 26 kB (gzipped), citty accepts unknown options silently, and cac turns values that look
// like numbers into numbers. Nested subcommands would be a reason for commander. No option takes a
// secret, because every user of a machine can read the arguments of a process.

/** One option of a command, as `--help` shows it. */
export interface CommandOption {
  /** The name of its value, such as `<port>`. Without one, the option is a switch. */
  readonly value?: string;
  readonly help: string;
}

/** A command: what it takes, and the text of its help. */
export interface Command {
  readonly name: string;
  /** What follows the name, such as `[options] [file]`. */
  readonly takes: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly maxFiles: number;
  /** Paragraphs that follow the options, wrapped by hand at 80 columns. */
  readonly notes: string;
}

/** The options and files of one call. */
export interface CommandInput {
  readonly files: readonly string[];
  /** Gives the value of an option that takes one. An empty value is refused. */
  text(name: string): string | undefined;
  flag(name: string): boolean;
  /** Gives a whole number within bounds. */
  integer(name: string, bounds: { readonly min: number; readonly max: number }): number | undefined;
  /** Gives a time such as `500ms` or `20s`, in milliseconds. */
  durationMs(name: string, maxMs: number): number | undefined;
}

/** The name of the command in help and messages. */
const PROGRAM = 'npx @acme/webhooks';

/** Options of every command. */
export const SHARED_OPTIONS: Readonly<Record<string, CommandOption>> = {
  'secret-file': {
    value: '<path>',
    help: 'a file with the signing secret; of several, one per line',
  },
  json: { help: 'prints JSON for programs' },
  help: { help: 'shows this text' },
};

/**
 * Reads the arguments of a command.
 *
 * @throws UsageError naming the argument and what is allowed. It never repeats a secret.
 */
export function readCommandInput(command: Command, args: readonly string[]): CommandInput {
  refuseSecret(args);
  const { values, positionals } = parse(command, args);
  if (positionals.length > command.maxFiles) {
    throw new UsageError(`${command.name} takes at most ${command.maxFiles} file(s).`);
  }
  function text(name: string): string | undefined {
    const value = values[name];
    if (value === '') throw new UsageError(`--${name} has no value.`);
    return typeof value === 'string' ? value : undefined;
  }
  return {
    files: positionals,
    text,
    flag: (name) => values[name] === true,
    integer(name, { min, max }) {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw new UsageError(`--${name} must be a whole number from ${min} to ${max}.`);
    },
    durationMs(name, maxMs) {
      const value = text(name);
      if (value === undefined) return undefined;
      const [, digits, unit] = /^(\d{1,9})(ms|s)$/.exec(value) ?? [];
      const ms = Number(digits) * (unit === 's' ? 1_000 : 1);
      if (ms <= maxMs) return ms;
      throw new UsageError(`--${name} must be a time up to ${maxMs / 1_000}s, such as 500ms or 20s.`);
    },
  };
}

/** The text of `--help`. */
export function helpOf({ name, takes, summary, options, notes }: Command): string {
  const rows = Object.entries(options).map(([option, { value, help }]) => ({
    left: `  --${option}${value === undefined ? '' : ` ${value}`}`,
    help,
  }));
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2;
  const lines = rows.map(({ left, help }) => {
    // An option that is too long for the column has its text on a line of its own.
    return help
      .split('\n')
      .map((line, index) => (index === 0 ? left : '').padEnd(width) + line)
      .join('\n');
  });
  return `${summary}\n\nUsage: ${PROGRAM} ${name} ${takes}\n\n${lines.join('\n')}\n\n${notes}\n`;
}

/** The commands, shown if none or an unknown one is named. */
export function overviewOf(commands: readonly Command[]): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(8)} ${summary}`);
  return `Usage: ${PROGRAM} <command> [options]\n\n${lines.join('\n')}\n\n${PROGRAM} <command> --help shows the options of a command.\n`;
}

/** Replaces whatever looks like a secret: a message may repeat what the user typed. */
export function withoutSecrets(text: string): string {
  return text.replace(/whsec_[^\s'"]*/g, 'whsec_…');
}

/** Every user of the machine can read the arguments of a process. */
function refuseSecret(args: readonly string[]): void {
  if (!args.some((arg) => /^--secret(=|$)/.test(arg) || arg.includes('whsec_'))) return;
  throw new UsageError(
    'A secret on the command line is visible to every user of this machine, and stays in the history of your shell. ' +
      'Set WEBHOOK_SECRET, or use --secret-file.',
  );
}

function parse({ name, options }: Command, args: readonly string[]): ReturnType<typeof parseArgs> {
  const types = Object.entries(options).map(([option, { value }]) => {
    return [option, { type: value === undefined ? 'boolean' : 'string' } as const] as const;
  });
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(types),
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [reason = ''] = error.message.split(/\. |\n/);
    throw new UsageError(
      `${withoutSecrets(reason.replace(/\.$/, ''))}. ${PROGRAM} ${name} --help lists the options.`,
    );
  }
}
