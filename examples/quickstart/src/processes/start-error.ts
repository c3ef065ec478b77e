/**
 * The reason why the demo cannot start, in words for the person at the terminal. It is printed as
 * it is, without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Runs the main function of a process. If it fails, prints why and lets the process end with exit
 * code 1.
 */
export async function runProcess(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof StartError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
