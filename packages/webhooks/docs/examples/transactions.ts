import type { Webhooks } from '@acme/webhooks';
import type { SqlTransaction } from '@acme/webhooks/transactions';
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
} from '@acme/webhooks/transactions';

declare const webhooks: Webhooks<SqlTransaction>;
declare const client: PgClient;
declare const connection: Mysql2Connection;
declare const tx: DrizzleTransaction;
declare const prisma: PrismaTransaction;
declare const manager: TypeormManager;
declare const trx: KnexTransaction;

{
  //#region fromDrizzle
  await webhooks.dispatch('order.created', { id: 7 }, { transaction: fromDrizzle(tx) });
  //#endregion
}

{
  //#region fromKnex
  await webhooks.dispatch('order.created', { id: 7 }, { transaction: fromKnex(trx) });
  //#endregion
}

{
  //#region fromMysql2
  await webhooks.dispatch('order.created', { id: 7 }, { transaction: fromMysql2(connection) });
  //#endregion
}

{
  //#region fromPg
  await webhooks.dispatch('order.created', { id: 7 }, { transaction: fromPg(client) });
  //#endregion
}

{
  //#region fromPrisma
  await webhooks.dispatch('order.created', { id: 7 }, { transaction: fromPrisma(prisma) });
  //#endregion
}

{
  //#region fromTypeorm
  await webhooks.dispatch('order.created', { id: 7 }, { transaction: fromTypeorm(manager) });
  //#endregion
}
