import { vi } from 'vitest';
import { failOnSecrets } from '../../../../test/secrets/outlets.ts';

/**
 * Runs before each test file: every logger and hook of an instance, of sessions and of API keys is
 * watched for secrets, loggers and hooks of sessions also where a test gives none. The modules stay
 * what they are; what goes through them is looked at on its way.
 */
vi.mock('../../src/logging/logger.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/logging/logger.ts')>();
  const { watched } = await import('../../../../test/secrets/outlets.ts');
  // Around the host's own, whose methods may need their `this`.
  const resolveLogger: typeof original.resolveLogger = (logger) => {
    const isSound = typeof logger?.error === 'function' && /function|undefined/.test(typeof logger.debug);
    if (!isSound) return original.resolveLogger(logger);
    return original.resolveLogger({
      error: watched('logger.error', (fields: object, message: string) => logger.error(fields, message)),
      // Also where the host takes no debug lines, so that every refusal of the suite is described.
      debug: watched('logger.debug', (fields: object, message: string) => logger.debug?.(fields, message)),
    });
  };
  return { ...original, resolveLogger };
});

vi.mock('../../src/sessions/events/session-hooks.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/sessions/events/session-hooks.ts')>();
  const { watched } = await import('../../../../test/secrets/outlets.ts');
  const createSessionHooks: typeof original.createSessionHooks = (options, logger) => {
    const hooks = original.SESSION_HOOKS.map((name) => [
      name,
      watched(name, options[name] && ((event: never) => options[name]?.(event))),
    ]);
    return original.createSessionHooks(Object.fromEntries(hooks), logger);
  };
  return { ...original, createSessionHooks };
});

vi.mock('../../src/http/refusals.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/http/refusals.ts')>();
  const { watched } = await import('../../../../test/secrets/outlets.ts');
  const createRefusals: typeof original.createRefusals = (config) =>
    original.createRefusals({
      ...config,
      tellTokenRefused: watched('onTokenRefused', config.tellTokenRefused),
    });
  return { ...original, createRefusals };
});

vi.mock('../../src/tokens/revocations.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/tokens/revocations.ts')>();
  const { watched } = await import('../../../../test/secrets/outlets.ts');
  const createRevocations: typeof original.createRevocations = (config) => {
    const revocations = original.createRevocations(config);
    return { ...revocations, onRevoke: (listener) => revocations.onRevoke(watched('onRevoke', listener)) };
  };
  return { ...original, createRevocations };
});

failOnSecrets();
