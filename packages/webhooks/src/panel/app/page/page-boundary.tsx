import { Alert, Button, Stack, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { uiTexts } from '../ui/ui-texts.ts';

/**
 * Catches errors during rendering, including a missing file of an older build, and offers a reload.
 */
export class PageBoundary extends Component<
  { readonly children: ReactNode },
  { readonly isBroken: boolean }
> {
  override readonly state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children;
    return (
      <Alert color="red" title={uiTexts.brokenTitle}>
        <Stack align="flex-start" gap="sm">
          <Text size="sm">{uiTexts.broken}</Text>
          <Button variant="default" onClick={() => location.reload()}>
            {uiTexts.loadAgain}
          </Button>
        </Stack>
      </Alert>
    );
  }
}
