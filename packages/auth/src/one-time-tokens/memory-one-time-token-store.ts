import type { HostTransaction } from '../host-transaction.ts';
import type { OneTimeToken, OneTimeTokenStore, PresentedOneTimeToken } from './one-time-token-store.ts';

type StoredToken = OneTimeToken & { readonly tokenHash: string };

/**
 * Stores one-time tokens in the memory of this process, without a limit: for tests and
 * demonstrations. The tokens end with the process, other processes do not see them, and it takes
 * part in no transaction.
 */
export function memoryOneTimeTokenStore(): OneTimeTokenStore {
  const bySlot = new Map<string, StoredToken>();
  const slotByHash = new Map<string, string>();

  function remove(slot: string): void {
    const token = bySlot.get(slot);
    if (token !== undefined) slotByHash.delete(token.tokenHash);
    bySlot.delete(slot);
  }

  function findOpen({ tokenHash, instance, purpose, now }: Omit<PresentedOneTimeToken, 'transaction'>) {
    const token = bySlot.get(slotByHash.get(tokenHash) ?? '');
    const isOpen = token?.instance === instance && token.purpose === purpose && now < token.expiresAt;
    return isOpen ? token : undefined;
  }

  // No method awaits anything between its first and its last step: that is what makes each of them
  // atomic.
  return Object.freeze<OneTimeTokenStore>({
    async issue({ transaction, ...token }) {
      refuseTransaction(transaction);
      const slot = slotOf(token);
      remove(slot);
      bySlot.set(slot, token);
      slotByHash.set(token.tokenHash, slot);
    },

    async consume({ transaction, ...presented }) {
      refuseTransaction(transaction);
      const token = findOpen(presented);
      if (token === undefined) return undefined;
      remove(slotOf(token));
      return publicPart(token);
    },

    async find(presented) {
      const token = findOpen(presented);
      return token && publicPart(token);
    },

    async revokeAll({ uid, instance, purpose, now, transaction }) {
      refuseTransaction(transaction);
      const own = [...bySlot].filter(
        ([, token]) =>
          token.uid === uid &&
          token.instance === instance &&
          (purpose === undefined || token.purpose === purpose) &&
          now < token.expiresAt,
      );
      for (const [slot] of own) remove(slot);
      return own.length;
    },

    async purge({ expiredBefore, limit }) {
      const expired = [...bySlot].filter(([, { expiresAt }]) => expiresAt <= expiredBefore).slice(0, limit);
      for (const [slot] of expired) remove(slot);
      return expired.length;
    },
  });
}

/** The place of the one open token that a user has for a purpose. */
function slotOf({ uid, instance, purpose }: OneTimeToken): string {
  return JSON.stringify([uid, instance, purpose]);
}

function publicPart({ tokenHash: _, ...token }: StoredToken): OneTimeToken {
  return token;
}

function refuseTransaction(transaction: HostTransaction | undefined): void {
  if (transaction !== undefined) {
    throw new TypeError('memoryOneTimeTokenStore takes part in no transaction');
  }
}
