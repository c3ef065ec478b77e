import { lexer, type Token, type Tokens } from 'marked';
import { linksIn } from '../readme/markdown.ts';

/** What the head of a decision says, in the Markdown of the page. */
export interface Decision {
  readonly number: string;
  readonly title: string;
  readonly status: string;
  readonly date: string;
}

/** A row of an index: a decision, and the file that its number links to. */
export interface IndexRow extends Decision {
  readonly file: string;
}

/** What a status may say. One that ends in `by` names its successor with a link. */
const STATUSES = ['accepted', 'superseded by', 'accepted; superseded in part by'];

/**
 * Reads the head of a decision: the heading `# <number>: <title>`, then a list of `Status: …` and
 * `Date: <ISO date>`.
 *
 * @throws Error saying what is missing
 */
export function readDecision(markdown: string): Decision {
  const [heading, list] = lexer(markdown).filter(({ type }) => type !== 'space');
  if (!isHeading(heading)) throw new Error('The page does not begin with a heading');
  const [number = '', ...title] = heading.text.split(': ');
  if (!/^\d+$/.test(number) || title.length === 0) throw new Error('The heading is not "<number>: <title>"');
  const [status, date] = isList(list) ? list.items : [];
  return { number, title: title.join(': '), status: readStatus(status), date: readDate(date) };
}

/** Reads the rows of every table in an index: number, title, status, date. */
export function readIndex(markdown: string): IndexRow[] {
  return lexer(markdown)
    .filter(isTable)
    .flatMap(({ rows }) => rows)
    .map(([number, title, status, date]) => {
      const [link] = linksIn(number?.tokens ?? []);
      return {
        number: link?.text ?? '',
        file: link?.href ?? '',
        title: title?.text ?? '',
        status: status?.text ?? '',
        date: date?.text ?? '',
      };
    });
}

function readStatus(item: Tokens.ListItem | undefined): string {
  if (!item?.text.startsWith('Status: ')) throw new Error('The head has no status');
  const status = item.text.slice('Status: '.length);
  const [successor, ...more] = linksIn(item.tokens);
  const words = status.replace(successor?.raw ?? '', '').trim();
  const namesSuccessor = successor !== undefined && more.length === 0;
  if (!STATUSES.includes(words) || words.endsWith(' by') !== namesSuccessor) {
    throw new Error(`The status is none of: ${STATUSES.join(' | ')}`);
  }
  return status;
}

function readDate(item: Tokens.ListItem | undefined): string {
  if (!item?.text.startsWith('Date: ')) throw new Error('The head has no date');
  const date = item.text.slice('Date: '.length);
  const time = Date.parse(date);
  if (Number.isNaN(time) || new Date(time).toISOString() !== `${date}T00:00:00.000Z`) {
    throw new Error('The date is not an ISO date');
  }
  return date;
}

function isHeading(token: Token | undefined): token is Tokens.Heading {
  return token?.type === 'heading';
}

function isList(token: Token | undefined): token is Tokens.List {
  return token?.type === 'list';
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}
