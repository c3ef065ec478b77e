import type { Sessions } from '@acme/auth';
import {
  fromDrizzle,
  fromKnex,
  fromMysql2,
  fromPg,
  fromPrisma,
  fromSequelize,
  fromTypeorm,
  type PrismaTransaction,
} from '@acme/auth/transactions';

declare const sessions: Sessions;
declare const client: Parameters<typeof fromPg>[0];
declare const connection: Parameters<typeof fromMysql2>[0];
declare const tx: Parameters<typeof fromDrizzle>[0];
declare const prisma: PrismaTransaction;
declare const manager: Parameters<typeof fromTypeorm>[0];
declare const transaction: Parameters<typeof fromSequelize>[0];
declare const trx: Parameters<typeof fromKnex>[0];

{
  //#region fromDrizzle
  await sessions.revokeAll('42', { transaction: fromDrizzle(tx) });
  //#endregion
}

{
  //#region fromKnex
  await sessions.revokeAll('42', { transaction: fromKnex(trx) });
  //#endregion
}

{
  //#region fromMysql2
  await sessions.revokeAll('42', { transaction: fromMysql2(connection) });
  //#endregion
}

{
  //#region fromPg
  await sessions.revokeAll('42', { transaction: fromPg(client) });
  //#endregion
}

{
  //#region fromPrisma
  await sessions.revokeAll('42', { transaction: fromPrisma(prisma) });
  //#endregion
}

{
  //#region fromSequelize
  await sessions.revokeAll('42', { transaction: fromSequelize(transaction) });
  //#endregion
}

{
  //#region fromTypeorm
  await sessions.revokeAll('42', { transaction: fromTypeorm(manager) });
  //#endregion
}
