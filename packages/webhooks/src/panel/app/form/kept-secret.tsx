import { type ComponentType, createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../api/api-context.ts';
import type { Webhook } from '../api/records.ts';

/** A signing secret that was just created. */
export interface NewSecret {
  readonly title: string;
  readonly url: string;
  /** Whose secret it is. */
  readonly webhook: Pick<Webhook, 'id' | 'is_active'>;
  readonly secret: string;
  /** A note that is shown with it. */
  readonly note?: string;
  /** The page to go to once the user has stored it. Default: the current one. */
  readonly next?: string;
}

export interface SecretDialogProps {
  readonly newSecret: NewSecret;
  readonly onDone: () => void;
}

/**
 * Sends a request that is answered with a secret, and shows that until the user has stored it: the
 * server tells it once. The dialog is the caller's, because one that had to be loaded could be
 * missing.
 */
type ShowSecret = (
  request: () => Promise<NewSecret>,
  dialog: ComponentType<SecretDialogProps>,
) => Promise<void>;

const SecretContext = createContext<ShowSecret>(() => {
  throw new Error('SecretProvider is missing');
});

export function useShowSecret(): ShowSecret {
  return useContext(SecretContext);
}

interface ShownSecret {
  readonly newSecret: NewSecret;
  readonly Dialog: ComponentType<SecretDialogProps>;
  readonly release: () => void;
}

/** Wraps the pages: a secret outlives the one that requested it. */
export function SecretProvider({ children }: { readonly children: ReactNode }) {
  const { session } = useApi();
  const [, navigate] = useLocation();
  // The oldest first: another may arrive while one is shown.
  const [kept, setKept] = useState<readonly ShownSecret[]>([]);
  const [shown] = kept;
  const show = useCallback<ShowSecret>(
    async (request, Dialog) => {
      const end = session.hold('request');
      try {
        const newSecret = await request();
        const release = session.hold('secret');
        setKept((before) => [...before, { newSecret, Dialog, release }]);
      } finally {
        end();
      }
    },
    [session],
  );

  function close(): void {
    shown?.release();
    setKept(([, ...others]) => others);
    if (shown?.newSecret.next !== undefined) navigate(shown.newSecret.next);
  }
  return (
    <SecretContext value={show}>
      {children}
      {shown && <shown.Dialog newSecret={shown.newSecret} onDone={close} />}
    </SecretContext>
  );
}
