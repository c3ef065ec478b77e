import { Fragment, type ReactNode } from 'react';
import type { PanelText, PlaceholderOf } from '../../texts/panel-text.ts';
import { fill } from './host-texts.ts';

/** Stands in a filled text where a component goes; no text of people contains it. */
const MARK = '\u0000';

/** Like `fill`, for a text with components in it, such as a time or a link. */
export function fillNodes<const Text extends PanelText>(
  text: Text,
  nodes: Readonly<Record<PlaceholderOf<Text>, ReactNode>>,
): ReactNode {
  const byName: Readonly<Record<string, ReactNode>> = nodes;
  const marked = Object.keys(byName).map((name) => [name, `${MARK}${name}${MARK}`]);
  const parts = fill(text, Object.fromEntries(marked)).split(MARK);
  return parts.map((part, index) => (
    // The parts of a text never change places.
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name.
    <Fragment key={index}>{index % 2 === 0 ? part : byName[part]}</Fragment>
  ));
}
