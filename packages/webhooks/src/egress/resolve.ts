/** One answer of a {@link Resolve} function. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/**
 * Resolves a host name to its addresses. Rejects if the name does not exist.
 *
 * The name is in lower case, in its ASCII form and without a trailing dot. The address policy
 * judges the answer before it is used. The function is not called again for a name while a lookup
 * of it is running, and never for more than 256 names at once. The signal fires when no caller
 * waits for the answer any longer, 3 s after the last call. A lookup that continues nevertheless
 * keeps its slot until it ends, for at most 30 s.
 */
export type Resolve = (
  hostname: string,
  context: { readonly signal: AbortSignal },
) => Promise<readonly ResolvedAddress[]>;
