/**
 * Waits for work, but not for longer than `ms`.
 *
 * Work that is late goes on unobserved: what it gives is dropped, and its rejection is never an
 * unhandled one.
 *
 * @param onLate answers in the place of work that is late, or throws
 * @param options `unref`: the timer alone keeps no process alive. Default false
 * @throws what the work rejects with in time; what `onLate` throws
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
    if (unref) timer.unref();
  });
  try {
    // A race listens to both of them for good: a rejection that comes late is heard and dropped.
    return await Promise.race([work, late.then(onLate)]);
  } finally {
    clearTimeout(timer);
  }
}
