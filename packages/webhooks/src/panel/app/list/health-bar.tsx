import type { WebhookHealth } from '../api/records.ts';
import { fill } from '../texts/host-texts.ts';
import { locale } from '../texts/locale.ts';
import { listTexts } from './list-texts.ts';

/** Down, so that a rate below 100 % never looks like it. */
const RATE = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 1,
  roundingMode: 'floor',
});

/** The success rate of the last 24 hours, as a number and a bar. */
export function HealthBar({ health }: { readonly health: WebhookHealth }) {
  const { success, failed, success_rate: rate } = health;
  if (rate === null) return <span className="health-none">{listTexts.noResult}</span>;
  const counts = fill(listTexts.health, { success, failed });
  return (
    <span className="health" title={counts}>
      <span className="health-bar" aria-hidden="true">
        {success > 0 && <span className="chart-success" style={{ flexGrow: success }} />}
        {failed > 0 && <span className="chart-failed" style={{ flexGrow: failed }} />}
      </span>
      {RATE.format(rate)}
    </span>
  );
}
