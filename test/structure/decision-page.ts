import { lexer, type Token, type Tokens } from 'marked';
import { linksIn } from '../readme/markdown.ts';

/** What the head of a decision says, in the Markdown of the page. */
export interface Decision {
  readonly number: string;
  readonly title: string;
  readonly date: string;
}

/** A row of an index: a decision, and the file that its number links to. */
export interface IndexRow extends Decision {
  readonly file: string;
}

/**
 * Reads the head of a decision: the heading `# <number>: <title>`, then an ISO date as a paragraph
 * of its own.
 *
 * @throws Error saying what is missing
 */
export function readDecision(markdown: string): Decision {
  const [heading, paragraph] = lexer(markdown).filter(({ type }) => type !== 'space');
  if (!isHeading(heading)) throw new Error('The page does not begin with a heading');
  const [number = '', ...title] = heading.text.split(': ');
  if (!/^\d+$/.test(number) || title.length === 0) throw new Error('The heading is not "<number>: <title>"');
  return { number, title: title.join(': '), date: readDate(paragraph) };
}

/** Reads the rows of every table in an index: number, title, date. */
export function readIndex(markdown: string): IndexRow[] {
  return lexer(markdown)
    .filter(isTable)
    .flatMap(({ rows }) => rows)
    .map(([number, title, date]) => {
      const [link] = linksIn(number?.tokens ?? []);
      return {
        number: link?.text ?? '',
        file: link?.href ?? '',
        title: title?.text ?? '',
        date: date?.text ?? '',
      };
    });
}

function readDate(paragraph: Token | undefined): string {
  const date = paragraph?.type === 'paragraph' ? paragraph.raw.trim() : '';
  const time = Date.parse(date);
  if (Number.isNaN(time) || new Date(time).toISOString() !== `${date}T00:00:00.000Z`) {
    throw new Error('The heading is not followed by an ISO date');
  }
  return date;
}

function isHeading(token: Token | undefined): token is Tokens.Heading {
  return token?.type === 'heading';
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}
