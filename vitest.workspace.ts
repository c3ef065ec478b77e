import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { stopWithChildren } from './test/processes/stop-with-children.ts';

/** Tests of what is published: part of `npm run check`, not of `npm test`. */
const PACKAGE_TESTS = [
  'package/**/*.test.ts',
  'readme/getting-started.test.ts',
  'readme/framework-pages.test.ts',
  'readme/readme.test.ts',
  'readme/unconfigured.test.ts',
];

/** Tests of the night: `npm run test:night`. Each is in a row of `test/night/night-runs.ts`. */
const NIGHT_TESTS = '**/*.night.test.ts';
const NIGHT_ROOTS = {
  'night-auth': 'packages/auth',
  'night-toolkit': 'packages/toolkit',
  'night-webhooks': 'packages/webhooks',
  'night-examples': 'examples',
  'night-house': 'test',
};

/** Tests of the night that run what `npm ci` does not install. */
const RUNTIME_TESTS = ['runtimes/*.night.test.ts', 'tracing/*.night.test.ts'];

/**
 * Tests that replace a module of another package or of Node: each in a process of its own. What was
 * loaded before keeps the module that it found, and what another file loads later would find theirs.
 */
const AUTH_ALONE = ['test/security/hashing-cost.test.ts'];

/** Fails a file that leaves something behind in the process that it shares. */
const PUT_BACK = fileURLToPath(new URL('test/processes/put-back.ts', import.meta.url));

/** Drops the tables of this run on the servers, and those that killed runs have left. */
const LEFT_OVERS = fileURLToPath(new URL('test/services/left-overs.ts', import.meta.url));

// Demos, browsers and programs that the tests have started end with a run that is stopped.
stopWithChildren();

/**
 * Vitest no longer finds a file of this name by itself: every command passes it with `--config`. At
 * most two files run at once, the cores of a small CI machine. The files of `npm test` share their
 * processes, two for each project, except those above: a process and its imports for each file took
 * longer than the tests in it.
 */
export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a poll waits for comes at once on a quiet machine; a busy one is no reason to fail.
    expect: { poll: { interval: 10, timeout: 60_000 } },
    maxWorkers: 2,
    globalSetup: [LEFT_OVERS],
    // Below this, the time of a single test is no news.
    slowTestThreshold: 3_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'auth',
          root: 'packages/auth',
          include: ['test/**/*.test.ts'],
          exclude: [...AUTH_ALONE, NIGHT_TESTS],
          setupFiles: [PUT_BACK, 'test/security/watched-outlets.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'auth-alone',
          root: 'packages/auth',
          include: AUTH_ALONE,
          setupFiles: ['test/security/watched-outlets.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'toolkit',
          root: 'packages/toolkit',
          include: ['test/**/*.test.ts'],
          exclude: [NIGHT_TESTS],
          setupFiles: [PUT_BACK],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'webhooks',
          root: 'packages/webhooks',
          include: ['test/**/*.test.ts'],
          exclude: [NIGHT_TESTS],
          setupFiles: [PUT_BACK, 'test/security/watched-outlets.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'examples',
          root: 'examples',
          include: ['*/test/**/*.test.ts'],
          exclude: [NIGHT_TESTS],
          setupFiles: [PUT_BACK],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'house',
          root: 'test',
          include: ['**/*.test.ts'],
          exclude: [...PACKAGE_TESTS, NIGHT_TESTS, '**/node_modules/**'],
          setupFiles: [PUT_BACK],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'packages', root: 'test', include: PACKAGE_TESTS, exclude: [NIGHT_TESTS] },
      },
      {
        extends: true,
        test: {
          name: 'night-runtimes',
          root: 'test',
          include: RUNTIME_TESTS,
          globalSetup: ['runtimes/install-runtimes.ts'],
        },
      },
      // Each file in a process of its own: at night, the time that this takes counts for nothing.
      ...Object.entries(NIGHT_ROOTS).map(([name, root]) => ({
        extends: true as const,
        test: { name, root, include: [NIGHT_TESTS], exclude: [...RUNTIME_TESTS, '**/node_modules/**'] },
      })),
    ],
  },
});
