import { Group } from '@mantine/core';
import { type PointerEvent, useState } from 'react';
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
  /** The time that is chosen; '' for none. */
  readonly from: string;
  readonly to: string;
  /** Chooses the time of a bar, by a click, or of several, by dragging over them. */
  readonly onChoose: (from: string, to: string) => void;
}

/**
 * A bar for each hour or day, of boxes whose heights are percentages. The table below has the same
 * numbers for screen readers.
 */
export function ActivityChart({ bars, from, to, onChoose }: ActivityChartProps) {
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const dragged = drag && { first: Math.min(drag.from, drag.to), last: Math.max(drag.from, drag.to) };
  const indexAt = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, right, width } = currentTarget.getBoundingClientRect();
    const isReversed = getComputedStyle(currentTarget).direction === 'rtl';
    const share = (isReversed ? right - clientX : clientX - left) / width;
    return Math.min(Math.max(Math.floor(share * bars.length), 0), bars.length - 1);
  };
  const isChosen = ({ start, end }: ActivityBar, index: number) =>
    dragged === null
      ? from + to !== '' && start >= from && (to === '' || end <= to)
      : index >= dragged.first && index <= dragged.last;
  const most = Math.max(...bars.map(totalOf));
  const ticks = ticksUpTo(most);
  const top = ticks.at(-1) ?? most;
  const distance = Math.ceil(bars.length / MAX_LABELS);
  // From the last bar, which is the present, to the left.
  const isLabelled = (index: number, times = 1) => (bars.length - 1 - index) % (times * distance) === 0;
  return (
    <div className="chart" aria-hidden="true">
      <div
        className="chart-plot"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ from: indexAt(event), to: indexAt(event) });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, to: indexAt(event) })}
        onPointerUp={(event) => {
          if (drag === null) return;
          setDrag(null);
          // The last move may not have been drawn yet.
          const ends = [drag.from, indexAt(event)].sort((a, b) => a - b);
          const [first, last] = ends.map((index) => bars[index]);
          if (first && last) onChoose(first.start, last.end);
        }}
        // A touch that scrolls the page.
        onPointerCancel={() => setDrag(null)}
      >
        {ticks.map((count) => (
          <div key={count} className="chart-tick" style={{ bottom: percent(count, top) }}>
            <span>{COMPACT.format(count)}</span>
          </div>
        ))}
        {bars.map((bar, index) => (
          <div key={bar.start} className="chart-bar" data-chosen={isChosen(bar, index) || undefined}>
            {SERIES.filter(({ name }) => bar[name] > 0).map(({ name }) => (
              <div
                key={name}
                className="series"
                style={{ ...seriesGround(name), height: percent(bar[name], top) }}
              />
            ))}
            {totalOf(bar) > 0 && (
              <ul className="chart-numbers" data-late={index >= bars.length / 2 || undefined}>
                <li>{bar.label}</li>
                <Series bar={bar} />
              </ul>
            )}
            {isLabelled(index) && (
              <span className="chart-label" data-minor={!isLabelled(index, 3) || undefined}>
                {bar.label}
              </span>
            )}
          </div>
        ))}
      </div>
      <Group component="ul" justify="flex-end">
        <Series />
      </Group>
    </div>
  );
}

/** What the colours mean, and how many deliveries of a bar that are. */
function Series({ bar }: { readonly bar?: ActivityBar }) {
  return SERIES.map(({ name, label }) => (
    <li key={name}>
      <span className="series" style={seriesGround(name)} /> {label}{' '}
      {bar && <strong>{bar[name].toLocaleString()}</strong>}
    </li>
  ));
}

/** Round numbers from zero to the first that is not below the most. */
function ticksUpTo(most: number): readonly number[] {
  // A delivery is not divided: few deliveries have as few ticks.
  const least = Math.max(1, most / MAX_TICKS);
  const power = 10 ** Math.floor(Math.log10(least));
  const distance = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? least;
  return Array.from({ length: Math.ceil(most / distance) + 1 }, (_, index) => index * distance);
}

function totalOf({ success, failed, pending }: ActivityBar): number {
  return success + failed + pending;
}

function percent(count: number, top: number): string {
  return `${(count / top) * 100}%`;
}
