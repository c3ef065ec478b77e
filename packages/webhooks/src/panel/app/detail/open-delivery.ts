import { useSearchParams } from 'wouter';

/** The delivery whose row is open, kept in the address, so that it can be shown to a colleague. */
export function useOpenDelivery() {
  const [parameters, setParameters] = useSearchParams();
  function set(deliveryId: string | null): void {
    setParameters(
      (previous) => {
        const next = new URLSearchParams(previous);
        if (deliveryId === null) next.delete('delivery');
        else next.set('delivery', deliveryId);
        return next;
      },
      { replace: true },
    );
  }
  return {
    openId: parameters.get('delivery'),
    open: (deliveryId: string) => set(deliveryId),
    close: () => set(null),
  };
}
