import { afterAll, afterEach, expect } from 'vitest';
import { secretsIn } from './secrets-in.ts';

/** Secrets that came out, and where, since they were taken last. At most these many are kept. */
const sightings: string[] = [];
const MAX_SIGHTINGS = 100;

/** Looks for secrets in what an outlet (a logger, a hook, the console) is given. */
function watch(outlet: string, ...given: readonly unknown[]): void {
  if (sightings.length >= MAX_SIGHTINGS) return;
  for (const secret of secretsIn(...given)) sightings.push(`${secret} at ${outlet}`);
}

/**
 * The same function, except that what it is given is watched; a hook that a host leaves out is
 * watched all the same.
 */
export function watched<Hook>(outlet: string, hook: Hook): Hook {
  if (hook !== undefined && typeof hook !== 'function') return hook;
  const watching = (...given: unknown[]): unknown => {
    watch(outlet, ...given);
    return typeof hook === 'function' ? Reflect.apply(hook, undefined, given) : undefined;
  };
  return watching as Hook;
}

/** The same logger, each of its methods watched. */
export function watchedLogger<Logger extends object>(logger: Logger): Logger {
  const methods = Object.entries(logger).map(([level, log]) => [level, watched(`logger.${level}`, log)]);
  return Object.freeze(Object.fromEntries(methods));
}

/** Fails each test during which a secret came out, and watches the output of the process too. */
export function failOnSecrets(): void {
  watchOutput();
  const check = () => expect(sightings.splice(0), 'secrets came out').toEqual([]);
  afterEach(check);
  // What came out after the last test, or where there is none.
  afterAll(check);
}

let isOutputWatched = false;

/** Once in a process, however many files run in it. */
function watchOutput(): void {
  if (isOutputWatched) return;
  isOutputWatched = true;
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    console[level] = watched(`console.${level}`, console[level]);
  }
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name];
    const write = stream.write.bind(stream);
    stream.write = watched(name, write);
  }
}
