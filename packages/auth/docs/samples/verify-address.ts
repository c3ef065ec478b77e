import type { OneTimeTokens } from '@acme/auth';
import type { Kysely } from 'kysely';

/** Yours. */
export interface Application {
  readonly db: Kysely<{ users: Users }>;
  readonly tokens: OneTimeTokens;
  readonly mailer: { send(to: string, text: string): Promise<void> };
}
export interface Users {
  id: string;
  email: string;
  new_email: string | null;
}

export function addressChanges({ db, tokens, mailer }: Application) {
  async function changeAddress(uid: string, address: string): Promise<void> {
    const { token } = await db.transaction().execute(async (transaction) => {
      await transaction.updateTable('users').set({ new_email: address }).where('id', '=', uid).execute();
      return await tokens.issue({ uid, purpose: 'verify_email', ttlSeconds: 86_400, transaction });
    });
    await mailer.send(address, `https://app.example/verify#${token}`);
  }

  /** The handler of a POST from the page behind the link. */
  async function verifyAddress(token: unknown): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const { uid } = await tokens.consume(token, { purpose: 'verify_email', transaction });
      await transaction
        .updateTable('users')
        .set(({ ref }) => ({ email: ref('new_email').$notNull(), new_email: null }))
        .where('id', '=', uid)
        .where('new_email', 'is not', null)
        .execute();
      // The old mailbox may hold a link to reset the password.
      await tokens.revokeAll(uid, { transaction });
    });
  }

  return { changeAddress, verifyAddress };
}
