import { useQuery } from '@tanstack/react-query';
import { useApi } from './api-context.ts';

export function useEventDescription(name: string, offset: number, limit: number) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['events', name, offset, limit],
    queryFn: ({ signal }) =>
      request('GET', '/events/{name}', { params: { name }, query: { offset, limit }, signal }),
    placeholderData: (previous) => (previous?.name === name ? previous : undefined),
  });
}
