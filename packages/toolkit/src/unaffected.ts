/** Calls a method of the host's logger. No one is left to report its failure to. */
export function unaffected(log: () => unknown): void {
  try {
    const written = log();
    // A logger that writes asynchronously returns a promise, whatever its type says.
    if (written instanceof Promise) written.catch(() => {});
  } catch {}
}
