import { fill } from '../texts/host-texts.ts';
import { timeText } from '../ui/instant.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';

interface StaleAlertProps {
  /** Why the page was not read again; null if it was. */
  readonly error: Error | null;
  /** The checks for changes: why they fail, and when the last one succeeded. */
  readonly current: { readonly error: Error | null; readonly currentAt: number };
  readonly onRetry: () => unknown;
}

/** Says above a page that it is no longer current, and since when. Its numbers are dimmed. */
export function StaleAlert({ error, current, onRetry }: StaleAlertProps) {
  const problem = error ?? current.error;
  if (problem === null) return null;
  const title =
    current.error === null || current.currentAt === 0
      ? uiTexts.outOfDate
      : fill(uiTexts.staleSince, { time: timeText(new Date(current.currentAt).toISOString()) });
  return (
    <div className="stale">
      <ProblemAlert title={title} error={problem} onRetry={onRetry} />
    </div>
  );
}
