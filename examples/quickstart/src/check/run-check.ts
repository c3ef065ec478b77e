import { withTemporaryFolder } from '../processes/demo-processes.ts';
import { checkAdministration } from './administration-chapter.ts';
import { checkCustomers } from './customers-chapter.ts';
import { checkDelivery } from './delivery-chapter.ts';
import { type DemoUnderCheck, startDemo } from './demo-under-check.ts';
import { checkLogIn } from './log-in-chapter.ts';
import { checkPasswordReset } from './password-reset-chapter.ts';
import { checkPatterns } from './pattern-chapter.ts';
import { checkRegistration } from './registration-chapter.ts';
import { checkRestart } from './restart-chapter.ts';
import { checkRetries } from './retry-chapter.ts';
import { createSteps } from './step.ts';
import { checkStepUp } from './step-up-chapter.ts';

/** The limit for all steps together. Each step also has a limit of its own. */
const DEADLINE_MS = 180_000;

/**
 * Runs every chapter once without a person, and prints the result of each step.
 *
 * @returns the exit code: 0 if every step passed
 * @throws StartError when the demo cannot start
 */
export async function runCheck(environment: NodeJS.ProcessEnv): Promise<number> {
  return withTemporaryFolder(async (folder) => {
    const interrupted = interruption();
    const demo = await startDemo(environment, folder);
    const ended = new AbortController();
    // The output of a step after the end means nothing, because its processes are gone.
    const print = (line: string) => {
      if (!ended.signal.aborted) console.log(line);
    };
    try {
      return await Promise.race([runChapters(demo, print), interrupted]);
    } finally {
      ended.abort();
      await demo.end();
    }
  });
}

async function runChapters(demo: DemoUnderCheck, print: (line: string) => void): Promise<number> {
  const startedAt = performance.now();
  print(`App ${demo.appUrl()}, recipient ${demo.recipientUrl}, database ${demo.databaseFile}`);
  print('127.0.0.1 is allowed as a recipient for the demo only; every other address must be public.');

  const { step, chapter, counts } = createSteps(print);
  const admin = demo.newClient();
  const customer = demo.newClient();
  const parts = { step, demo, admin, customer };
  await chapter('Log-in', () => checkLogIn(parts));
  await chapter('Password reset', () => checkPasswordReset(parts));
  await chapter('Step-up', () => checkStepUp(parts));
  await chapter('Registration', () => checkRegistration(parts));
  await chapter('Delivery', () => checkDelivery(parts));
  await chapter('Patterns', () => checkPatterns(parts));
  await chapter('Customers', () => checkCustomers(parts));
  await chapter('Retries', () => checkRetries(parts));
  await chapter('Administration', () => checkAdministration(parts));
  await chapter('Restart', () => checkRestart(parts));

  const { held, failed } = counts();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  print(`\n${held} steps held, ${failed} failed (${seconds} s)`);
  return failed === 0 ? 0 : 1;
}

/** Resolves with the exit code of a check that was interrupted, or that takes too long. */
function interruption(): Promise<number> {
  return new Promise((resolve) => {
    const end = (reason: string, code: number) => {
      console.error(`\n${reason}: the check is incomplete.`);
      resolve(code);
    };
    process.once('SIGINT', () => end('Interrupted', 130));
    process.once('SIGTERM', () => end('Interrupted', 143));
    process.once('SIGHUP', () => end('Interrupted', 129));
    setTimeout(() => end(`Not done after ${DEADLINE_MS / 1_000} s`, 1), DEADLINE_MS).unref();
  });
}
