import { Button, Group } from '@mantine/core';
import { uiTexts } from '../ui/ui-texts.ts';

interface CursorPagerProps {
  /** The name of the navigation, for screen readers. */
  readonly label: string;
  readonly isFirst: boolean;
  /** The cursor of the next older page; null on the last one. */
  readonly next: string | null;
  readonly onNewer: () => void;
  readonly onOlder: (cursor: string) => void;
}

/** Goes to the pages beside one of deliveries. */
export function CursorPager({ label, isFirst, next, onNewer, onOlder }: CursorPagerProps) {
  if (isFirst && next === null) return null;
  return (
    <Group component="nav" aria-label={label} justify="flex-end" gap="xs" mt="sm">
      <Button variant="default" size="sm" disabled={isFirst} onClick={onNewer}>
        {uiTexts.newer}
      </Button>
      <Button
        variant="default"
        size="sm"
        disabled={next === null}
        onClick={() => next !== null && onOlder(next)}
      >
        {uiTexts.older}
      </Button>
    </Group>
  );
}
