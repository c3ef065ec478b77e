import { isScope, MAX_SCOPE_LENGTH } from '../claims.ts';

/** An instance as far as its scopes are concerned. */
interface ScopedInstance {
  readonly options: { readonly scopes: readonly string[] | undefined };
}

/**
 * Reads the arguments of `requireScope`: the scope alone, or the instance that knows it and the
 * scope.
 *
 * @throws TypeError when no token can carry the scope, the list of the instance lacks it, or there
 *   is no instance where one should be
 */
export function requiredScope(...args: readonly [scope: string] | readonly [ScopedInstance, string]): string {
  const [auth, scope] = args.length === 1 ? [undefined, args[0]] : args;
  if (args.length > 1 && typeof auth?.options !== 'object') {
    throw new TypeError('auth must be an instance that createAuth made');
  }
  if (!isScope(scope)) throw new TypeError(`scope must be a string of 1 to ${MAX_SCOPE_LENGTH} characters`);
  const known = auth?.options.scopes;
  if (known !== undefined && !known.includes(scope)) {
    throw new TypeError(`scope must be one that the instance knows (${known.join(', ')}), got ${scope}`);
  }
  return scope;
}
