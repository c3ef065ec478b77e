import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Child, startChild } from './child-process.ts';

/** The two servers of the demo. The shop starts the worker, as a process of its own. */
export interface DemoProcesses {
  readonly recipients: Child;
  shop: Child;
  /** Starts the shop on the same database: after a crash, in the check. */
  startShop(): Promise<void>;
}

/** Starts the demo, on a new database unless `DATABASE_FILE` names one, and ends it afterwards. */
export async function withDemo<T>(run: (demo: DemoProcesses) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'acme-quickstart-'));
  const { DATABASE_FILE: file, INIT_CWD: cwd = process.cwd(), SIGNING_KEY: key } = process.env;
  try {
    const recipients = await startChild('recipients');
    try {
      const env = {
        DATABASE_FILE: file ? resolve(cwd, file) : join(folder, 'demo.db'),
        RECIPIENTS_URL: recipients.url,
        SIGNING_KEY: key || randomBytes(32).toString('base64'),
      };
      const demo: DemoProcesses = {
        recipients,
        shop: await startChild('shop/server', env),
        async startShop() {
          demo.shop = await startChild('shop/server', env);
        },
      };
      try {
        return await run(demo);
      } finally {
        await demo.shop.end();
      }
    } finally {
      await recipients.end();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
