import { VERSION } from '../version.ts';
import { type Command, helpOf, overviewOf, readCommandInput, withoutSecrets } from './command-options.ts';
import { LISTEN, listen } from './listen/listen.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { VERIFY, verifyRequest } from './verify/verify-request.ts';

/** Runs one command. Gives the exit code. */
type Run = (
  input: ReturnType<typeof readCommandInput>,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
) => Promise<number>;

const COMMANDS: readonly { readonly command: Command; readonly run: Run }[] = [
  { command: LISTEN, run: listen },
  { command: VERIFY, run: verifyRequest },
];

/**
 * Runs `listen` or `verify`.
 *
 * @returns the exit code: that of the command, 2 for a call, a file or a secret that cannot be used
 */
export async function runCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = openTerminal(env);
  const [name = '--help', ...rest] = args;
  const overview = overviewOf(COMMANDS.map(({ command }) => command));
  if (name === '--version') return print(terminal, `${VERSION}\n`);
  if (name === '--help' || name === 'help') return print(terminal, overview);
  const found = COMMANDS.find(({ command }) => command.name === name);
  try {
    if (found === undefined) throw new UsageError(`There is no such command.\n\n${overview.trimEnd()}`);
    if (rest.includes('--help')) return await print(terminal, helpOf(found.command));
    return await found.run(readCommandInput(found.command, rest), env, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.warn(withoutSecrets(error.message));
    return 2;
  }
}

async function print(terminal: Terminal, text: string): Promise<number> {
  await terminal.print(text);
  return 0;
}
