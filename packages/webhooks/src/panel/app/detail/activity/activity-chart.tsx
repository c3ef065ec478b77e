import { nice, ticks } from 'd3-array';
import { locale } from '../../texts/locale.ts';
import { uiTexts } from '../../ui/ui-texts.ts';
import type { ActivityBar } from './activity-bars.ts';

/** From the bottom of a bar to its top, and in the legend. */
const SERIES = [
  { name: 'success', label: uiTexts.statusSuccess },
  { name: 'failed', label: uiTexts.statusFailed },
  { name: 'pending', label: uiTexts.statusPending },
] as const;

/** `1.2M`: only a short number fits beside the axis. */
const COMPACT = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const MAX_TICKS = 4;
/** On a narrow screen the stylesheet shows every third one. */
const MAX_LABELS = 8;

/**
 * A bar for each hour or day, of boxes whose heights are percentages. The table below has the same
 * numbers for screen readers.
 */
export function ActivityChart({ bars }: { readonly bars: readonly ActivityBar[] }) {
  const most = Math.max(...bars.map(totalOf));
  // A delivery is not divided: few deliveries have as few ticks.
  const steps = Math.min(MAX_TICKS, most);
  const [, top] = nice(0, most, steps);
  const distance = Math.ceil(bars.length / MAX_LABELS);
  // From the last bar, which is the present, to the left.
  const isLabelled = (index: number, times = 1) => (bars.length - 1 - index) % (times * distance) === 0;
  return (
    <div className="chart" aria-hidden="true">
      <div className="chart-plot">
        {ticks(0, top, steps).map((count) => (
          <div key={count} className="chart-tick" style={{ bottom: percent(count, top) }}>
            <span>{COMPACT.format(count)}</span>
          </div>
        ))}
        <div className="chart-bars">
          {bars.map((bar, index) => (
            <div key={bar.start} className="chart-bar">
              {SERIES.filter(({ name }) => bar[name] > 0).map(({ name }) => (
                <div key={name} className={`chart-${name}`} style={{ height: percent(bar[name], top) }} />
              ))}
              {totalOf(bar) > 0 && <BarNumbers bar={bar} />}
              {isLabelled(index) && (
                <span className="chart-label" data-minor={!isLabelled(index, 3) || undefined}>
                  {bar.label}
                </span>
              )}
            </div>
          ))}
        </div>
      </div>
      <ul className="chart-legend">
        {SERIES.map(({ name, label }) => (
          <li key={name}>
            <span className={`chart-${name}`} /> {label}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The numbers of a bar, beside the pointer. */
function BarNumbers({ bar }: { readonly bar: ActivityBar }) {
  return (
    <dl className="chart-numbers">
      <dt>{bar.label}</dt>
      {SERIES.map(({ name, label }) => (
        <dd key={name}>
          <span className={`chart-${name}`} /> {label} <strong>{bar[name].toLocaleString()}</strong>
        </dd>
      ))}
    </dl>
  );
}

function totalOf({ success, failed, pending }: ActivityBar): number {
  return success + failed + pending;
}

function percent(count: number, top: number): string {
  return `${(count / top) * 100}%`;
}
