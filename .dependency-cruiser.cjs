const { builtinModules } = require('node:module');

/**
 * Who may import what, as data. A room is a folder or a file directly under a package's `src`; its line names the
 * rooms it may see and why: those of its own package, and as `toolkit/…` those of the shared workspace. What is not named is forbidden, types included. `npm run check:structure` enforces it,
 * and `test/structure/import-rules.test.ts` breaks every rule once to show that it holds.
 */
const AUTH_LEAVES = [
  'toolkit/service-interface',
  'errors',
  'clock',
  'logging',
  'options',
  'text',
  'client-address',
];
const AUTH_BASE = [...AUTH_LEAVES, 'claims'];
const AUTH_CREDENTIALS = [...AUTH_BASE, 'tokens', 'passwords', 'api-keys', 'cookies'];
const WEBHOOKS_LEAVES = [
  'toolkit/service-interface',
  'errors',
  'clock',
  'progress-timers',
  'logging',
  'options',
  'stats',
  'test-deliveries',
];
const WEBHOOKS_BASE = [...WEBHOOKS_LEAVES, 'toolkit/deadline', 'hooks', 'group-commit'];
const WEBHOOKS_PARTS = [...WEBHOOKS_BASE, 'events', 'signing', 'storage', 'queue', 'egress'];
const WEBHOOKS_ENGINE = [
  ...WEBHOOKS_PARTS,
  'registry',
  'dispatch',
  'delivery',
  'webhooks',
  'webhooks-options',
];

/** What an adapter of a framework needs to hand a request to a fetch handler. */
const BRIDGE = ['toolkit/node-web', 'toolkit/mounts'];

const ROOMS = {
  toolkit: {
    'redacted-error': { sees: [], why: 'One meaning of what may be told of an error of any source.' },
    deadline: { sees: [], why: 'One way to stop waiting for work of others, whatever it is.' },
    'retry-contention': { sees: [], why: 'One way to repeat a transaction that others were in the way of.' },
    'local-path': { sees: [], why: 'One rule for where a log-in may lead, in both browser halves.' },
    'plain-line': { sees: [], why: 'One meaning of a name that a log shows as it is.' },
    'blank-text': { sees: [], why: 'One meaning of a text that shows nothing.' },
    'parse-url': { sees: [], why: 'One way to read a URL, which does not change while a process runs.' },
    'retry-after': { sees: [], why: 'Both browser halves tell when a server may be asked again.' },
    'has-class-name': { sees: [], why: 'One way to know an instance of another copy of a package.' },
    'database-name': { sees: [], why: 'One name for each kind of database.' },
    'print-without': { sees: [], why: 'One way to leave members of an error out of what is printed.' },
    'consumed-body': { sees: [], why: 'Who makes such a body and who reads it know one error.' },
    'node-web': {
      sees: ['parse-url', 'consumed-body'],
      why: 'Converts between Node and the Web for any fetch handler.',
    },
    'service-interface': { sees: [], why: 'One way to say what a service of a host lacks.' },
    contracts: {
      sees: ['service-interface'],
      why: 'What every contract says of a failure, whatever it is the contract of.',
    },
    mounts: {
      sees: ['node-web', 'consumed-body'],
      why: 'What a framework needs to serve any fetch handler.',
    },
    transactions: {
      sees: ['database-name'],
      why: "Makes one interface of every library's transactions, and imports none of the libraries.",
    },
    kysely: {
      sees: ['database-name', 'deadline', 'has-class-name', 'transactions'],
      why: 'What stores over Kysely share: names of tables, printed SQL, transactions of other libraries.',
    },
  },
  auth: {
    errors: {
      sees: ['toolkit/print-without'],
      why: 'Everything may throw a coded error, so errors know nothing but how they are printed.',
    },
    clock: { sees: [], why: 'Time is injected everywhere.' },
    logging: {
      sees: ['errors', 'toolkit/redacted-error'],
      why: 'Logging is injected everywhere, and knows what may be told of our own errors.',
    },
    options: {
      sees: ['toolkit/service-interface'],
      why: 'Every room checks its own options, in the same words.',
    },
    text: { sees: ['errors'], why: 'One meaning of text that is safe to carry on or to log.' },
    'host-transaction': {
      sees: ['toolkit/transactions'],
      why: 'One kind of transaction for every store, below sessions and one-time tokens.',
    },
    'host-call': {
      sees: ['errors', 'toolkit/deadline'],
      why: 'One time limit for the functions of a host, for every caller.',
    },
    'host-store': {
      sees: ['errors', 'toolkit/service-interface'],
      why: 'One way for the failures of every store to arrive.',
    },
    throttle: {
      sees: [...AUTH_LEAVES, 'host-call', 'host-store', 'toolkit/deadline'],
      why: 'Bounds attempts, whatever they try: log-ins and requests for mails share it.',
    },
    hooks: {
      sees: ['logging', 'toolkit/deadline'],
      why: 'Nothing that a hook does stands in the way, whatever it is told of.',
    },
    'client-address': { sees: [], why: 'Log-ins and hashes count a client by the same networks.' },
    claims: { sees: AUTH_LEAVES, why: 'Claims are the data that every other room passes on.' },
    tokens: { sees: AUTH_BASE, why: 'A token is checked without cookies, HTTP or a store.' },
    passwords: { sees: AUTH_BASE, why: 'Hashing a password needs nothing of a session.' },
    'api-keys': {
      sees: [...AUTH_BASE, 'host-store', 'toolkit/plain-line'],
      why: 'An API key is no token and no session.',
    },
    cookies: { sees: AUTH_BASE, why: 'A cookie is text: what it carries is not its business.' },
    sessions: {
      sees: [
        ...AUTH_CREDENTIALS,
        'host-transaction',
        'host-call',
        'host-store',
        'toolkit/consumed-body',
        'throttle',
        'hooks',
        'http',
        'auth-options',
        'auth',
      ],
      why: 'Log-in, status, log-out over an instance: one fetch handler, for every framework.',
    },
    'one-time-tokens': {
      sees: [
        ...AUTH_BASE,
        'tokens',
        'host-call',
        'host-store',
        'host-transaction',
        'throttle',
        'sessions',
        'hooks',
        'auth',
      ],
      why: 'A mailed link is no session, and nothing there needs it.',
    },
    http: {
      sees: [...AUTH_CREDENTIALS, 'toolkit/node-web', 'toolkit/consumed-body', 'toolkit/parse-url', 'hooks'],
      why: 'What every adapter shares, written once below them.',
    },
    'auth-options': {
      sees: [...AUTH_CREDENTIALS, 'http'],
      why: 'Every option of an instance in one place, checked before anything is built.',
    },
    auth: {
      sees: [...AUTH_CREDENTIALS, 'hooks', 'http', 'auth-options'],
      why: 'Wires the rooms of one instance.',
    },
    guards: {
      sees: [...AUTH_BASE, 'api-keys', 'http', 'auth'],
      why: 'What the guards decide on a request, written once for every framework.',
    },
    express: {
      sees: [...AUTH_BASE, ...BRIDGE, 'api-keys', 'sessions', 'http', 'guards', 'auth', 'auth-options'],
      why: 'An adapter translates one framework: what could be shared lives in http.',
    },
    fastify: {
      sees: [...AUTH_BASE, ...BRIDGE, 'api-keys', 'sessions', 'http', 'guards', 'auth', 'auth-options'],
      why: 'An adapter translates one framework: what could be shared lives in http.',
    },
    hono: {
      sees: [...AUTH_BASE, ...BRIDGE, 'api-keys', 'sessions', 'http', 'guards', 'auth', 'auth-options'],
      why: 'An adapter translates one framework: what could be shared lives in http.',
    },
    nest: {
      sees: [...AUTH_BASE, 'api-keys', 'http', 'guards', 'auth', 'fastify'],
      why: 'An adapter translates one framework; over Fastify, Nest answers as Fastify does.',
    },
    fetch: {
      sees: [
        ...AUTH_BASE,
        'toolkit/node-web',
        'api-keys',
        'sessions',
        'http',
        'guards',
        'auth',
        'auth-options',
      ],
      why: 'An adapter translates one framework: what could be shared lives in http.',
    },
    transactions: {
      sees: ['toolkit/database-name', 'toolkit/transactions'],
      why: "Publishes the adapters of other libraries' transactions: no store comes along.",
    },
    kysely: {
      sees: [
        'toolkit/deadline',
        'toolkit/has-class-name',
        'toolkit/kysely',
        'toolkit/retry-contention',
        'toolkit/transactions',
        'toolkit/database-name',
        'errors',
        'host-store',
        'host-transaction',
        'clock',
        'options',
        'claims',
        'throttle',
        'sessions',
        'api-keys',
        'one-time-tokens',
      ],
      why: 'Implements the store interfaces and knows nothing of their users.',
    },
    client: {
      sees: ['toolkit/local-path', 'toolkit/retry-after'],
      why: 'Runs in a browser: nothing of the server may come along.',
    },
    testing: {
      sees: [
        'toolkit/contracts',
        'toolkit/service-interface',
        'errors',
        'host-transaction',
        'clock',
        'options',
        'claims',
        'throttle',
        'sessions',
        'api-keys',
        'one-time-tokens',
        'http',
      ],
      why: 'Injects claims and holds the contracts of the stores.',
    },
    index: {
      sees: [
        ...AUTH_CREDENTIALS,
        'host-transaction',
        'throttle',
        'sessions',
        'one-time-tokens',
        'http',
        'auth',
        'auth-options',
      ],
      why: 'No framework, no database.',
    },
  },
  webhooks: {
    errors: {
      sees: ['toolkit/print-without'],
      why: 'Everything may throw a coded error, so errors know nothing but how they are printed.',
    },
    clock: { sees: [], why: 'Time is injected everywhere.' },
    'readable-json': { sees: [], why: 'Terminals and pages show JSON within the same bound.' },
    'progress-timers': { sees: [], why: 'One set of timers that tests of a host do not stop.' },
    logging: {
      sees: ['errors', 'toolkit/redacted-error', 'toolkit/service-interface'],
      why: 'Logging is injected everywhere, and knows what may be told of our own errors.',
    },
    options: {
      sees: ['toolkit/service-interface'],
      why: 'Every room checks its own options, in the same words.',
    },
    'test-deliveries': { sees: [], why: 'Senders and recipients tell tests by the same digit.' },
    stats: { sees: [], why: 'Numbers that any room increases.' },
    hooks: { sees: WEBHOOKS_LEAVES, why: 'The host is told of failures wherever they happen.' },
    'group-commit': { sees: WEBHOOKS_LEAVES, why: 'Batches writes without knowing what is written.' },
    events: { sees: WEBHOOKS_BASE, why: 'Names and patterns mean the same to all that store or send them.' },
    signing: {
      sees: [...WEBHOOKS_BASE, 'events'],
      why: 'A recipient uses it without the rest of the engine; events say what they carry on both sides.',
    },
    storage: { sees: WEBHOOKS_BASE, why: 'Holds what is true; what to do about it is decided above.' },
    queue: { sees: WEBHOOKS_BASE, why: 'It wakes workers: it knows neither storage nor delivery.' },
    egress: {
      sees: [...WEBHOOKS_BASE, 'toolkit/parse-url'],
      why: 'Bytes out, only to public addresses, from every sender.',
    },
    registry: {
      sees: [
        ...WEBHOOKS_BASE,
        'toolkit/plain-line',
        'toolkit/blank-text',
        'events',
        'egress',
        'storage',
        'signing',
      ],
      why: 'Validated registration: it neither dispatches nor delivers.',
    },
    dispatch: {
      sees: [...WEBHOOKS_BASE, 'events', 'storage', 'queue', 'signing'],
      why: 'Writes deliveries and has no way out: it cannot wait for a recipient.',
    },
    delivery: { sees: WEBHOOKS_PARTS, why: 'Sends what storage holds, from any dispatcher.' },
    version: { sees: [], why: 'The number that goes into the User-Agent.' },
    lifecycle: {
      sees: [...WEBHOOKS_PARTS, 'dispatch', 'delivery'],
      why: 'Starts and closes what moves, in the order in which nothing is lost.',
    },
    'webhooks-options': {
      sees: [...WEBHOOKS_PARTS, 'delivery'],
      why: 'Every option of an engine in one place, checked before anything is built.',
    },
    webhooks: {
      sees: [
        ...WEBHOOKS_PARTS,
        'registry',
        'dispatch',
        'delivery',
        'lifecycle',
        'version',
        'webhooks-options',
      ],
      why: 'Wires the rooms, no logic of its own.',
    },
    admin: {
      sees: [
        ...WEBHOOKS_BASE,
        'toolkit/consumed-body',
        'toolkit/plain-line',
        'toolkit/blank-text',
        'events',
        'storage',
        'registry',
        'dispatch',
        'webhooks',
        'version',
      ],
      why: 'The HTTP face of a running engine: it neither signs nor sends.',
    },
    panel: {
      sees: ['errors', 'logging', 'options', 'toolkit/plain-line', 'admin', 'panel/texts'],
      why: 'Serves pages that talk to the admin API.',
    },
    'panel/texts': { sees: [], why: 'Texts are data, for the server and for the pages.' },
    'panel/app': {
      sees: [
        'readable-json',
        'events',
        'panel/texts',
        'toolkit/deadline',
        'toolkit/local-path',
        'toolkit/retry-after',
      ],
      why: 'Runs in a browser and knows the API alone: of the server it has the grammar of patterns.',
    },
    http: { sees: ['toolkit/node-web'], why: 'What a fetch handler is, whatever framework it is in.' },
    express: {
      sees: ['http', ...BRIDGE],
      why: 'An adapter translates one framework: what could be shared lives in http.',
    },
    fastify: { sees: ['http', ...BRIDGE], why: 'An adapter translates one framework.' },
    hono: { sees: ['http', ...BRIDGE], why: 'An adapter translates one framework.' },
    transactions: {
      sees: ['toolkit/database-name', 'toolkit/transactions'],
      why: "Publishes the adapters of other libraries' transactions: no storage comes along.",
    },
    kysely: {
      sees: [
        'toolkit/deadline',
        'toolkit/has-class-name',
        'toolkit/kysely',
        'toolkit/retry-contention',
        'toolkit/transactions',
        'toolkit/database-name',
        'errors',
        'options',
        'clock',
        'storage',
        'test-deliveries',
      ],
      why: 'Implements storage and knows nothing of its users.',
    },
    'pg-boss': {
      sees: ['toolkit/service-interface', 'errors', 'options', 'queue'],
      why: "Translates one engine's jobs: what shared queues have in common lives in queue.",
    },
    bullmq: {
      sees: ['errors', 'options', 'queue'],
      why: "Translates one engine's jobs: what shared queues have in common lives in queue.",
    },
    testing: {
      sees: [
        'toolkit/contracts',
        'toolkit/deadline',
        'toolkit/service-interface',
        'errors',
        'clock',
        'progress-timers',
        'options',
        'signing',
        'storage',
        'test-deliveries',
        'queue',
      ],
      why: 'Holds the contracts of storage and queue, not the engine.',
    },
    'command-line': {
      sees: ['errors', 'readable-json', 'version', 'signing'],
      why: 'A recipient for developers: it verifies as any recipient does, and starts without the engine.',
    },
    'admin/index': {
      sees: ['admin', 'panel'],
      why: 'One subpath for administrators: the API, and the pages over it.',
    },
    index: { sees: WEBHOOKS_ENGINE, why: 'No framework, no database, no administration.' },
  },
};

/** Files with a line of their own in {@link ROOMS}, which the line of their room does not bind. */
const EXCEPTIONS = { admin: ['admin/index'], panel: ['panel/app', 'panel/texts'] };

/** Every third-party package that a published source may import, and the only rooms that may. */
const HOMES = {
  jose: { rooms: ['auth/tokens'], why: 'One place to review, and to replace, the token cryptography.' },
  cookie: { rooms: ['auth/cookies'], why: 'One spelling of a cookie.' },
  kysely: {
    rooms: ['auth/kysely', 'webhooks/kysely', 'toolkit/kysely'],
    why: 'An optional peer: hosts without it import everything else.',
  },
  'p-queue': { rooms: ['webhooks/queue'], why: 'One engine behind the queue interface.' },
  bullmq: {
    rooms: ['webhooks/bullmq'],
    why: 'An optional peer: hosts without it import everything else.',
  },
  'p-retry': {
    rooms: ['webhooks/delivery'],
    why: 'Recording a result is retried: nothing else retries by itself.',
  },
  undici: { rooms: ['webhooks/egress'], why: 'No request leaves past the address policy.' },
  'ipaddr.js': {
    rooms: ['auth/client-address', 'webhooks/egress'],
    why: 'A parser of addresses, not a policy of its own.',
  },
  zod: {
    rooms: ['webhooks/registry', 'webhooks/admin'],
    why: 'Input is validated where it enters; inside, types are enough.',
  },
  '@standard-schema/spec': {
    rooms: ['webhooks/events'],
    why: 'What a payload schema is, whichever library made it.',
  },
  ...Object.fromEntries(
    [
      ...['react', 'react-dom', 'wouter', '@tanstack/react-query'],
      ...['@mantine/core', '@mantine/hooks', 'd3-array', '@tabler/icons-react'],
    ].map((name) => [
      name,
      {
        rooms: ['webhooks/panel/app'],
        why: 'Built into the pages: no host installs it, and no server loads it.',
      },
    ]),
  ),
  express: {
    rooms: ['auth/express', 'webhooks/express'],
    why: 'An optional peer: hosts without it import everything else.',
  },
  hono: {
    rooms: ['auth/hono', 'webhooks/hono'],
    why: 'An optional peer: hosts without it import everything else.',
  },
  '@nestjs/common': {
    rooms: ['auth/nest'],
    why: 'An optional peer: hosts without it import everything else.',
  },
};

/** Packages of {@link HOMES} that are present as types only: the host brings the code, or there is none. */
const TYPES_ONLY = ['express', 'hono', '@standard-schema/spec'];

const literal = (text) => text.replace(/[.]/g, '\\.');
const room = (pkg, names) => `^packages/${pkg}/src/(${names.map(literal).join('|')})(/|\\.ts$)`;
/** Rooms as a line of {@link ROOMS} names them: the package's own, and those of the toolkit. */
const seenRooms = (pkg, names) => {
  const shared = names.filter((name) => name.startsWith('toolkit/'));
  const own = names.filter((name) => !shared.includes(name));
  const homes = shared.map((name) => room(...split(name)));
  return own.length === 0 ? homes : [room(pkg, own), ...homes];
};
const installed = (names) => `(^|/)node_modules/(@types/)?(${names.map(literal).join('|')})(/|$)`;
const packages = Object.keys(ROOMS);
/** What is published. The toolkit is not: it is bundled into both, and sees neither. */
const published = packages.filter((name) => name !== 'toolkit');
const sources = `^packages/(${packages.join('|')})/src/`;
const builtins = `^(node:)?(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`;
/** What no root may need: frameworks, databases and their drivers, shared backends. */
const HOST_SIDE = [
  ...[
    'express',
    'fastify',
    'hono',
    '@hono/node-server',
    '@nestjs/common',
    'kysely',
    'libsql',
    'better-sqlite3',
    'pg',
    'mysql2',
  ],
  ...['drizzle-orm', '@prisma/client', 'typeorm', 'knex'],
  ...['pg-boss', 'bullmq', 'ioredis'],
];

const forbidden = [
  ...packages.flatMap((pkg) =>
    Object.entries(ROOMS[pkg]).map(([name, { sees, why }]) => ({
      name: `${pkg}/${name}`,
      comment: `${why} It may see: ${sees.join(', ') || 'no other room'}.`,
      from: { path: room(pkg, [name]), pathNot: EXCEPTIONS[name]?.map((file) => room(pkg, [file])) ?? [] },
      to: { path: '^packages/', pathNot: seenRooms(pkg, [name, ...sees]) },
    })),
  ),
  ...Object.entries(HOMES).map(([name, { rooms, why }]) => ({
    name: `home-of-${name}`,
    comment: `${why} Only ${rooms.join(' and ')} may import ${name}.`,
    from: { path: sources, pathNot: rooms.map((home) => room(...split(home))) },
    to: { path: installed([name]) },
  })),
  {
    name: 'no-homeless-package',
    comment:
      'A third-party package is a decision: give it one home in .dependency-cruiser.cjs, and a reason.',
    from: { path: sources },
    to: { pathNot: ['^packages/', '^[.]', '^#panel-assets$', builtins, installed(Object.keys(HOMES))] },
  },
  {
    name: 'types-only',
    comment: 'The host brings its framework: an adapter knows its types and runs none of its code.',
    from: { path: sources },
    to: { path: installed(TYPES_ONLY), dependencyTypesNot: ['type-only', 'type-import'] },
  },
  {
    name: 'no-cycle',
    comment: 'Two files that need each other are one file, or miss a third. Types count.',
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
    name: `${pkg}-stands-alone`,
    comment:
      'The published packages never import each other, in tests neither: they meet in the examples. The toolkit imports none.',
    from: { path: `^packages/${pkg}/` },
    to: {
      path: published
        .filter((other) => other !== pkg)
        .map((other) => `(^packages|^@acme|/@acme)/${other}(/|$)`),
    },
  })),
  {
    name: 'examples-use-what-is-published',
    comment: 'An example that reaches into the sources shows users what they cannot do.',
    from: { path: '^examples/' },
    to: { path: '^packages/' },
  },
  {
    name: 'signing-stays-light',
    comment:
      'A recipient verifies on any runtime with WebCrypto: no schema library, no storage, no module of Node.',
    from: { path: '^packages/webhooks/src/signing/index\\.ts$' },
    to: {
      // The one exception has no code: it says what a schema is.
      path: [
        builtins,
        installed(['(?!@standard-schema/)[^/]+', '@(?!standard-schema/)[^/]+/[^/]+']),
        '^packages/webhooks/src/storage/',
      ],
      reachable: true,
    },
  },
  {
    name: 'command-line-starts-at-once',
    comment: 'A command waits for what it loads: no package, only modules of Node.',
    from: { path: '^packages/webhooks/src/command-line/main\\.ts$' },
    to: {
      path: installed(['(?!@standard-schema/)[^/]+', '@(?!standard-schema/)[^/]+/[^/]+']),
      reachable: true,
    },
  },
  {
    name: 'client-stays-light',
    comment: 'It is bundled for browsers: no package, no module of Node.',
    from: { path: '^packages/auth/src/client/index\\.ts$' },
    to: { path: [builtins, installed(['[^/]+', '@[^/]+/[^/]+'])], reachable: true },
  },
  {
    name: 'root-needs-no-host-side',
    comment: 'The root works in every host: frameworks and databases stay in their subpaths, types included.',
    from: { path: `${sources}index\\.ts$` },
    to: { path: installed(HOST_SIDE), reachable: true },
  },
  {
    name: 'no-dead-file',
    comment: 'What neither a published subpath nor a command reaches is not part of the package.',
    from: { path: `${sources}(index|[^/]+/index|command-line/main)\\.ts$` },
    to: {
      path: sources,
      pathNot: ['/index\\.ts$', '/command-line/main\\.ts$', room('webhooks', ['panel/app'])],
      reachable: false,
    },
  },
  {
    name: 'no-dead-app-file',
    comment:
      'What the first page does not reach is not part of the panel; its colour scheme is a script of its own.',
    from: { path: '^packages/webhooks/src/panel/app/main\\.tsx$' },
    to: {
      path: room('webhooks', ['panel/app']),
      pathNot: '/(main\\.tsx|color-scheme\\.ts)$',
      reachable: false,
    },
  },
  {
    name: 'panel-serves-what-is-built',
    comment: 'The server holds the pages as files: their code runs in browsers alone.',
    from: { path: '^packages/webhooks/src/panel/[^/]+$' },
    to: { path: room('webhooks', ['panel/app']) },
  },
  ...packages.flatMap((pkg) => {
    const unknown = { path: `^packages/${pkg}/src/`, pathNot: room(pkg, Object.keys(ROOMS[pkg])) };
    const comment = `A new room gets a line in .dependency-cruiser.cjs: what it may see, and why.`;
    return [
      { name: `${pkg}-knows-its-rooms`, comment, from: unknown, to: {} },
      { name: `${pkg}-knows-its-lone-rooms`, comment, from: { ...unknown, orphan: true }, to: {} },
    ];
  }),
  {
    name: 'no-unresolvable',
    comment: 'An import that finds nothing here finds nothing at the user either.',
    from: {},
    // The published packages resolve to what the build makes: this rule holds where nothing is built, too.
    // Next is installed by its example alone.
    to: { couldNotResolve: true, pathNot: '^(@acme/|#panel-assets$|next$)' },
  },
];

function split(home) {
  const [pkg, ...name] = home.split('/');
  return [pkg, [name.join('/')]];
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: forbidden.map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    // Type-only imports count: a type of a peer in a public signature needs the peer installed.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['/dist/', '/\\.next/', '\\.d\\.[cm]?ts$'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    reporterOptions: { text: { highlightFocused: true } },
  },
};
