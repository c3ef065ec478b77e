import { runCheck } from './check/run-check.ts';
import { runDemo } from './demo/run-demo.ts';
import { readSettings } from './processes/settings.ts';
import { runProcess, StartError } from './processes/start-error.ts';

const USAGE = 'Usage: npm run demo, npm run demo -- --verbose or npm run demo -- --check';

/**
 * `npm run demo` runs the demo until Ctrl-C; `--verbose` prints all that it offers. `npm run demo
 * -- --check` does everything once by itself.
 */
await runProcess(async () => {
  const [argument, ...more] = process.argv.slice(2);
  if (more.length > 0 || ![undefined, '--verbose', '--check'].includes(argument)) throw new StartError(USAGE);
  if (argument === '--check') process.exitCode = await runCheck(process.env);
  else process.exitCode = await runDemo(readSettings(process.env), argument === '--verbose');
});
