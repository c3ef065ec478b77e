import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../api/api-context.ts';
import type { NewSecret } from './new-secret.ts';
import { SecretDialog } from './secret-dialog.tsx';

/** Waits for a secret, and shows it until somebody has stored it. Rejects as the answer does. */
type KeepSecret = (answer: Promise<NewSecret>) => Promise<void>;

const SecretContext = createContext<KeepSecret>(() => Promise.reject(new Error('SecretProvider is missing')));

/**
 * For requests whose answer is a secret. It outlives the component that asked, for the server gives it once: closing a
 * dialog, going back or a page that breaks loses nothing, and the browser asks before the document is left.
 */
export function useKeepSecret(): KeepSecret {
  return useContext(SecretContext);
}

/** Stands above the pages, and shows the secrets that came, the oldest first. */
export function SecretProvider({ children }: { readonly children: ReactNode }) {
  const { session } = useApi();
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<readonly (NewSecret & { readonly release: () => void })[]>([]);

  const keep = useCallback<KeepSecret>(
    async (answer) => {
      const release = session.holdPage();
      try {
        const secret = await answer;
        setShown((others) => [...others, { ...secret, release }]);
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
        <SecretDialog
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
