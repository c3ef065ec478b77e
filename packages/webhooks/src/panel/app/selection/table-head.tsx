import { SelectPage } from './select-boxes.tsx';
import type { Selectable, Selection } from './selections.tsx';

export interface Column {
  readonly label: string;
  /** In pixels, or a share. Default: what the others leave. */
  readonly width?: number | string;
  readonly className?: string;
}

interface TableHeadProps {
  readonly selection: Selection;
  /** The rows of the page. */
  readonly items: readonly Selectable[];
  readonly columns: readonly Column[];
}

const SELECT_WIDTH = 40;

/** How many columns such a table has. */
export function columnCount(selection: Selection, columns: readonly Column[]): number {
  return columns.length + (selection.isOffered ? 1 : 0);
}

/** The head of a table with selectable rows, and the widths of its columns. */
export function TableHead({ selection, items, columns }: TableHeadProps) {
  return (
    <>
      <colgroup>
        {selection.isOffered && <col width={SELECT_WIDTH} />}
        {columns.map(({ label, width }) => (
          <col key={label} width={width} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {selection.isOffered && (
            <th>
              <SelectPage selection={selection} items={items} />
            </th>
          )}
          {columns.map(({ label, className }) => (
            <th key={label} className={className}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}
