import { useSearchParams } from 'wouter';
import { useApi } from '../api/api-context.ts';
import { changedParameters } from '../ui/changed-parameters.ts';

/**
 * The webhook whose form is open. It is part of the address, so that a reload or a log-in opens the
 * form again.
 */
export function useEditedWebhook() {
  const { isReadOnly } = useApi();
  const [parameters, setParameters] = useSearchParams();
  function set(edit: string): void {
    setParameters((previous) => changedParameters(previous, { edit }), { replace: true });
  }
  const named = parameters.get('edit') ?? '';
  return {
    editedId: !isReadOnly && /^[1-9]\d{0,15}$/.test(named) ? Number(named) : null,
    edit: (id: number) => set(String(id)),
    stopEditing: () => set(''),
  };
}
