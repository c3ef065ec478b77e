import { Code } from '@mantine/core';
import { VisibleText } from './visible-text.tsx';

/**
 * Shows text literally, with line wrapping. It may come from recipients, and is never interpreted
 * as markup.
 */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // What scrolls must be reachable by keyboard.
    <Code block component="pre" className="code-block" role="region" aria-label={label} tabIndex={0}>
      <VisibleText text={text} />
    </Code>
  );
}
