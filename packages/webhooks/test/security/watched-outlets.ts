import { vi } from 'vitest';
import { failOnSecrets } from '../../../../test/secrets/outlets.ts';

/**
 * Runs before each test file: every logger and hook of an engine, an admin API or a panel is
 * watched for secrets, also where a test gives none. The modules stay what they are; what goes
 * through them is looked at on its way.
 */
vi.mock('../../src/logging/logger.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/logging/logger.ts')>();
  const { watchedLogger } = await import('../../../../test/secrets/outlets.ts');
  const nonThrowingLogger: typeof original.nonThrowingLogger = (logger) =>
    watchedLogger(original.nonThrowingLogger(logger));
  return { ...original, nonThrowingLogger };
});

vi.mock('../../src/hooks/notifier.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/hooks/notifier.ts')>();
  const { watched } = await import('../../../../test/secrets/outlets.ts');
  const createNotifier: typeof original.createNotifier = (hooks, ...rest) =>
    original.createNotifier(
      {
        onError: watched('onError', hooks.onError),
        onDeliveryFailed: watched('onDeliveryFailed', hooks.onDeliveryFailed),
        onAttempt: watched('onAttempt', hooks.onAttempt),
        onWebhookDisabled: watched('onWebhookDisabled', hooks.onWebhookDisabled),
        // Without the hook, outages are followed by none.
        onWebhookFailing: hooks.onWebhookFailing && watched('onWebhookFailing', hooks.onWebhookFailing),
        onBacklog: hooks.onBacklog && watched('onBacklog', hooks.onBacklog),
      },
      ...rest,
    );
  return { ...original, createNotifier };
});

vi.mock('../../src/admin/audit.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/admin/audit.ts')>();
  const { watched } = await import('../../../../test/secrets/outlets.ts');
  const createAudit: typeof original.createAudit = ({ onAudit, ...deps }) =>
    original.createAudit({ ...deps, onAudit: watched('onAudit', onAudit) });
  return { ...original, createAudit };
});

failOnSecrets();
