import { createWebhooks, memoryStorage } from '@acme/webhooks';

const create = () =>
  createWebhooks({
    storage: memoryStorage(), // yours: kyselyStorage(db)
    egress: { allowedAddresses: ['127.0.0.1/32'] }, // for a recipient on this machine
    sweepIntervalMs: 3_600_000,
    logger: console,
  });

// Next builds routes and instrumentation as separate bundles: the process has one engine for all.
const perProcess = globalThis as typeof globalThis & { appWebhooks?: ReturnType<typeof create> };
perProcess.appWebhooks ??= create();
export const webhooks = perProcess.appWebhooks;
