import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Controls and badges that lie on one another, or reach beyond the page, and cells whose content
 * reaches beyond them.
 */
const MISPLACED = `(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) =>
    one.checkVisibility({ opacityProperty: true }) && one.getBoundingClientRect().width > 1);
  const name = (one) => one.tagName + ' ' + (one.getAttribute('aria-label') ?? one.textContent).slice(0, 60);
  const found = [];
  const parts = shown('main :is(button, input, select, .mantine-Badge-root, .facet, time)');
  const boxes = parts.map((one) => [one, one.getBoundingClientRect()]);
  for (const [one, box] of boxes) {
    if (box.left < -1 || box.right > document.documentElement.clientWidth + 1) found.push('outside: ' + name(one));
    for (const [other, place] of boxes) {
      if (one === other || one.contains(other) || other.contains(one)) continue;
      if (one.compareDocumentPosition(other) & 2) continue;
      const wide = Math.min(box.right, place.right) - Math.max(box.left, place.left);
      const high = Math.min(box.bottom, place.bottom) - Math.max(box.top, place.top);
      if (wide > 1 && high > 1) found.push(name(one) + ' on ' + name(other));
    }
  }
  for (const cell of shown('tbody td')) {
    if (cell.scrollWidth > cell.clientWidth + 1) found.push('beyond its cell: ' + name(cell));
  }
  return found;
})()`;

/** Fails unless everything on the page has a place of its own. */
export async function expectInPlace(page: Page, where: string): Promise<void> {
  await expect.poll(() => page.evaluate(MISPLACED), { message: where }).toEqual([]);
}
