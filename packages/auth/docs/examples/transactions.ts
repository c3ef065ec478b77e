import type { Sessions } from '@acme/auth';
import {
  type DrizzleTransaction,
  fromDrizzle,
  fromKnex,
  fromMysql2,
  fromPg,
  fromPrisma,
  fromTypeorm,
  type KnexTransaction,
  type Mysql2Connection,
  type PgClient,
  type PrismaTransaction,
  type TypeormManager,
} from '@acme/auth/transactions';

declare const sessions: Sessions;
declare const client: PgClient;
declare const connection: Mysql2Connection;
declare const tx: DrizzleTransaction;
declare const prisma: PrismaTransaction;
declare const manager: TypeormManager;
declare const trx: KnexTransaction;

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
  //#region fromTypeorm
  await sessions.revokeAll('42', { transaction: fromTypeorm(manager) });
  //#endregion
}
