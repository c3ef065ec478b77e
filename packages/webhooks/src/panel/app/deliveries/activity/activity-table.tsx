import { Anchor, Text } from '@mantine/core';
import { numberText } from '../../texts/host-texts.ts';
import { uiTexts } from '../../ui/ui-texts.ts';
import type { ActivityBar } from './activity-bars.ts';
import { activityTexts } from './activity-texts.ts';

interface ActivityTableProps {
  readonly bars: readonly ActivityBar[];
  readonly unit: string;
  readonly onChoose: (from: string, to: string) => void;
}

/** The numbers of the chart, without the hours or days that have none. */
export function ActivityTable({ bars, unit, onChoose }: ActivityTableProps) {
  const busy = bars.filter(({ success, failed, pending }) => success + failed + pending > 0);
  return (
    <Text component="details" size="sm" mt="xs">
      <summary>{activityTexts.showNumbers}</summary>
      <table className="table" aria-label={activityTexts.title}>
        <thead>
          <tr>
            <th>{unit}</th>
            <th>{uiTexts.statusSuccess}</th>
            <th>{uiTexts.statusFailed}</th>
            <th>{uiTexts.statusPending}</th>
          </tr>
        </thead>
        <tbody>
          {busy.map((bar) => (
            <tr key={bar.start}>
              <th scope="row">
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  onClick={() => onChoose(bar.start, bar.end)}
                >
                  <time dateTime={bar.start} title={bar.start}>
                    {bar.label}
                  </time>
                </Anchor>
              </th>
              <td>{numberText(bar.success)}</td>
              <td>{numberText(bar.failed)}</td>
              <td>{numberText(bar.pending)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Text>
  );
}
