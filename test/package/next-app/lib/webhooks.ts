import { createWebhooks, memoryStorage } from '@acme/webhooks';

// The test of this app sets both: its recipient is on this machine, and no sweep may help a
// delivery along.
const { ALLOWED_ADDRESSES, SWEEP_INTERVAL_MS } = process.env;

const create = () =>
  createWebhooks({
    storage: memoryStorage(), // yours: kyselyStorage(db)
    egress: { allowedAddresses: ALLOWED_ADDRESSES ? ALLOWED_ADDRESSES.split(',') : [] },
    sweepIntervalMs: SWEEP_INTERVAL_MS ? Number(SWEEP_INTERVAL_MS) : undefined,
    logger: console,
  });

// Next builds routes and instrumentation as separate bundles: the process has one engine for all.
const perProcess = globalThis as typeof globalThis & { appWebhooks?: ReturnType<typeof create> };
perProcess.appWebhooks ??= create();
export const webhooks = perProcess.appWebhooks;
