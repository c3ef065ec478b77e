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
 * Waits for a secret, and shows it in the dialog until the user has stored it. Rejects with the
 * answer. The dialog is the caller's, because one that had to be loaded could be missing.
 */
type KeepSecret = (answer: Promise<NewSecret>, dialog: ComponentType<SecretDialogProps>) => Promise<void>;

interface ShownSecret extends NewSecret {
  readonly Dialog: ComponentType<SecretDialogProps>;
  readonly release: () => void;
}

const SecretContext = createContext<KeepSecret>(() => Promise.reject(new Error('SecretProvider is missing')));

/**
 * Keeps the secret of an answer beyond the component that requested it, because the server shows it
 * once. Closing a dialog, going back or a broken page does not lose it, and the browser asks before
 * the user leaves the document.
 */
export function useKeepSecret(): KeepSecret {
  return useContext(SecretContext);
}

/** Wraps the pages, and shows new secrets, the oldest first. */
export function SecretProvider({ children }: { readonly children: ReactNode }) {
  const { session } = useApi();
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<readonly ShownSecret[]>([]);

  const keep = useCallback<KeepSecret>(
    async (answer, Dialog) => {
      const release = session.preventLeaving();
      try {
        const secret = await answer;
        setShown((others) => [...others, { ...secret, Dialog, release }]);
      } catch (error) {
        release();
        throw error;
      }
    },
    [session],
  );

  const [first] = shown;
  return (
    <SecretContext value={keep}>
      {children}
      {first && (
        <first.Dialog
          key={first.secret}
          newSecret={first}
          onDone={() => {
            first.release();
            setShown((all) => all.slice(1));
            if (first.next !== undefined) navigate(first.next);
          }}
        />
      )}
    </SecretContext>
  );
}
