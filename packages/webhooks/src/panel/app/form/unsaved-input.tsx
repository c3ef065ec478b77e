import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { formTexts } from './form-texts.ts';

/** Says that the form shows earlier input, and offers to discard it. */
export function RestoredNotice({ onDiscard }: { readonly onDiscard: () => void }) {
  return (
    <Alert color="gray" icon={<IconHistory />} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{formTexts.restored}</Text>
        <Button size="compact-sm" variant="default" onClick={onDiscard}>
          {formTexts.discard}
        </Button>
      </Group>
    </Alert>
  );
}

interface LeaveQuestionProps {
  readonly onLeave: () => void;
  readonly onStay: () => void;
}

/** Asks before a form with unsaved input is closed. */
export function LeaveQuestion({ onLeave, onStay }: LeaveQuestionProps) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={formTexts.leaveQuestion}>
      <Group gap="xs">
        <Button size="sm" variant="default" autoFocus onClick={onStay}>
          {formTexts.stay}
        </Button>
        <Button size="sm" color="red" onClick={onLeave}>
          {formTexts.leave}
        </Button>
      </Group>
    </Alert>
  );
}
