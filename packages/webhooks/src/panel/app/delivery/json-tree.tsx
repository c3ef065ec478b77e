import { Code, TextInput } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { fill } from '../texts/host-texts.ts';
import { useFold } from '../ui/fold.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { deliveryTexts } from './delivery-texts.ts';

/** Branches down to this level are open at first. */
const OPEN_LEVELS = 3;
/** What is deeper is on one line: nobody opens that many branches. */
const MAX_LEVELS = 50;
/** A branch shows this many members at first. */
const MAX_MEMBERS = 100;
/** A shorter text is searched by looking at it. */
const MIN_SEARCHED = 200;
/** A search that finds more opens no branch: the browser would be busy for seconds. */
const MAX_OPENED = 500;

/**
 * JSON whose branches open and close, with a search that leaves the branches in which it finds
 * something. Numbers have the digits of the text. Of others, and never interpreted as markup.
 */
export function JsonTree({ label, value }: { readonly label: string; readonly value: object }) {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const opens = wanted !== '' && countIn(wanted, value) < MAX_OPENED;
  return (
    <>
      {JSON.stringify(value).length > MIN_SEARCHED && (
        <TextInput
          type="search"
          size="xs"
          aria-label={fill(deliveryTexts.search, { name: label })}
          placeholder={deliveryTexts.searchShort}
          // Escape clears the field, and closes nothing.
          data-mantine-stop-propagation="true"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <Code
        block
        component="div"
        className="code-block json-tree"
        role="region"
        aria-label={label}
        tabIndex={0}
      >
        <Branch name="" value={value} level={0} wanted={isIn(wanted, value) ? wanted : ''} opens={opens} />
        {!isIn(wanted, value) && <p>{deliveryTexts.notFound}</p>}
      </Code>
    </>
  );
}

interface NodeProps {
  /** With its colon; '' for a member of an array. */
  readonly name: string;
  readonly value: unknown;
  readonly level: number;
  /** In lower case; '' for everything. */
  readonly wanted: string;
  /** Whether branches with what is wanted are open. */
  readonly opens: boolean;
}

function Node(props: NodeProps) {
  const { name, value, level } = props;
  if (isBranch(value) && level < MAX_LEVELS) return <Branch {...props} value={value} />;
  return <VisibleText text={name + JSON.stringify(value)} />;
}

function Branch({ name, value, level, wanted, opens }: NodeProps & { readonly value: object }) {
  const members = Object.entries(value);
  const isList = Array.isArray(value);
  const [isChosenOpen, setOpen] = useState(level < OPEN_LEVELS);
  const found = members
    .map(([key, member]) => [isList ? '' : `${JSON.stringify(key)}: `, member, key] as const)
    .filter(([start, member]) => wanted === '' || isIn(wanted, member, start));
  const fold = useFold(found.length > MAX_MEMBERS);
  const isSearched = opens && wanted !== '';
  const isOpen = isSearched || isChosenOpen;
  const [start, end] = isList ? '[]' : '{}';
  if (members.length === 0) return <VisibleText text={`${name}${start}${end}`} />;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => !isSearched && setOpen(currentTarget.open)}>
      <summary>
        <VisibleText text={`${name}${start}${isOpen ? '' : ` ${members.length} ${end}`}`} />
      </summary>
      {isOpen && (
        <ul>
          {found.slice(0, fold.isFolded ? MAX_MEMBERS : undefined).map(([text, member, key]) => (
            <li key={key}>
              {/* Below what is found by its own name, everything is of interest. */}
              <Node
                name={text}
                value={member}
                level={level + 1}
                opens={opens}
                wanted={isIn(wanted, undefined, text) ? '' : wanted}
              />
            </li>
          ))}
        </ul>
      )}
      {isOpen && fold.button}
      {isOpen && end}
    </details>
  );
}

/** A number that is kept as it was written has no prototype. */
function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) !== null;
}

/** How many names and values have the text in them, counted up to {@link MAX_OPENED}. */
function countIn(wanted: string, value: unknown): number {
  if (!isBranch(value)) return Number(isIn(wanted, value));
  let count = 0;
  for (const [key, member] of Object.entries(value)) {
    count += Number(!Array.isArray(value) && isIn(wanted, undefined, key)) + countIn(wanted, member);
    if (count >= MAX_OPENED) break;
  }
  return count;
}

function isIn(wanted: string, value: unknown, name = ''): boolean {
  return `${name}${JSON.stringify(value) ?? ''}`.toLowerCase().includes(wanted);
}
