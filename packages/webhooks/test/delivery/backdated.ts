import { timestampText } from '../../src/clock.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';

/** The storage, as if some times of its runs of failures were that many milliseconds older. */
export function backdated<Transaction>(
  storage: WebhookStorage<Transaction>,
  agesMs: { readonly since: number; readonly secondAt: number },
): WebhookStorage<Transaction> {
  const older = (at: string, ageMs: number) => timestampText(Date.parse(at) - ageMs);
  return {
    ...storage,
    async readOverview(query) {
      const overviews = await storage.readOverview(query);
      return overviews.map(({ failureRun: run, ...overview }) => {
        if (!run) return { ...overview, ...(run === null && { failureRun: null }) };
        const since = older(run.since, agesMs.since);
        return { ...overview, failureRun: { ...run, since, secondAt: older(run.secondAt, agesMs.secondAt) } };
      });
    },
  };
}
