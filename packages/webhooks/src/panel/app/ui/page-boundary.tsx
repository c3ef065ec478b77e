import { Alert, Button, Stack, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';

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
      <Alert color="red" title="This page has stopped working">
        <Stack align="flex-start" gap="sm">
          <Text size="sm">It may have been updated on the server in the meantime. Load it again.</Text>
          <Button variant="default" onClick={() => location.reload()}>
            Load again
          </Button>
        </Stack>
      </Alert>
    );
  }
}
