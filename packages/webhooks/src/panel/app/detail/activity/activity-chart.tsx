import { Group, Paper } from '@mantine/core';
import { locale } from '../../texts/locale.ts';
import { seriesGround } from '../../ui/series-ground.ts';
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
/** Above zero. */
const MAX_TICKS = 2;
/** On a narrow screen the stylesheet shows every third one. */
const MAX_LABELS = 8;

interface ActivityChartProps {
  readonly bars: readonly ActivityBar[];
  /** Chooses the deliveries of a bar, by a click. */
  readonly onChoose: (bar: ActivityBar) => void;
}

/**
 * A bar for each hour or day, of boxes whose heights are percentages. The table below has the same
 * numbers for screen readers.
 */
export function ActivityChart({ bars, onChoose }: ActivityChartProps) {
  const most = Math.max(...bars.map(totalOf));
  const ticks = ticksUpTo(most);
  const top = ticks.at(-1) ?? most;
  const distance = Math.ceil(bars.length / MAX_LABELS);
  // From the last bar, which is the present, to the left.
  const isLabelled = (index: number, times = 1) => (bars.length - 1 - index) % (times * distance) === 0;
  return (
    <div className="chart" aria-hidden="true">
      <div className="chart-plot">
        {ticks.map((count) => (
          <div key={count} className="chart-tick" style={{ bottom: percent(count, top) }}>
            <span>{COMPACT.format(count)}</span>
          </div>
        ))}
        {bars.map((bar, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: its table is for the keyboard.
          // biome-ignore lint/a11y/useKeyWithClickEvents: its table is for the keyboard.
          <div key={bar.start} className="chart-bar" onClick={() => onChoose(bar)}>
            {SERIES.filter(({ name }) => bar[name] > 0).map(({ name }) => (
              <div
                key={name}
                className="series"
                style={{ ...seriesGround(name), height: percent(bar[name], top) }}
              />
            ))}
            {totalOf(bar) > 0 && <BarNumbers bar={bar} isLate={index >= bars.length / 2} />}
            {isLabelled(index) && (
              <span className="chart-label" data-minor={!isLabelled(index, 3) || undefined}>
                {bar.label}
              </span>
            )}
          </div>
        ))}
      </div>
      <Group component="ul" justify="flex-end">
        {SERIES.map(({ name, label }) => (
          <li key={name}>
            <span className="series" style={seriesGround(name)} /> {label}
          </li>
        ))}
      </Group>
    </div>
  );
}

/** Round numbers from zero to the first that is not below the most. */
function ticksUpTo(most: number): readonly number[] {
  // A delivery is not divided: few deliveries have as few ticks.
  const least = Math.max(1, most / MAX_TICKS);
  const power = 10 ** Math.floor(Math.log10(least));
  const distance = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? least;
  return Array.from({ length: Math.ceil(most / distance) + 1 }, (_, index) => index * distance);
}

/** The numbers of a bar, beside the pointer. */
function BarNumbers({ bar, isLate }: { readonly bar: ActivityBar; readonly isLate: boolean }) {
  return (
    <Paper
      component="dl"
      withBorder
      shadow="md"
      px="sm"
      py="xs"
      className="chart-numbers"
      data-late={isLate || undefined}
    >
      <dt>{bar.label}</dt>
      {SERIES.map(({ name, label }) => (
        <dd key={name}>
          <span className="series" style={seriesGround(name)} /> {label}{' '}
          <strong>{bar[name].toLocaleString()}</strong>
        </dd>
      ))}
    </Paper>
  );
}

function totalOf({ success, failed, pending }: ActivityBar): number {
  return success + failed + pending;
}

function percent(count: number, top: number): string {
  return `${(count / top) * 100}%`;
}
