import { runCheck } from './check/run-check.ts';
import { runDemo } from './demo.ts';
import { readSettings } from './settings.ts';
import { runProcess, StartError } from './start-error.ts';

/**
 * `npm run demo` runs the demo until Ctrl-C. `npm run demo -- --check` does everything once by
 * itself.
 */
await runProcess(async () => {
  const [argument, ...more] = process.argv.slice(2);
  if (more.length > 0 || (argument !== undefined && argument !== '--check')) {
    throw new StartError('Usage: npm run demo, or npm run demo -- --check');
  }
  if (argument === '--check') process.exitCode = await runCheck(process.env);
  else process.exitCode = await runDemo(readSettings(process.env));
});
