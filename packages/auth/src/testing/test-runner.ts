/**
 * Returns a check that this process runs tests, for every time that claims are injected. It reads
 * the environment each time, so that it also refuses in a process that turns out to be in
 * production.
 *
 * @param name the public function, as the messages name it
 * @returns the check, which throws an Error outside of tests
 */
export function testsOnly(name: string): () => void {
  const purpose = `${name} authenticates without a token: it is for tests`;
  return () => {
    if (process.env.NODE_ENV === 'production') throw new Error(`${purpose}, and NODE_ENV is production`);
    if (!isTestRunner()) throw new Error(`${purpose}, and no test runner is found: set NODE_ENV=test`);
  };
}

function isTestRunner(): boolean {
  const { env, execArgv } = process;
  // Jest sets NODE_ENV unless the host has. JEST_WORKER_ID proves nothing: jest-worker, which
  // builds use, sets it too.
  if (env.NODE_ENV === 'test' || env.VITEST === 'true') return true;
  // `node --test` sets the variable in its processes; with `--test-isolation=none`, the flag is on
  // the process itself.
  return Boolean(env.NODE_TEST_CONTEXT) || execArgv.includes('--test');
}
