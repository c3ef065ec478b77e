interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
}

/**
 * Shows text literally, with line wrapping. It may come from recipients, and is never interpreted
 * as markup.
 */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="code-block" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
