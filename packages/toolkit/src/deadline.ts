/**
 * Waits for work, but not for longer than `ms`.
 *
 * Work that is late continues unobserved: its result is dropped, and its rejection is never an
 * unhandled one.
 *
 * @param onLate answers in place of work that is late, or throws
 * @param options `unref`: the timer does not keep the process alive. Default false
 * @throws the rejection of work that ends in time; any error of `onLate`
 */
export async function withDeadline<Result, Late = never>(
  work: Result | PromiseLike<Result>,
  ms: number,
  onLate: () => Late | PromiseLike<Late>,
  { unref = false }: { readonly unref?: boolean } = {},
): Promise<Result | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    // A browser's timer is a number.
    if (unref) (timer as { unref?(): void }).unref?.();
  });
  try {
    // A race keeps listening to both promises, so it handles a late rejection and drops it.
    return await Promise.race([work, late.then(onLate)]);
  } finally {
    clearTimeout(timer);
  }
}
