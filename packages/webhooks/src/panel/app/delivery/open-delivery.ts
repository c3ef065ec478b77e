import { useLocation, useSearchParams } from 'wouter';
import { isTyping } from '../selection/selections.tsx';
import { changedParameters } from '../ui/changed-parameters.ts';

/** The only form of id that goes into a request's path. */
const DELIVERY_ID = /^[0-9a-f]{32}$/;

/** What the browser keeps of a delivery that was opened from the page below it. */
const OPENED = { isOpened: true };

/**
 * The delivery that is open over the page. It is part of the address, so that a link to it can be
 * shared, and the browser's way back closes it.
 */
export function useOpenDelivery() {
  const [path] = useLocation();
  const [parameters, setParameters] = useSearchParams();
  const named = parameters.get('delivery');
  const openId = named !== null && DELIVERY_ID.test(named) ? named : null;
  const set = (delivery: string, replace: boolean) =>
    setParameters((previous) => changedParameters(previous, { delivery }), {
      replace,
      state: replace ? history.state : OPENED,
    });
  return {
    openId,
    /** What a link to a delivery has. */
    linkTo: (delivery: string) => ({
      href: `${path === '/' ? '' : path}?${changedParameters(parameters, { delivery })}`,
      state: OPENED,
    }),
    open(delivery: string) {
      // Who is typing by now is not interrupted.
      if (!isTyping(document.activeElement)) set(delivery, openId !== null);
    },
    close() {
      // Back to the page that opened it; after a shared link there is none.
      if (history.state?.isOpened) history.back();
      else set('', true);
    },
  };
}
