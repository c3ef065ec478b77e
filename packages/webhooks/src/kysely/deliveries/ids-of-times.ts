import { timestampText } from '../../clock.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/** Both exclusive. */
export interface IdRange {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

/** The first inclusive, the second exclusive. */
interface TimeRange {
  readonly createdFrom?: string | undefined;
  readonly createdBefore?: string | undefined;
}

/** By how much the order of ids may differ from that of times: twice what clocks are apart. */
const SLACK_MS = 3_600_000;

/** How many deliveries must agree on a bound: fewer may come from a clock that was wrong. */
const WITNESSES = 10;

/**
 * The ids among which the deliveries created between the times are. No index has the times of one
 * webhook, but ids follow them: what was written before a delivery that is older than the range by
 * more than the slack is older than the range, too.
 */
export async function idsOfTimes(
  tables: Tables,
  dialect: WebhookDialect,
  { createdFrom, createdBefore }: TimeRange,
): Promise<IdRange> {
  const byAge = tables.selectFrom(dialect.deliveriesBy('webhook_deliveries_by_age')).select('id');
  async function idsOf(witnesses: typeof byAge): Promise<readonly number[] | undefined> {
    const rows = await witnesses.limit(WITNESSES).execute();
    return rows.length < WITNESSES ? undefined : rows.map(({ id }) => Number(id));
  }
  const older =
    createdFrom === undefined
      ? undefined
      : await idsOf(
          byAge
            .where('created_at', '<', shifted(createdFrom, -SLACK_MS))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc'),
        );
  const newer =
    createdBefore === undefined
      ? undefined
      : await idsOf(
          byAge
            .where('created_at', '>=', shifted(createdBefore, SLACK_MS))
            .orderBy('created_at')
            .orderBy('id'),
        );
  return { after: older && Math.min(...older), before: newer && Math.max(...newer) };
}

function shifted(time: string, byMs: number): string {
  return timestampText(Date.parse(time) + byMs);
}
