import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

interface Announcement {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

type Announce = (announcement: Announcement) => void;

const AnnouncementContext = createContext<Announce>(() => undefined);

/** Says what came of an action, to eyes and to screen readers. The next announcement replaces it. */
export function useAnnounce(): Announce {
  return useContext(AnnouncementContext);
}

export function AnnouncementProvider({ children }: { readonly children: ReactNode }) {
  const [current, setCurrent] = useState<Announcement | null>(null);
  const announce = useCallback<Announce>((announcement) => setCurrent(announcement), []);
  return (
    <AnnouncementContext value={announce}>
      {children}
      <div className="announcements" role="status" aria-live="polite">
        {current && (
          <Alert
            color={current.kind === 'good' ? 'teal' : 'red'}
            icon={current.kind === 'good' ? <IconCheck /> : <IconAlertTriangle />}
            className="announcement"
            // Not an alert of its own: the region around it speaks.
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
