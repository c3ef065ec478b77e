import { useSearchParams } from 'wouter';

/** Nothing else becomes a part of a request's path. */
const DELIVERY_ID = /^[0-9a-f]{32}$/;

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
  const named = parameters.get('delivery');
  return {
    openId: named !== null && DELIVERY_ID.test(named) ? named : null,
    open: (deliveryId: string) => set(deliveryId),
    close: () => set(null),
  };
}
