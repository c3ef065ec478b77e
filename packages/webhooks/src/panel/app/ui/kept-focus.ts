import { type RefObject, useEffect } from 'react';

const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';

/** Where an element stood: below which others, at which place. */
type Trail = readonly { readonly parent: Element; readonly index: number }[];

/**
 * Keeps the focus near where it was when what had it goes away or is switched off; a browser would begin again at the
 * top of the page. A button that only loads has it back afterwards; otherwise it goes to the nearest element around it
 * that is marked `data-focus-home`, or to what stands in its place, such as the next row.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  useEffect(() => (root.current === null ? undefined : keepFocus(root.current)), [root]);
}

function keepFocus(root: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  let trail: Trail = [];
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    trail = trailOf(target);
  };
  // Who points elsewhere gives the focus up.
  const forget = () => {
    last = null;
  };
  const restore = () => {
    const { activeElement: active } = document;
    if (last === null || (active !== document.body && active !== last)) return;
    if (!last.isConnected) successorOf(trail)?.focus();
    else if (!last.matches(':disabled')) last.focus();
    else if (!last.hasAttribute('data-loading')) successorOf(trail)?.focus();
  };
  const observer = new MutationObserver(restore);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  root.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', forget, true);
  return () => {
    observer.disconnect();
    root.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', forget, true);
  };
}

function trailOf(element: Element): Trail {
  const trail: { parent: Element; index: number }[] = [];
  for (let child = element, parent = child.parentElement; parent !== null; parent = child.parentElement) {
    trail.push({ parent, index: [...parent.children].indexOf(child) });
    child = parent;
  }
  return trail;
}

function successorOf(trail: Trail): HTMLElement | null {
  for (const { parent, index } of trail.filter((one) => one.parent.isConnected)) {
    if (parent instanceof HTMLElement && parent.dataset.focusHome !== undefined) return parent;
    const inPlace = parent.children[Math.min(index, parent.children.length - 1)];
    const successor =
      inPlace?.querySelector<HTMLElement>(FOCUSABLE) ??
      parent.querySelector<HTMLElement>(`:scope > :is(${FOCUSABLE})`);
    if (successor) return successor;
  }
  return null;
}
