/**
 * Runs a case of a contract. The message of its failure also says what the case demands: an
 * assertion alone names two values that differ.
 *
 * @param advice what to implement, read after the failure
 */
export async function withAdvice(
  { name }: { readonly name: string },
  advice: () => string,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error) append(error, `\n\nBroken promise: ${name}.\n${advice()}`);
    throw error;
  }
}

/** Runners print the message, or the stack, which begins with it. */
function append(error: Error, text: string): void {
  const { message, stack } = error;
  // Some errors, such as a DOMException, do not let it be changed.
  if (!Reflect.set(error, 'message', `${message}${text}`)) return;
  if (stack?.includes(message)) {
    Reflect.set(
      error,
      'stack',
      stack.replace(message, () => `${message}${text}`),
    );
  }
}
