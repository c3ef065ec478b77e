import { defineConfig } from 'vitest/config';

/** Tests of what is published: part of `npm run check`, not of `npm test`. */
const PACKAGE_TESTS = [
  'package/**/*.test.ts',
  'readme/getting-started.test.ts',
  'readme/framework-pages.test.ts',
  'readme/readme.test.ts',
  'readme/unconfigured.test.ts',
];

/** Tests that install each example and start it: `npm run test:examples`. */
const EXAMPLE_TESTS = ['examples/*.test.ts'];

/** Tests that fetch other runtimes and other releases of the peers: `npm run test:runtimes`. */
const RUNTIME_TESTS = ['runtimes/*.test.ts'];

/**
 * Vitest no longer finds a file of this name by itself: every command passes it with `--config`. At
 * most two files run at once, the cores of a small CI machine, each in a process of its own.
 */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // What a poll waits for comes at once on a quiet machine; a busy one is no reason to fail.
    expect: { poll: { interval: 10, timeout: 10_000 } },
    maxWorkers: 2,
    // Below this, the time of a single test is no news.
    slowTestThreshold: 3_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'auth',
          root: 'packages/auth',
          include: ['test/**/*.test.ts'],
          setupFiles: ['test/security/watched-outlets.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'toolkit', root: 'packages/toolkit', include: ['test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'webhooks',
          root: 'packages/webhooks',
          include: ['test/**/*.test.ts'],
          setupFiles: ['test/security/watched-outlets.ts'],
        },
      },
      { extends: true, test: { name: 'examples', root: 'examples', include: ['*/test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'house',
          root: 'test',
          include: ['**/*.test.ts'],
          exclude: [...PACKAGE_TESTS, ...EXAMPLE_TESTS, ...RUNTIME_TESTS, '**/node_modules/**'],
        },
      },
      { extends: true, test: { name: 'packages', root: 'test', include: PACKAGE_TESTS } },
      { extends: true, test: { name: 'example-starts', root: 'test', include: EXAMPLE_TESTS } },
      {
        extends: true,
        test: {
          name: 'runtimes',
          root: 'test',
          include: RUNTIME_TESTS,
          globalSetup: ['runtimes/install-runtimes.ts'],
        },
      },
    ],
  },
});
