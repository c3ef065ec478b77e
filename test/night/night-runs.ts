/** A row of `npm run test:night`; `npm run test:night -- NAME` runs it alone. */
export interface NightRun {
  readonly name: string;
  /** Folders and files with tests of the night (`*.night.test.ts`), from the repository's root. */
  readonly tests?: readonly string[];
  /** Commands to run, one after the other. */
  readonly commands?: readonly (readonly [string, ...string[]])[];
}

/**
 * What takes too long, fetches too much or measures too much to stand before every change. Each
 * test of the night is in exactly one row.
 */
export const NIGHT_RUNS: readonly NightRun[] = [
  {
    name: 'guards',
    tests: [
      'packages/auth/test/guards/',
      'packages/auth/test/express/',
      'packages/auth/test/fastify/',
      'packages/auth/test/hono/',
      'packages/auth/test/nest/',
      'packages/toolkit/test/mounts/',
      'packages/webhooks/test/mount/',
    ],
  },
  { name: 'stores', tests: ['packages/auth/test/contract/odd', 'packages/auth/test/kysely/'] },
  {
    name: 'storages',
    tests: [
      'packages/webhooks/test/contract/storage',
      'packages/webhooks/test/contract/queue',
      'packages/webhooks/test/contract/model',
      'packages/webhooks/test/kysely/',
      'packages/webhooks/test/queue/',
      'packages/webhooks/test/pg-boss/',
      'packages/webhooks/test/bullmq/',
    ],
  },
  {
    name: 'contracts',
    tests: [
      'packages/auth/test/contract/broken/',
      'packages/webhooks/test/contract/broken/',
      'packages/webhooks/test/contract/contract-clock',
    ],
  },
  {
    name: 'browser',
    tests: [
      'packages/auth/test/client/',
      'packages/webhooks/test/panel/',
      'packages/webhooks/test/portal/',
      'packages/webhooks/test/security/hostile-text',
      'examples/quickstart/test/',
      'test/pictures/',
    ],
  },
  { name: 'runtimes', tests: ['test/runtimes/'] },
  // Each release in the place of the locked one, on the Node that runs this.
  { name: 'peers', commands: [['bash', '.ci/matrix', 'peers', process.versions.node]] },
  { name: 'tracing', tests: ['test/tracing/'] },
  { name: 'examples', tests: ['test/examples/'] },
  {
    name: 'documents',
    tests: ['test/package/', 'packages/webhooks/test/documents/'],
    commands: [['npm', 'run', 'docs', '--', 'build']],
  },
  // The proofs start servers of their own; so do runs that are stopped.
  { name: 'proofs', tests: ['test/processes/'], commands: [['npm', 'run', 'prove']] },
  { name: 'bench', commands: [['npm', 'run', 'bench']] },
];
