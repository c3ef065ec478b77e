import { runCheck } from './demo/check.ts';
import { type DemoProcesses, withDemo } from './demo/demo-processes.ts';

const [argument, ...more] = process.argv.slice(2);
if (more.length > 0 || ![undefined, '--check'].includes(argument)) {
  console.error('Usage: npm run demo, or npm run demo -- --check');
  process.exit(1);
}

// A check takes free ports: the demo itself may run.
if (argument === '--check') for (const port of ['PORT', 'RECIPIENT_PORT']) process.env[port] ||= '0';

const PARENT_CHECK_MS = 500;
const asked = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
  // The shell between npm and this process ends by SIGTERM without passing it on.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && resolve(), PARENT_CHECK_MS).unref();
});

try {
  process.exitCode = await withDemo((demo) =>
    argument === '--check' ? Promise.race([runCheck(demo), asked.then(() => 1)]) : run(demo),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Runs until Ctrl-C, or until one of the servers ends. */
async function run({ shop, recipients }: DemoProcesses): Promise<number> {
  console.log(`
The demo runs: a shop that sells, its worker and three recipients, on this machine only. Break them.

  Open    ${shop.url}   you are logged in there
  Log in  elsewhere as admin with the password "demo password of admin"

Ctrl-C ends it.
`);
  const ended = Promise.race([shop.exited, recipients.exited]);
  return await Promise.race([asked.then(() => 0), ended.then(() => 1)]);
}
