import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { listTexts } from '../list/list-texts.ts';
import { fill } from '../texts/host-texts.ts';

interface ListPagerProps {
  /** The name of the navigation, for screen readers. */
  readonly label: string;
  readonly page: { readonly total: number; readonly limit: number; readonly offset: number };
  readonly onOffset: (offset: number) => void;
}

/** Shows the current range, and goes to the next or previous page. */
export function ListPager({ label, page, onOffset }: ListPagerProps) {
  const { total, limit, offset } = page;
  if (total === 0) return null;
  const last = Math.min(offset + limit, total);
  // A page that has become empty in the meantime still leads back.
  const range =
    offset < total
      ? fill(listTexts.showing, { first: offset + 1, last, total })
      : fill(listTexts.showingNone, { total });
  return (
    <Group component="nav" aria-label={label} justify="space-between">
      <Text size="sm" c="dimmed">
        {range}
      </Text>
      {(offset > 0 || last < total) && (
        <Group gap="xs">
          <Button
            variant="default"
            size="sm"
            leftSection={<IconChevronLeft size={16} />}
            disabled={offset === 0}
            onClick={() => onOffset(Math.max(0, offset - limit))}
          >
            {listTexts.previous}
          </Button>
          <Button
            variant="default"
            size="sm"
            rightSection={<IconChevronRight size={16} />}
            disabled={last >= total}
            onClick={() => onOffset(offset + limit)}
          >
            {listTexts.next}
          </Button>
        </Group>
      )}
    </Group>
  );
}
