interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
}

/** Text as it is, in lines that break: from recipients or from this service, never markup. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="code-block" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
