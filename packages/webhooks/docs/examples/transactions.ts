import type { Webhooks } from '@acme/webhooks';
import type { SqlTransaction } from '@acme/webhooks/transactions';
import {
  fromDrizzle,
  fromKnex,
  fromMysql2,
  fromPg,
  fromPrisma,
  fromSequelize,
  fromTypeorm,
  type PrismaTransaction,
} from '@acme/webhooks/transactions';

declare const webhooks: Webhooks<SqlTransaction>;
declare const client: Parameters<typeof fromPg>[0];
declare const connection: Parameters<typeof fromMysql2>[0];
declare const tx: Parameters<typeof fromDrizzle>[0];
declare const prisma: PrismaTransaction;
declare const manager: Parameters<typeof fromTypeorm>[0];
declare const transaction: Parameters<typeof fromSequelize>[0];
declare const trx: Parameters<typeof fromKnex>[0];

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
  //#region fromSequelize
  await webhooks.dispatch('order.created', { id: 7 }, { transaction: fromSequelize(transaction) });
  //#endregion
}

{
  //#region fromTypeorm
  await webhooks.dispatch('order.created', { id: 7 }, { transaction: fromTypeorm(manager) });
  //#endregion
}
