export { fromDrizzle } from '../../../toolkit/src/transactions/from-drizzle.ts';
export { fromKnex } from '../../../toolkit/src/transactions/from-knex.ts';
export { fromMysql2 } from '../../../toolkit/src/transactions/from-mysql2.ts';
export { fromPg } from '../../../toolkit/src/transactions/from-pg.ts';
export { fromPrisma, type PrismaTransaction } from '../../../toolkit/src/transactions/from-prisma.ts';
export { fromSequelize } from '../../../toolkit/src/transactions/from-sequelize.ts';
export { fromTypeorm } from '../../../toolkit/src/transactions/from-typeorm.ts';
export type { SqlTransaction } from '../../../toolkit/src/transactions/sql-transaction.ts';
