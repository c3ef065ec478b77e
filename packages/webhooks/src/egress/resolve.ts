/** One answer of a {@link Resolve} function. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/**
 * Resolves a host name to its addresses; rejects when the name does not exist.
 *
 * The name comes in lower case, in its ASCII form and without a trailing dot. What is answered is judged before it
 * is used. While a look-up is under way it is not asked for the same name again, and never for more than 256
 * names at once. The signal fires when nobody waits for the answer any more, 3 s after the last one asked; a
 * look-up that goes on nevertheless keeps its place until it ends, for at most 30 s.
 */
export type Resolve = (
  hostname: string,
  context: { readonly signal: AbortSignal },
) => Promise<readonly ResolvedAddress[]>;
