import { Anchor, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { lastListQuery } from '../list/list-state.ts';
import { uiTexts } from '../ui/ui-texts.ts';

/** Leads to the pages that are about all webhooks, and marks the current one. */
export function PageLinks() {
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
