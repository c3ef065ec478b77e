import { Anchor, Box, Container, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useApi } from '../api/api-context.ts';
import { lastListQuery } from '../list/list-state.ts';
import type { PanelConfig } from '../panel-config.ts';
import { fill } from '../texts/host-texts.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { useRestoredFocus } from './restored-focus.ts';

// The page does not wait for it.
const PanelHeader = lazyComponent(
  async () => (await import('./panel-header.tsx')).PanelHeader,
  <Box h={30} mb="sm" />,
);

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface PageFrameProps {
  readonly config: PanelConfig;
  readonly children: ReactNode;
}

/** Surrounds every page. A new page starts at the top, and gets the focus. */
export function PageFrame({ config, children }: PageFrameProps) {
  const { isReadOnly } = useApi();
  const main = useRef<HTMLElement>(null);
  useRestoredFocus(main);
  const [path] = useLocation();
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <Container size="xl" px="md" py="lg">
      <Anchor className="skip-link" href="#content">
        {uiTexts.skipLink}
      </Anchor>
      {config.embeddedBy === null && <PanelHeader config={config} />}
      <PageLinks />
      <main id="content" ref={main} tabIndex={-1} data-focus-home>
        {isReadOnly && (
          <Text size="sm" fw={600} mb="sm">
            {uiTexts.readOnly}
          </Text>
        )}
        {children}
      </main>
      <Text component="footer" size="xs" c="dimmed" mt="xl">
        {fill(uiTexts.timeZone, { zone: ZONE })}
      </Text>
    </Container>
  );
}

/** Leads to the pages that are about all webhooks, and marks the current one. */
function PageLinks() {
  const [path] = useLocation();
  const pages = [
    { href: lastListQuery(), label: uiTexts.webhooks, isCurrent: path === '/' },
    { href: '/deliveries', label: uiTexts.deliveries, isCurrent: path === '/deliveries' },
    { href: '/events', label: uiTexts.events, isCurrent: /^\/events(?:\/|$)/.test(path) },
  ];
  return (
    <Group component="nav" mb="xs" aria-label={uiTexts.mainPages}>
      {pages.map(({ href, label, isCurrent }) => (
        <Anchor
          key={label}
          component={Link}
          href={href}
          size="sm"
          {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
        >
          {label}
        </Anchor>
      ))}
    </Group>
  );
}
