import { Group } from '@mantine/core';
import { fill } from '../texts/host-texts.ts';
import { selectionTexts } from './selection-texts.ts';
import type { Selectable, Selection } from './selections.tsx';

interface SelectCellProps {
  readonly selection: Selection;
  readonly item: Selectable;
}

/** The cell that selects a row. */
export function SelectCell({ selection, item }: SelectCellProps) {
  if (!selection.isOffered) return null;
  const isSelected = selection.selected.has(item.key);
  return (
    <td className="cell-select">
      <input
        type="checkbox"
        className="select-box"
        aria-label={fill(selectionTexts.selectOne, { name: item.name })}
        checked={isSelected}
        disabled={selection.isFull && !isSelected}
        onChange={() => selection.select([item], !isSelected)}
      />
    </td>
  );
}

interface SelectPageProps {
  readonly selection: Selection;
  readonly items: readonly Selectable[];
}

/** Selects all rows of the page. */
export function SelectPage({ selection, items }: SelectPageProps) {
  const count = items.filter(({ key }) => selection.selected.has(key)).length;
  const isWhole = items.length > 0 && count === items.length;
  return (
    <Group component="label" gap="sm">
      <input
        type="checkbox"
        className="select-box"
        aria-label={selectionTexts.selectPage}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && !isWhole;
        }}
        checked={isWhole}
        disabled={items.length === 0 || (selection.isFull && count === 0)}
        onChange={() => selection.select(items, !isWhole && !selection.isFull)}
      />
      <span>{selectionTexts.selectPage}</span>
    </Group>
  );
}
