/** The signing secrets that this recipient was given, by the name of the hook. */
export interface Secrets {
  /** Adds a secret. Returns false if the text is not a secret. */
  add(hook: string, secret: unknown): boolean;
  /**
   * Returns all secrets of a hook, newest last. Several webhooks may point to the hook, or one may
   * rotate its secret.
   */
  of(hook: string): readonly string[];
}

/** `whsec_` and the base64 of 24 bytes. */
const SECRET_FORM = /^whsec_[A-Za-z0-9+/]{32}$/;
/** The number of secrets that `verify` tries. */
const MAX_SECRETS_PER_HOOK = 8;
const MAX_HOOKS = 100;

/** Stores secrets in memory. A real recipient has its one secret in its configuration. */
export function createSecrets(): Secrets {
  const byHook = new Map<string, readonly string[]>();
  return {
    add(hook, secret) {
      if (typeof secret !== 'string' || !SECRET_FORM.test(secret)) return false;
      if (!byHook.has(hook) && byHook.size >= MAX_HOOKS) return false;
      const others = (byHook.get(hook) ?? []).filter((known) => known !== secret);
      byHook.set(hook, [...others, secret].slice(-MAX_SECRETS_PER_HOOK));
      return true;
    },
    of: (hook) => byHook.get(hook) ?? [],
  };
}
