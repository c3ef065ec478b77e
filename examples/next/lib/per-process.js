/**
 * What `create` returns, once for the process: Next builds routes and instrumentation as separate
 * bundles, each with a copy of every module.
 */
export function perProcess(name, create) {
  const key = Symbol.for(`next-example.${name}`);
  globalThis[key] ??= create();
  return globalThis[key];
}
