/** Characters that make the text after them run in another direction, or end that. */
const BIDI_CONTROL = /([\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069])/u;

/**
 * Shows text of others so that none of it looks like other text: a bidirectional control has no
 * effect, and is seen as its escape. Who copies the text copies the control itself.
 */
export function VisibleText({ text }: { readonly text: string }) {
  // Controls are at the odd places. The places never change for the same text.
  return text.split(BIDI_CONTROL).map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name.
      <span key={place} className="bidi-control" data-escape={escapeOf(part)}>
        {part}
      </span>
    ),
  );
}

/** The same where only text can be, as in a tooltip. */
export function visibleText(text: string): string {
  return text
    .split(BIDI_CONTROL)
    .map((part, place) => (place % 2 === 0 ? part : escapeOf(part)))
    .join('');
}

function escapeOf(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
