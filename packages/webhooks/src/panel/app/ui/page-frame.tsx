import { Container, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useKeptFocus } from './kept-focus.ts';

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What surrounds every page. A new page begins at its top, and has the focus. */
export function PageFrame({ children }: { readonly children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  const [path] = useLocation();
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <Container size="lg" px="md" py="lg">
      <main ref={main} tabIndex={-1} data-focus-home>
        {children}
      </main>
      <Text component="footer" size="xs" c="dimmed" mt="xl">
        Times are those of your time zone, {ZONE}. Point at one to see it exactly, and in UTC; an opened
        delivery shows that too.
      </Text>
    </Container>
  );
}
