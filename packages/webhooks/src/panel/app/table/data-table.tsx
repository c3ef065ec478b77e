import { Anchor, Paper, Skeleton, UnstyledButton } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { SelectCell, SelectPage } from '../selection/select-boxes.tsx';
import type { Selectable, Selection } from '../selection/selections.tsx';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** As in a stylesheet. Default: what the others leave. */
  readonly width?: number | string;
  /**
   * Its place in a row of lines, where the table is narrow: `main` and `aside` are the first line,
   * `below` and `end` the beginning and the end of another, `line` all of one. Default: it is left
   * out there.
   */
  readonly narrow?: 'main' | 'aside' | 'below' | 'end' | 'line';
  /** Whether it is left out first as the table gets narrower. Default: false. */
  readonly isExtra?: boolean;
  /** Makes its head a button. Default: none. */
  readonly sort?: ColumnSort;
}

export interface ColumnSort {
  /** Null while the rows have another order. */
  readonly direction: 'ascending' | 'descending' | null;
  onToggle(): void;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly itemOf: (row: Row) => Selectable;
  readonly selection: Selection;
  readonly isLoading?: boolean;
  /** How many rows are expected, and the height of what is in one. Default: 12 of 42 pixels. */
  readonly loadingRows?: number;
  readonly rowHeight?: number;
  /** True while the previous page is still shown. */
  readonly isStale?: boolean;
  /** The key of the row that is open beside the table. Default: none. */
  readonly openKey?: string | null;
}

const SELECT_WIDTH = 40;
/** What does something else than the link of its row. */
const CONTROLS = 'a,button,input,section';

/**
 * A page of rows that can be selected, each a link by its {@link RowLink}. It follows its own
 * width: columns are left out, and then each row is two or three lines.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, itemOf, selection, isLoading = false, isStale = false, openKey } = props;
  const { loadingRows = 12, rowHeight = 42 } = props;
  return (
    <Paper withBorder className="frame">
      <table className="table data-table" aria-label={label} aria-busy={isLoading || isStale}>
        <colgroup>
          {selection.isOffered && <col width={SELECT_WIDTH} />}
          {columns.map((column) => (
            <col key={column.label} style={{ width: column.width }} data-extra={column.isExtra} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection.isOffered && (
              <th className="cell-select">
                <SelectPage selection={selection} items={rows.map(itemOf)} />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.label} {...column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {isLoading &&
            Array.from({ length: loadingRows }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nothing is in it.
              <tr key={row}>
                <td colSpan={columns.length + 1} data-narrow="line">
                  <Skeleton height={rowHeight} />
                </td>
              </tr>
            ))}
          {rows.map((row) => {
            const item = itemOf(row);
            return (
              <tr key={item.key} data-open={item.key === openKey || undefined} onClick={followLink}>
                <SelectCell selection={selection} item={item} />
                {columns.map((column) => (
                  <td key={column.label} data-narrow={column.narrow} data-extra={column.isExtra}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Paper>
  );
}

function Head<Row>({ label, sort, isExtra }: Column<Row>) {
  if (sort === undefined) return <th data-extra={isExtra}>{label}</th>;
  const { direction, onToggle } = sort;
  return (
    <th data-extra={isExtra} aria-sort={direction ?? 'none'}>
      <UnstyledButton fz="inherit" fw="inherit" onClick={onToggle}>
        {label}
      </UnstyledButton>
    </th>
  );
}

/**
 * The link of a row covers it, except what shows its title to the pointer: a click there follows,
 * unless it asks for another tab or ends the choice of a text.
 */
function followLink({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent) {
  if (ctrlKey || metaKey || shiftKey || getSelection()?.isCollapsed === false) return;
  if (target instanceof Element && target.closest(CONTROLS) === null) {
    currentTarget.querySelector<HTMLElement>('.row-link')?.click();
  }
}

interface RowLinkProps {
  readonly href: string;
  /** What the browser keeps with the address. Default: nothing. */
  readonly state?: object;
  /** The name that it is announced by, and that pointing at it shows. */
  readonly name: string;
  readonly children: ReactNode;
}

/** What the whole row leads to: in the main column of a {@link DataTable}. */
export function RowLink({ name, children, ...link }: RowLinkProps) {
  return (
    <Anchor component={Link} {...link} className="row-link" fw={600} size="sm" aria-label={name} title={name}>
      {children}
    </Anchor>
  );
}
