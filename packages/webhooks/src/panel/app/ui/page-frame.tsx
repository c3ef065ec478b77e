import { Container, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useRestoredFocus } from './restored-focus.ts';

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Surrounds every page. A new page starts at the top, and gets the focus. */
export function PageFrame({ children }: { readonly children: ReactNode }) {
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
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <main id="content" ref={main} tabIndex={-1} data-focus-home>
        {children}
      </main>
      <Text component="footer" size="xs" c="dimmed" mt="xl">
        Times are in your time zone, {ZONE}. Point at one to see the exact time, also in UTC; an open delivery
        shows it too.
      </Text>
    </Container>
  );
}
