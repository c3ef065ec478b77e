import { useSearchParams } from 'wouter';
import { changedParameters } from '../../ui/changed-parameters.ts';

/** The only form of id that goes into a request's path. */
const DELIVERY_ID = /^[0-9a-f]{32}$/;

/**
 * The delivery whose row is open. It is part of the address, so that a link to it can be shared.
 */
export function useOpenDelivery() {
  const [parameters, setParameters] = useSearchParams();
  function set(delivery: string): void {
    setParameters((previous) => changedParameters(previous, { delivery }), { replace: true });
  }
  const named = parameters.get('delivery');
  return {
    openId: named !== null && DELIVERY_ID.test(named) ? named : null,
    open: (deliveryId: string) => set(deliveryId),
    close: () => set(''),
  };
}
