import type { RecordedRatio, RecordedValue } from './figures.ts';

/** What `docs/operations/capacity.json` holds: the ratios of one run, when and where. */
export interface CapacityRun {
  /** The day, such as `2026-11-27`. */
  readonly measured: string;
  /** The machine and its databases, as a sentence without its full stop. */
  readonly machine: string;
  readonly ratios: readonly RecordedRatio[];
}

/** A row of the table: the ratio of `run` and `base` in the benchmarks whose title begins so. */
interface Row {
  readonly label: string;
  readonly comparedWith: string;
  readonly title: string;
  readonly run: string;
  readonly base: string;
}

const DELIVERY = { title: 'Deliveries, 50 at once: ', run: '@acme/webhooks' };
const DELIVERY_LABEL = 'a delivery from dispatch to recorded result, 50 at once';
const DISPATCH = { title: 'One dispatch after the other, 1 KB, awaited: ' };

const ROWS: readonly Row[] = [
  {
    ...DISPATCH,
    label: 'a dispatch with one subscriber, awaited',
    comparedWith: 'a bare insert',
    run: 'dispatch, one match',
    base: 'one bare insert',
  },
  {
    label: 'a dispatch with 1,000 subscribers',
    comparedWith: 'a bare insert of 1,000 rows',
    title: 'One event to 1000 webhooks: ',
    run: 'dispatch, 1000 matches',
    base: 'one bare insert of 1000 rows',
  },
  {
    ...DISPATCH,
    label: 'a dispatch with 100,000 webhooks registered, of which 10 match',
    comparedWith: 'a dispatch with only these 10 registered',
    run: 'dispatch, 10 matches of 100,000 webhooks',
    base: 'dispatch, 10 matches of 10 webhooks',
  },
  {
    ...DELIVERY,
    label: DELIVERY_LABEL,
    comparedWith: 'a worker written by hand: a job, `fetch`, an insert and two updates',
    base: 'written by hand',
  },
  {
    ...DELIVERY,
    label: DELIVERY_LABEL,
    comparedWith: 'a loop that only POSTs',
    base: 'bare loop that only POSTs',
  },
  {
    label: 'a delivery with a network of 2 ms each way, recipients that take 20 ms',
    comparedWith: 'the same on loopback',
    title: 'Deliveries, 50 slots, recipients of 20 ms: ',
    run: 'with 2 ms each way',
    base: 'on loopback',
  },
];

/** The databases as benchmarks name them, by the heads of their columns. */
const COLUMNS = {
  SQLite: 'SQLite on disk, WAL',
  PostgreSQL: 'PostgreSQL',
  'MySQL, MariaDB': 'MySQL or MariaDB',
};

/** Whether a ratio has a cell: benchmarks measure more than the page shows. */
export function isShown(figure: RecordedRatio | RecordedValue): figure is RecordedRatio {
  if (!('base' in figure)) return false;
  const { title, run, base } = figure;
  return ROWS.some((row) => title.startsWith(row.title) && row.run === run && row.base === base);
}

/** The page with its section of figures written anew from a run; all else stays. */
export function withFigures(page: string, run: CapacityRun): string {
  const [before = '', rest = ''] = page.split(/^## Figures$/m);
  const after = rest.slice(rest.indexOf('\n## '));
  return `${before}## Figures\n\n${figures(run)}\n${after}`;
}

function figures({ measured, machine, ratios }: CapacityRun): string {
  const heads = ['', 'compared with', ...Object.keys(COLUMNS)];
  const rows = ROWS.map(({ label, comparedWith, title, run, base }) => {
    const cells = Object.values(COLUMNS).map((server) =>
      cell(ratios.find((one) => one.title === title + server && one.run === run && one.base === base)),
    );
    return [label, comparedWith, ...cells];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `Time of the first column divided by that of the second, with 1 KB of payload. Measured on ${measured}: ${machine}.`,
    '',
    line(heads).replace('|  |', '| |'),
    `|${'---|'.repeat(heads.length)}`,
    ...rows.map(line),
  ].join('\n');
}

/** The median, and the lowest and highest repetition if they look different. */
function cell(found: RecordedRatio | undefined): string {
  if (found === undefined) return '–';
  const { ratio, low, high } = found;
  return shown(low) === shown(high) ? shown(ratio) : `${shown(ratio)} (${shown(low)}–${shown(high)})`;
}

const shown = (value: number): string => (value < 1 ? value.toFixed(2) : value.toFixed(1));
