const { builtinModules } = require('node:module');

/**
 * Who may import what, types included. A room is a folder or file directly under `src`. Each line is a layer: its
 * rooms see the layers above, not one another, and of the toolkit what HOMES leaves open.
 */
const LAYERS = {
  toolkit: [['*'], ['node-web', 'transactions'], ['mounts', 'kysely']],
  auth: [
    ['error-codes'],
    ['errors', 'clock', 'client-address'],
    ['text', 'logging', 'host-transaction', 'host-call'],
    ['host-store', 'options'],
    ['hooks', 'claims', 'throttle', 'client', 'transactions'],
    ['tokens', 'passwords', 'api-keys', 'cookies'],
    ['http'],
    ['auth-options'],
    ['auth'],
    ['sessions', 'guards'],
    ['one-time-tokens'],
    ['express', 'fastify', 'hono', 'fetch', 'kysely', 'testing', 'index'],
    ['nest'],
  ],
  webhooks: [
    ['error-codes'],
    [
      'errors',
      'clock',
      'progress-timers',
      'readable-json',
      'stats',
      'test-deliveries',
      'version',
      'panel/texts',
    ],
    ['logging', 'transactions', 'answer-request'],
    ['storage', 'events', 'hooks', 'group-commit', 'express', 'fastify', 'hono'],
    ['queue', 'signing', 'kysely', 'panel/app'],
    ['dispatch', 'egress', 'pg-boss', 'bullmq', 'command-line', 'testing'],
    ['registry', 'delivery'],
    ['lifecycle', 'webhooks-options', 'administration'],
    ['webhooks'],
    ['admin', 'index'],
    ['panel'],
    ['portal'],
    ['admin/index'],
  ],
};

/** Rooms that see less than their layer does, and all that they see. */
const NARROW = {
  // Browsers run these: nothing of a server comes along.
  'auth/client': ['toolkit/local-path', 'toolkit/retry-after'],
  'webhooks/panel/app': [
    ...['readable-json', 'events', 'panel/texts', 'toolkit/deadline'],
    ...['toolkit/local-path', 'toolkit/retry-after', 'admin/routes'],
  ],
  // A store implements its interface and knows nothing of who uses it.
  'auth/kysely': [
    ...['toolkit', 'errors', 'options', 'clock', 'claims', 'host-store', 'host-transaction'],
    ...['throttle', 'sessions', 'api-keys', 'one-time-tokens'],
  ],
  // The HTTP face of a running engine neither signs nor sends.
  'webhooks/admin': [
    ...['toolkit', 'error-codes', 'errors', 'clock', 'test-deliveries', 'version', 'answer-request'],
    ...['logging', 'hooks', 'events', 'storage', 'registry', 'dispatch', 'administration', 'webhooks'],
  ],
  // Customers reach what the admin API serves, over the engine of their tenant.
  'webhooks/portal': ['toolkit', 'events', 'admin', 'panel', 'webhooks'],
};

/** Each third-party package that a published source may import, and a room of the toolkit, with their homes. */
const HOMES = {
  jose: ['auth/tokens'],
  cookie: ['auth/cookies'],
  kysely: ['auth/kysely', 'webhooks/kysely', 'toolkit/kysely'],
  'toolkit/kysely': ['auth/kysely', 'webhooks/kysely'],
  'p-queue': ['webhooks/queue'],
  bullmq: ['webhooks/bullmq'],
  'ipaddr.js': ['auth/client-address', 'webhooks/egress'],
  // `webhooks.create()` in a host's code checks its input as the admin API does: by the registry's schemas.
  zod: ['webhooks/registry', 'webhooks/admin'],
  '@standard-schema/spec': ['webhooks/events'],
  express: ['auth/express', 'webhooks/express'],
  hono: ['auth/hono', 'webhooks/hono'],
  '@nestjs/common': ['auth/nest'],
  ...Object.fromEntries(
    [
      ...['react', 'react-dom', 'wouter', '@tanstack/react-query', '@mantine/core', '@mantine/hooks'],
      '@tabler/icons-react',
    ].map((name) => [name, ['webhooks/panel/app']]),
  ),
};
/** The host brings the code of these, or there is none. */
const TYPES_ONLY = ['express', 'hono', '@standard-schema/spec'];
const packages = Object.keys(LAYERS);
const literal = (text) => text.replace(/[.]/g, '\\.');
/** A room as `auth/tokens`, all of `toolkit`, or its single files as `toolkit/*`, as a pattern of paths. */
const room = (path) => {
  const [pkg, ...name] = path.split('/');
  if (name[0] === '*') return `^packages/${pkg}/src/[^/]+\\.ts$`;
  return `^packages/${pkg}/src/${name.length === 0 ? '' : `${literal(name.join('/'))}(/|\\.ts$)`}`;
};
const rooms = packages.flatMap((pkg) => LAYERS[pkg].flat().map((name) => `${pkg}/${name}`));
/** Rooms within a room, which its rules leave out. */
const within = (path) => rooms.filter((other) => other.startsWith(`${path}/`)).map(room);
const installed = (names) => `(^|/)node_modules/(@types/)?(${names.map(literal).join('|')})(/|$)`;
const builtins = `^(node:)?(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`;
const sources = `^packages/(${packages.join('|')})/(src|contract)/`;
/** The suites that `testing` publishes, beside the sources. */
const contract = (pkg) => `^packages/${pkg}/contract/`;

const seen = (path, pkg, layer) =>
  NARROW[path]?.map((name) => (name.startsWith('toolkit') ? name : `${pkg}/${name}`)) ?? [
    ...LAYERS[pkg].slice(0, layer).flatMap((names) => names.map((name) => `${pkg}/${name}`)),
    ...(pkg === 'toolkit' ? [] : ['toolkit']),
  ];

const forbidden = [
  ...packages.flatMap((pkg) =>
    LAYERS[pkg].flatMap((names, layer) =>
      names.map((name) => ({
        name: `layers:${pkg}/${name}`,
        comment: `It may see: ${seen(`${pkg}/${name}`, pkg, layer).join(', ') || 'no other room'}.`,
        from: { path: room(`${pkg}/${name}`), pathNot: within(`${pkg}/${name}`) },
        to: {
          // Samples for recipients are texts, which the panel shows.
          path: '^packages/[^/]+/(?!dist/|docs/recipients/)',
          pathNot: [
            ...[`${pkg}/${name}`, ...seen(`${pkg}/${name}`, pkg, layer)].map(room),
            ...(name === 'testing' ? [contract(pkg)] : []),
          ],
        },
      })),
    ),
  ),
  ...packages.map((pkg) => ({
    name: `contracts:${pkg}`,
    comment: 'A contract sees the sources that it judges, and the contracts of the toolkit.',
    from: { path: contract(pkg) },
    to: {
      path: '^packages/',
      pathNot: [contract(pkg), contract('toolkit'), ...[pkg, 'toolkit'].map(room)],
    },
  })),
  ...Object.entries(HOMES).map(([name, homes]) => ({
    name: `home:${name}`,
    comment: `Only ${homes.join(' and ')} may import ${name}.`,
    from: { path: sources, pathNot: [name, ...homes].map(room) },
    to: { path: name.startsWith('toolkit/') ? room(name) : installed([name]) },
  })),
  {
    name: 'no-homeless-package',
    comment: 'A third-party package is a decision: give it a home in .dependency-cruiser.cjs.',
    from: { path: sources },
    to: {
      pathNot: [
        '^packages/',
        '^#panel-assets$',
        '^(\\.\\./)+docs/recipients/[^/]+\\?raw$',
        builtins,
        installed(Object.keys(HOMES)),
      ],
    },
  },
  {
    name: 'no-unknown-room',
    comment: 'A new room gets a place in a layer.',
    from: { path: sources, pathNot: [...rooms.map(room), ...packages.map(contract)] },
    to: {},
  },
  {
    name: 'types-only',
    from: { path: sources },
    to: { path: installed(TYPES_ONLY), dependencyTypesNot: ['type-only', 'type-import'] },
  },
  {
    name: 'panel-takes-types',
    comment:
      "The routes of the admin API are the types of the panel's client. Browsers get none of their code.",
    from: { path: room('webhooks/panel/app') },
    to: { path: room('webhooks/admin'), dependencyTypesNot: ['type-only', 'type-import'] },
  },
  {
    name: 'dialects-on-top',
    comment: 'What databases do differently builds on the rooms of the storage, and no room on them.',
    from: { path: '^packages/webhooks/src/kysely/', pathNot: '/kysely/(dialects/|find-dialect|migrations/)' },
    to: { path: '^packages/webhooks/src/kysely/dialects/' },
  },
  {
    name: 'no-cycle',
    comment: 'Two files that need each other are one file, or miss a third.',
    from: { path: '^packages/|^examples/' },
    to: { circular: true },
  },
  {
    name: 'no-own-index',
    comment: 'An index.ts is the view from outside: inside, it only makes cycles.',
    from: { path: sources },
    to: { path: '^packages/.+/index\\.ts$' },
  },
  ...packages.map((pkg) => ({
    name: `stands-alone:${pkg}`,
    comment: 'The published packages never import each other, in tests neither; the toolkit imports none.',
    from: { path: `^packages/${pkg}/` },
    to: {
      path: ['auth', 'webhooks']
        .filter((other) => other !== pkg)
        .map((other) => `(^packages|^@acme|/@acme)/${other}(/|$)`),
    },
  })),
  {
    name: 'examples-use-what-is-published',
    from: { path: '^examples/' },
    to: { path: '^packages/[^/]+/(?!dist/)' },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: forbidden.map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    // A type of a peer in a public signature needs the peer installed.
    tsPreCompilationDeps: true,
    // Seen, since most packages have their types under `dist`, ours too, but not read.
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: '/\\.next/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
