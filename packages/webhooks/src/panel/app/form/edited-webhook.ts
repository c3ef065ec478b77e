import { useSearchParams } from 'wouter';

/** Whose form is open, kept in the address: after a reload or a log-in it is open again, with what was entered. */
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
