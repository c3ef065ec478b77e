/** What is read faster than this is always read anew. */
const FAST_MS = 250;
/** What is slow is kept for ten times as long as it took, so that it takes a tenth of the time. */
const KEPT_PER_MS = 10;
const MAX_KEPT_MS = 15_000;
/** A read that takes longer is no longer shared: it may never end. */
const MAX_SHARED_MS = 30_000;

/**
 * A read that is not repeated by everybody who asks: calls within its first 30 s share its result,
 * and if it was slow, so do those of the next seconds, at most 15. After that, nothing is kept.
 */
export function keptIfSlow<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let kept: { readonly result: Promise<Result>; readonly until: number } | undefined;
  return () => {
    const begun = performance.now();
    if (kept !== undefined && begun < kept.until) return kept.result;
    const result = read();
    const reading = { result, until: begun + MAX_SHARED_MS };
    kept = reading;
    const drop = () => {
      if (kept === reading) kept = undefined;
    };
    result.then(() => {
      const now = performance.now();
      if (now - begun < FAST_MS) return drop();
      const keptMs = Math.min(KEPT_PER_MS * (now - begun), MAX_KEPT_MS);
      reading.until = now + keptMs;
      setTimeout(drop, keptMs).unref?.();
    }, drop);
    return result;
  };
}
