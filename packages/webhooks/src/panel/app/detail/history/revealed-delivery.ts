import { type RefObject, useEffect, useRef } from 'react';

/** Where an open delivery is shown: above the history, or in its row. */
export type DeliveryPlace = 'above' | 'row';

/** Which delivery was revealed at each place. */
export type Revealed = RefObject<Readonly<Record<DeliveryPlace, string | null>>>;

const NOTHING = { above: null, row: null } as const;

/** Remembers what was revealed for as long as the history is shown. */
export function useRevealed(openId: string | null): Revealed {
  const revealed: Revealed = useRef(NOTHING);
  useEffect(() => {
    if (openId === null) revealed.current = NOTHING;
  }, [openId]);
  return revealed;
}

interface RevealedDelivery {
  /** Null while it is not open. */
  readonly id: string | null;
  readonly place: DeliveryPlace;
  readonly shown: RefObject<HTMLElement | null>;
  /** What gets the focus. */
  readonly target: RefObject<HTMLElement | null>;
}

/**
 * Brings a delivery that a test or a link has opened into view and gives it the focus, once. A row
 * that the user opened has both, and turning pages moves neither.
 */
export function useReveal(revealed: Revealed, { id, place, shown, target }: RevealedDelivery): void {
  useEffect(() => {
    const { above, row } = revealed.current;
    if (id === null || row === id || (place === 'above' && above === id)) return;
    revealed.current = { ...revealed.current, [place]: id };
    const { activeElement } = document;
    // Who is typing by now is not interrupted.
    if (
      activeElement === target.current ||
      activeElement?.matches('input:not([type=checkbox]), select, textarea')
    )
      return;
    target.current?.focus({ preventScroll: true });
    const { top = 0 } = shown.current?.getBoundingClientRect() ?? {};
    if (top < 0 || top > innerHeight * 0.7) shown.current?.scrollIntoView();
  }, [revealed, id, place, shown, target]);
}
