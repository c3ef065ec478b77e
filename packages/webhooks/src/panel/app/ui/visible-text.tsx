import type { ReactNode } from 'react';
import { escapeOf, HIDDEN } from './hidden-characters.ts';

/** Far more than texts of people have, and few enough for each row of a list. */
const MAX_ELEMENTS = 100;

/**
 * Shows text of others so that no part of it looks like other text: a hidden character has no
 * effect, is seen as its escape, and is copied as it is. In a text with more than `MAX_ELEMENTS` of
 * them each is U+FFFD, also in a copy: an element for each would freeze the page at 64 KB of them.
 * It has a direction of its own, by its first letter, and leaves the order of what surrounds it
 * alone.
 */
export function VisibleText({ text }: { readonly text: string }) {
  return <bdi>{visibleParts(text)}</bdi>;
}

function visibleParts(text: string): ReactNode {
  // Hidden characters are at the odd places. The places never change for the same text.
  const parts = text.split(HIDDEN);
  if (parts.length > 2 * MAX_ELEMENTS + 1) return text.replace(HIDDEN, '\uFFFD');
  return parts.map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name.
      <span key={place} className="hidden-character" data-escape={escapeOf(part)}>
        {part}
      </span>
    ),
  );
}
