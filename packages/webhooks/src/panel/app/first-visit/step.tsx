import { Paper, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { firstVisitTexts } from './first-visit-texts.ts';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone?: boolean;
  /** Whether an earlier step comes first. */
  readonly isLater?: boolean;
  readonly children: ReactNode;
}

/** One of the steps, ticked once it is done. */
export function Step({ number, title, isDone = false, isLater = false, children }: StepProps) {
  return (
    <Paper
      component="li"
      withBorder
      p="md"
      className="step"
      data-done={isDone || undefined}
      data-later={isLater || undefined}
    >
      <span className="step-mark" aria-hidden="true">
        {isDone ? <IconCheck size={16} stroke={3} /> : number}
      </span>
      <div className="step-body">
        <Title order={3} size="h5">
          {isDone && <VisuallyHidden>{firstVisitTexts.done} </VisuallyHidden>}
          {title}
        </Title>
        {children}
      </div>
    </Paper>
  );
}
