import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from './api-context.ts';
import { ApiError, isAnswerLost } from './api-error.ts';
import type { RecoveryRange } from './records.ts';
import { useRefresh } from './refresh.ts';
import { useStoppable } from './stoppable.ts';

/** Counts the failed deliveries of a range. */
export function useFailedCount(id: number) {
  const { request } = useApi();
  return useMutation({
    mutationFn: (range: RecoveryRange) =>
      request('POST', '/{id}/recover', { params: { id }, body: { ...range, dry_run: true } }),
  });
}

/** The state of a recovery between its requests. */
interface Progress {
  /** How many deliveries were scheduled again so far. */
  readonly sent: number;
  /** False once a response was lost: more than that may have been. */
  readonly isExact: boolean;
  /** Where the next request goes on. Null: at the oldest. */
  readonly cursor: string | null;
}

const BEGINNING: Progress = { sent: 0, isExact: true, cursor: null };

/**
 * Sends the failed deliveries of a range again, by as many requests as that takes. After a failure
 * it goes on where it was; once its component is gone, it begins no further request.
 */
export function useRecovery(id: number) {
  const { request } = useApi();
  const refresh = useRefresh();
  const progress = useRef(BEGINNING);
  const [{ sent, isExact }, setShown] = useState(BEGINNING);
  const { mustStop, isStopping, begin, stop } = useStoppable();

  function advance(next: Progress): void {
    progress.current = next;
    setShown(next);
  }

  async function sendAll(range: RecoveryRange) {
    for (;;) {
      const { cursor, sent, isExact } = progress.current;
      const body = { ...range, ...(cursor !== null && { cursor }), dry_run: false };
      const { deliveries, next_cursor: next } = await request('POST', '/{id}/recover', {
        params: { id },
        body,
      });
      advance({ sent: sent + deliveries, isExact, cursor: next });
      if (next === null || mustStop.current) return { ...progress.current };
    }
  }

  const { mutateAsync, reset, isPending, error } = useMutation({
    mutationFn: sendAll,
    onMutate: begin,
    onError(failure) {
      const { sent, isExact, cursor } = progress.current;
      const reopened = failure instanceof ApiError ? failure.reopened : 0;
      advance({ sent: sent + reopened, isExact: isExact && !isAnswerLost(failure), cursor });
    },
    onSettled: () => void refresh(),
  });

  return {
    send: mutateAsync,
    /** What the current request does is still counted. */
    stop,
    /** Forgets how far it went. */
    reset() {
      advance(BEGINNING);
      reset();
    },
    sent,
    /** True until something was sent again, or may have been. */
    isAtBeginning: sent === 0 && isExact,
    isStopping,
    isPending,
    error,
  };
}
