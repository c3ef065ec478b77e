import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

interface Announcement {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

type Announce = (announcement: Announcement) => void;

const AnnouncementContext = createContext<Announce>(() => undefined);

/** Announces the result of an action, also to screen readers. The next announcement replaces it. */
export function useAnnounce(): Announce {
  return useContext(AnnouncementContext);
}

const GOOD_NEWS_MS = 10_000;

export function AnnouncementProvider({ children }: { readonly children: ReactNode }) {
  const [current, setCurrent] = useState<Announcement | null>(null);
  // An error stays until the user dismisses it.
  useEffect(() => {
    if (current?.kind !== 'good') return;
    const timer = setTimeout(() => setCurrent(null), GOOD_NEWS_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <AnnouncementContext value={setCurrent}>
      {children}
      <div className="announcements" role="status" aria-live="polite">
        {current && (
          <Alert
            color={current.kind === 'good' ? 'teal' : 'red'}
            icon={current.kind === 'good' ? <IconCheck /> : <IconAlertTriangle />}
            className="announcement"
            // The surrounding live region announces it; a role of its own would announce it twice.
            role="presentation"
            withCloseButton
            closeButtonLabel="Dismiss"
            onClose={() => setCurrent(null)}
          >
            {current.text}
          </Alert>
        )}
      </div>
    </AnnouncementContext>
  );
}
