import { withoutSecrets } from './command-options.ts';
import { visibleText } from './visible-text.ts';

/** The exit code of a command that fails for a reason that it does not know. */
const UNEXPECTED = 4;

/**
 * Says in one line why a command failed, and ends the process. Node itself would print the stack,
 * and exit with 1, which means something else in both commands. The line never contains a secret.
 */
export function endUnexpectedly(error: unknown): never {
  const text = withoutSecrets(String(error));
  process.stderr.write(`The command failed unexpectedly: ${visibleText(text)}\n`);
  process.exit(UNEXPECTED);
}
