/** One release of each optional peer, which are installed together beside both packages. */
export interface PeerSet {
  readonly end: 'lowest' | 'highest';
  /** The names of the runtimes that the set is run on. */
  readonly runtimes: readonly string[];
  /** Every optional peer of both packages. */
  readonly releases: Readonly<Record<string, string>>;
  /** What the peers need besides, of the same time. */
  readonly drivers: Readonly<Record<string, string>>;
}

/**
 * Both ends of the ranges that the packages claim. Kysely 0.29 and pg-boss 12 need Node 22. A
 * range changes together with these.
 */
export const PEER_SETS: readonly PeerSet[] = [
  {
    end: 'lowest',
    runtimes: ['Node 20'],
    releases: {
      '@nestjs/common': '11.0.0',
      bullmq: '5.0.0',
      express: '4.18.0',
      fastify: '5.0.0',
      hono: '4.0.0',
      kysely: '0.28.0',
      'pg-boss': '10.0.0',
    },
    drivers: { ...nest('11.0.0'), ioredis: '5.3.2', pg: '8.23.1' },
  },
  {
    end: 'highest',
    runtimes: ['Node 22', 'Node 24', 'Node 26', 'Bun', 'Deno'],
    releases: {
      '@nestjs/common': '12.5.1',
      bullmq: '6.7.0',
      express: '5.3.0',
      fastify: '5.12.8',
      hono: '4.13.19',
      kysely: '0.29.9',
      'pg-boss': '12.38.0',
    },
    drivers: { ...nest('12.5.1'), ioredis: '6.0.0', pg: '8.23.1' },
  },
];

/** The rest of an app of Nest. */
function nest(version: string): Readonly<Record<string, string>> {
  return {
    '@nestjs/core': version,
    '@nestjs/platform-express': version,
    'reflect-metadata': '0.2.2',
    rxjs: '7.8.2',
  };
}
