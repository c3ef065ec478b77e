import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { formTexts } from './form-texts.ts';

/** Says that the form shows what was typed before a log-in. */
export function RestoredNotice() {
  return (
    <Alert color="gray" icon={<IconHistory />} role="status">
      {formTexts.restored}
    </Alert>
  );
}

interface LeaveQuestionProps {
  readonly onLeave: () => void;
  readonly onStay: () => void;
}

/** Asks before unsaved input is discarded. */
export function LeaveQuestion({ onLeave, onStay }: LeaveQuestionProps) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={formTexts.leaveQuestion}>
      <Group gap="xs">
        <Button size="sm" variant="default" autoFocus onClick={onStay}>
          {formTexts.stay}
        </Button>
        <Button size="sm" color="red" onClick={onLeave}>
          {formTexts.discard}
        </Button>
      </Group>
    </Alert>
  );
}
