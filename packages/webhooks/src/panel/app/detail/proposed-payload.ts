import { useQuery } from '@tanstack/react-query';
import { useEventDescription } from '../api/webhook-queries.ts';

/**
 * The payload that a test of an event proposes, as text: its example, or else one made from its
 * schema. It is empty if there is neither; the server then sends the usual payload of the event,
 * if it has one.
 */
export function useProposedPayload(event: string) {
  const { data, error, isPending, refetch } = useEventDescription(event, 0, 1);
  const description = data?.name === event ? data : undefined;
  const sampled = useQuery({
    queryKey: ['sampled-payload', event],
    enabled: description?.example === null,
    // The code is loaded only for an event without an example.
    queryFn: async () => {
      const { sampledPayload } = await import('./sampled-payload.ts');
      return description ? sampledPayload(description.schema) : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const example = description?.example ? JSON.stringify(description.example, null, 2) : null;
  return {
    text: example ?? sampled.data ?? '',
    isFromSchema: example === null && typeof sampled.data === 'string',
    isLoading: isPending || sampled.isLoading,
    error: data ? null : error,
    refetch,
  };
}
