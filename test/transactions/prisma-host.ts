import { PrismaLibSql } from '@prisma/adapter-libsql';
import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { PrismaPg } from '@prisma/adapter-pg';
import { type GetPrismaClientConfig, getPrismaClient } from '@prisma/client/runtime/client';
import { fromPrisma, type PrismaTransaction } from '../../packages/toolkit/src/transactions/from-prisma.ts';
import { databaseAt, sqlitePathOf, type TransactionHost } from './transaction-host.ts';

interface PrismaClient extends PrismaTransaction {
  $transaction<Result>(
    work: (tx: PrismaTransaction) => Promise<Result>,
    options: { readonly timeout: number },
  ): Promise<Result>;
  $disconnect(): Promise<void>;
}

const { Module } = Reflect.get(globalThis, 'WebAssembly') as { Module: new (bytes: Uint8Array) => object };

const PROVIDERS = {
  postgres: { provider: 'postgresql', adapterAt: (url: string) => new PrismaPg({ connectionString: url }) },
  mysql: {
    provider: 'mysql',
    adapterAt(url: string) {
      const { hostname, port, username, password, pathname } = new URL(url);
      const database = pathname.slice(1);
      return new PrismaMariaDb({ host: hostname, port: Number(port), user: username, password, database });
    },
  },
  sqlite: {
    provider: 'sqlite',
    adapterAt: (url: string) => new PrismaLibSql({ url: `file:${sqlitePathOf(url)}` }),
  },
} as const;

/**
 * What `prisma generate` writes for a schema without models: its packages would take another 200
 * MB.
 */
function generatedFor(activeProvider: string): GetPrismaClientConfig {
  const compiler = `@prisma/client/runtime/query_compiler_fast_bg.${activeProvider}`;
  return {
    previewFeatures: [],
    clientVersion: '7.10.0',
    engineVersion: '',
    activeProvider,
    inlineSchema: `datasource db {\n  provider = "${activeProvider}"\n}\n`,
    runtimeDataModel: { models: {}, enums: {}, types: {} },
    parameterizationSchema: { strings: [], graph: 'AAAA' },
    compilerWasm: {
      getRuntime: () => import(`${compiler}.mjs`),
      async getQueryCompilerWasmModule() {
        const { wasm } = await import(`${compiler}.wasm-base64.mjs`);
        return new Module(Buffer.from(wasm, 'base64'));
      },
      importName: './query_compiler_fast_bg.js',
    },
  } as GetPrismaClientConfig;
}

export const host: TransactionHost = {
  name: 'Prisma',
  module: import.meta.url,
  databases: ['postgres', 'mysql', 'sqlite'],
  async connect(url) {
    const { provider, adapterAt } = PROVIDERS[databaseAt(url)];
    const Client = getPrismaClient(generatedFor(provider));
    const prisma = new Client({ adapter: adapterAt(url) }) as unknown as PrismaClient;
    return {
      transaction: (work) =>
        prisma.$transaction(
          (tx) =>
            work({ transaction: fromPrisma(tx), run: async (statement) => tx.$queryRawUnsafe(statement) }),
          { timeout: 240_000 },
        ),
      withoutTransaction: () => fromPrisma(prisma),
      close: () => prisma.$disconnect(),
    };
  },
};
