import { Popover, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface FacetPopoverProps {
  /** What the filter is, and what is chosen. */
  readonly text: string;
  readonly isChosen: boolean;
  /** What is shown below it while it is open. */
  readonly children: (close: () => void) => ReactNode;
}

/** A filter that takes more room than its button while something is chosen. */
export function FacetPopover({ text, isChosen, children }: FacetPopoverProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="md"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton
          className="facet"
          data-chosen={isChosen || undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <bdi>{text}</bdi>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">{children(() => setOpen(false))}</Popover.Dropdown>
    </Popover>
  );
}
