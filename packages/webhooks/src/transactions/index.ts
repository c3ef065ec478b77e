export type { DatabaseName } from '../../../toolkit/src/database-name.ts';
export { type DrizzleTransaction, fromDrizzle } from '../../../toolkit/src/transactions/from-drizzle.ts';
export { fromKnex, type KnexTransaction } from '../../../toolkit/src/transactions/from-knex.ts';
export { fromMysql2, type Mysql2Connection } from '../../../toolkit/src/transactions/from-mysql2.ts';
export { fromPg, type PgClient } from '../../../toolkit/src/transactions/from-pg.ts';
export { fromPrisma, type PrismaTransaction } from '../../../toolkit/src/transactions/from-prisma.ts';
export { fromTypeorm, type TypeormManager } from '../../../toolkit/src/transactions/from-typeorm.ts';
export type { SqlTransaction } from '../../../toolkit/src/transactions/sql-transaction.ts';
