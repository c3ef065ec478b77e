import type { AddressPolicy } from './address-policy.ts';
import { lookUpsOf } from './look-ups.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

/** The most addresses a name may resolve to; a longer answer is refused as a whole. */
export const MAX_RESOLVED_ADDRESSES = 16;

/**
 * What became of a look-up: addresses that may all be connected to, a name that did not resolve in time, or
 * an answer that is refused because at least one of its addresses is not reachable.
 */
export type Resolution =
  | { readonly kind: 'reachable'; readonly addresses: readonly string[] }
  | { readonly kind: 'unresolved' }
  | { readonly kind: 'refused'; readonly because: string };

/**
 * Resolves `hostname` and judges every address of the answer; never rejects.
 *
 * One unreachable address refuses the whole set: a mixed answer is how a name is pointed inside on the second
 * look-up. So does an answer of more than 16 addresses, or one that is malformed. Takes at most 3 s.
 */
export async function resolveAddresses(
  hostname: string,
  policy: AddressPolicy,
  resolve: Resolve,
): Promise<Resolution> {
  const answers = await lookUpsOf(resolve).find(hostname);
  if (answers === undefined) return { kind: 'unresolved' };
  if (!Array.isArray(answers)) return { kind: 'refused', because: 'the resolver answered no list' };
  if (answers.length > MAX_RESOLVED_ADDRESSES) {
    return { kind: 'refused', because: `more than ${MAX_RESOLVED_ADDRESSES} addresses` };
  }
  if (answers.length === 0) return { kind: 'unresolved' };
  const addresses = answers.map((answer: Partial<ResolvedAddress> | null) => String(answer?.address));
  for (const address of addresses) {
    const { reachable, because } = policy.judge(address);
    if (!reachable) return { kind: 'refused', because: `${address.slice(0, 64)} is ${because}` };
  }
  return { kind: 'reachable', addresses };
}
