import { isBoundedText } from '../text/well-formed-text.ts';

const MAX_INSTANCE_LENGTH = 256;

/** Names an instance, for what a store binds to it; every `Auth` fits as `auth`. */
export interface InstanceSource {
  readonly auth?: { readonly options: { readonly audience: string | false } } | undefined;
  readonly instance?: string | undefined;
}

/**
 * Returns the name that a store's rows have in their column `instance`: the audience of `auth`, or
 * else `instance`.
 *
 * @returns `undefined` if neither is given
 * @throws TypeError when one of them is of a wrong shape, they contradict each other, or `auth` has
 *   no audience and `instance` is missing
 */
export function instanceName({ auth, instance }: InstanceSource): string | undefined {
  if (instance !== undefined && !isBoundedText(instance, MAX_INSTANCE_LENGTH)) {
    throw new TypeError(`instance must be a string of 1 to ${MAX_INSTANCE_LENGTH} characters`);
  }
  if (auth === undefined) return instance;
  const audience = auth?.options?.audience;
  if (audience === undefined) throw new TypeError('auth must be an instance that createAuth made');
  if (audience === false) {
    if (instance !== undefined) return instance;
    throw new TypeError('instance is required where the audience of auth is false');
  }
  if (instance === undefined || instance === audience) return audience;
  throw new TypeError('instance must be the audience of auth, or be left out');
}
