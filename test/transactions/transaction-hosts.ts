import { host as drizzleHost } from './drizzle-host.ts';
import { host as knexHost } from './knex-host.ts';
import { host as mysql2Host } from './mysql2-host.ts';
import { host as pgHost } from './pg-host.ts';
import { host as prismaHost } from './prisma-host.ts';
import { host as sequelizeHost } from './sequelize-host.ts';
import type { TransactionHost } from './transaction-host.ts';
import { host as typeormHost } from './typeorm-host.ts';

/** Every library whose transactions `@acme/webhooks` and `@acme/auth` take, besides Kysely. */
export const transactionHosts: readonly TransactionHost[] = [
  pgHost,
  mysql2Host,
  drizzleHost,
  prismaHost,
  typeormHost,
  knexHost,
  sequelizeHost,
];
