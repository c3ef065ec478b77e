import type { AddressPolicy } from './address-policy.ts';
import { lookupsOf } from './lookups.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

/**
 * The most addresses that a name may resolve to. A longer answer is refused as a whole. All are
 * judged, few are tried.
 */
export const MAX_RESOLVED_ADDRESSES = 64;

/**
 * The result of a lookup: addresses that deliveries may all connect to, a name that did not resolve
 * in time, or an answer that is refused because at least one of its addresses is not reachable.
 */
export type Resolution =
  | { readonly kind: 'reachable'; readonly addresses: readonly string[] }
  | { readonly kind: 'unresolved' }
  | RefusedResolution;

/**
 * `because` is for the operator. `reason` is for the URL's owner, and present only if it reveals
 * nothing internal.
 */
interface RefusedResolution {
  readonly kind: 'refused';
  readonly because: string;
  readonly reason?: string;
}

/**
 * Resolves `hostname` and judges every address of the answer. Never rejects.
 *
 * One unreachable address refuses the whole answer: DNS rebinding uses mixed answers to reach an
 * internal address on the second lookup. An answer of more than 64 addresses, or a malformed one,
 * is also refused. Takes at most 3 s.
 */
export async function resolveAddresses(
  hostname: string,
  policy: AddressPolicy,
  resolve: Resolve,
): Promise<Resolution> {
  const answers = await lookupsOf(resolve).find(hostname);
  if (answers === undefined) return { kind: 'unresolved' };
  if (!Array.isArray(answers)) return { kind: 'refused', because: 'the resolver answered no list' };
  if (answers.length > MAX_RESOLVED_ADDRESSES) {
    const because = `more than ${MAX_RESOLVED_ADDRESSES} addresses`;
    return { kind: 'refused', because, reason: `The host leads to ${because}.` };
  }
  if (answers.length === 0) return { kind: 'unresolved' };
  const addresses = textsOf(answers);
  if (addresses === undefined)
    return { kind: 'refused', because: 'an answer of the resolver cannot be read' };
  for (const address of addresses) {
    const { reachable, because } = policy.judge(address);
    if (!reachable) return { kind: 'refused', because: `${address.slice(0, 64)} is ${because}` };
  }
  return { kind: 'reachable', addresses };
}

/** The addresses of an answer, including holes in the array. Undefined if reading it throws. */
function textsOf(
  answers: readonly (Partial<ResolvedAddress> | null | undefined)[],
): readonly string[] | undefined {
  try {
    return Array.from(answers, (answer) => String(answer?.address));
  } catch {
    return undefined;
  }
}
