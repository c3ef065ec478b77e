import { Alert, Button, Stack, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';

/** Catches what breaks while a page is drawn, a file of an older build that is gone included, and offers a reload. */
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
      <Alert color="red" title="This page broke">
        <Stack align="flex-start" gap="sm">
          <Text size="sm">
            It may have been updated on the server in the meantime. Loading it again helps then.
          </Text>
          <Button variant="default" onClick={() => location.reload()}>
            Load again
          </Button>
        </Stack>
      </Alert>
    );
  }
}
