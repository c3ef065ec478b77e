/** A command line, a file or a secret that the command cannot use. It ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
