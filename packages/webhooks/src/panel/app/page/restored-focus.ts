import { type RefObject, useEffect } from 'react';

const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';

/** The former position of an element: its ancestors, and its index in each. */
type Trail = readonly { readonly parent: Element; readonly index: number }[];

/**
 * Restores the focus when the focused element is removed or disabled, because a browser would
 * continue at the top of the page. A button that was only loading gets it back. Otherwise it goes
 * to the nearest ancestor with `data-focus-home`, or to the element that replaced the old one, such
 * as the next row.
 */
export function useRestoredFocus(root: RefObject<HTMLElement | null>): void {
  useEffect(() => (root.current === null ? undefined : restoreFocus(root.current)), [root]);
}

function restoreFocus(root: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  let trail: Trail = [];
  const remember = ({ target }: FocusEvent) => {
    // What has the focus outside, such as a dialog, is not for this root to restore.
    last = target instanceof HTMLElement && root.contains(target) ? target : null;
    trail = last === null ? [] : trailOf(last);
  };
  // A user who points elsewhere gives up the focus.
  const forget = () => {
    last = null;
  };
  const restore = () => {
    const { activeElement: active } = document;
    if (last === null || (active !== document.body && active !== last)) return;
    if (!last.isConnected) focus(successorOf(trail));
    else if (!last.matches(':disabled')) focus(last);
    else if (!last.hasAttribute('data-loading')) focus(successorOf(trail));
  };
  const observer = new MutationObserver(restore);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', forget, true);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', forget, true);
  };
}

/** Without scrolling, which would hide what the action has just shown. */
function focus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
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
  for (const { parent, index } of trail.filter((ancestor) => ancestor.parent.isConnected)) {
    if (parent instanceof HTMLElement && parent.dataset.focusHome !== undefined) return parent;
    const inPlace = parent.children[Math.min(index, parent.children.length - 1)];
    const successor =
      inPlace?.querySelector<HTMLElement>(FOCUSABLE) ??
      parent.querySelector<HTMLElement>(`:scope > :is(${FOCUSABLE})`);
    if (successor) return successor;
  }
  return null;
}
