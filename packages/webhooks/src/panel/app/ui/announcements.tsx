import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { problemMessage } from '../messages/problem-message.ts';
import { uiTexts } from './ui-texts.ts';

// Not `@mantine/notifications` (7.3 kB on every page): its `role="alert"` interrupts a screen
// reader for each success. Nor `@mantine/form` (6.3 kB) in the dialogs: what they need beyond
// values and errors, such as a draft that outlives a log-in, it does not have.

interface Announcement {
  readonly kind: 'good' | 'bad';
  readonly text: string;
  readonly path: string;
}

/** By default, an error is bad news, and a text is good news. */
type Announce = (news: string | Error, kind?: Announcement['kind']) => void;

const AnnouncementContext = createContext<Announce>(() => undefined);

/**
 * Announces the result of an action, also to screen readers. The next announcement replaces it, and
 * so does another page.
 */
export function useAnnounce(): Announce {
  return useContext(AnnouncementContext);
}

const GOOD_NEWS_MS = 10_000;

export function AnnouncementProvider({ children }: { readonly children: ReactNode }) {
  const [announced, setAnnounced] = useState<Announcement | null>(null);
  // Rendered anew on another page; an action that leads to one announces itself there.
  useLocation();
  const current = announced?.path === location.pathname ? announced : null;
  const announce = useCallback<Announce>((news, kind = news instanceof Error ? 'bad' : 'good') => {
    const text = news instanceof Error ? problemMessage(news) : news;
    setAnnounced({ kind, text, path: location.pathname });
  }, []);
  // An error stays until the user dismisses it.
  useEffect(() => {
    if (current?.kind !== 'good') return;
    const timer = setTimeout(() => setAnnounced(null), GOOD_NEWS_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <AnnouncementContext value={announce}>
      {children}
      <div className="announcements" role="status" aria-live="polite">
        {current && (
          <Alert
            color={current.kind === 'good' ? 'teal' : 'red'}
            icon={current.kind === 'good' ? <IconCheck /> : <IconAlertTriangle />}
            // The surrounding live region announces it; a role of its own would announce it twice.
            role="presentation"
            withCloseButton
            closeButtonLabel={uiTexts.dismiss}
            onClose={() => setAnnounced(null)}
          >
            {current.text}
          </Alert>
        )}
      </div>
    </AnnouncementContext>
  );
}
