import { useSearchParams } from 'wouter';

/**
 * The webhook whose form is open. It is part of the address, so that a reload or a log-in opens the
 * form again.
 */
export function useEditedWebhook() {
  const [parameters, setParameters] = useSearchParams();
  function set(id: number | null): void {
    setParameters(
      (previous) => {
        const next = new URLSearchParams(previous);
        if (id === null) next.delete('edit');
        else next.set('edit', String(id));
        return next;
      },
      { replace: true },
    );
  }
  const named = parameters.get('edit') ?? '';
  return {
    editedId: /^[1-9]\d{0,15}$/.test(named) ? Number(named) : null,
    edit: (id: number) => set(id),
    stopEditing: () => set(null),
  };
}
