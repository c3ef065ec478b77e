import { Text } from '@mantine/core';
import { numberText } from '../../texts/host-texts.ts';
import { uiTexts } from '../../ui/ui-texts.ts';
import type { ActivityBar } from './activity-bars.ts';
import { activityTexts } from './activity-texts.ts';

interface ActivityTableProps {
  readonly bars: readonly ActivityBar[];
  readonly unit: string;
}

/** The numbers of the chart, without the hours or days that have none. */
export function ActivityTable({ bars, unit }: ActivityTableProps) {
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
          {busy.map(({ start, label, success, failed, pending }) => (
            <tr key={start}>
              <th scope="row">
                <time dateTime={start} title={start}>
                  {label}
                </time>
              </th>
              <td>{numberText(success)}</td>
              <td>{numberText(failed)}</td>
              <td>{numberText(pending)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Text>
  );
}
