import { lexer, type Token, type Tokens, walkTokens } from 'marked';

/** A table, with the Markdown of its cells. */
export interface MarkdownTable {
  /** The heading it stands under; empty before the first one. */
  readonly section: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A fenced block of code. */
export interface MarkdownCode {
  /** The heading it stands under; empty before the first one. */
  readonly section: string;
  readonly language: string;
  readonly code: string;
}

/** The tables of a document, in its order. */
function tablesIn(markdown: string): MarkdownTable[] {
  return sectionsIn(markdown).flatMap(({ heading, tokens }) =>
    tokens.filter(isTable).map(({ header, rows }) => ({
      section: heading?.text ?? '',
      columns: textsOf(header),
      rows: rows.map(textsOf),
    })),
  );
}

/**
 * The rows of the one table that begins with these columns.
 *
 * @throws Error when there is none, or more than one
 */
export function rowsUnder(markdown: string, ...columns: readonly string[]): MarkdownTable['rows'] {
  const tables = tablesIn(markdown).filter((table) =>
    columns.every((column, index) => table.columns[index] === column),
  );
  const [table] = tables;
  if (table === undefined || tables.length > 1) {
    throw new Error(`${tables.length} tables begin with the columns ${columns.join(', ')}`);
  }
  return table.rows;
}

/** The blocks of code of a document, in its order. */
export function codeBlocksIn(markdown: string): MarkdownCode[] {
  return sectionsIn(markdown).flatMap(({ heading, tokens }) =>
    everyTokenOf(tokens, isCode).map(({ lang, text }) => ({
      section: heading?.text ?? '',
      language: lang ?? '',
      code: `${text}\n`,
    })),
  );
}

/** What stands in code spans, in the order of the document. */
export function codeSpansIn(markdown: string): string[] {
  // The parser's own text of a span is escaped for HTML.
  return everyTokenOf(tokensOf(markdown), isCodeSpan).map(({ raw }) => raw.replace(/^`+ ?| ?`+$/g, ''));
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsIn(markdown: string): string[] {
  return tokensOf(markdown)
    .filter(isHeading)
    .map(({ text }) =>
      text
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
}

/** The targets of a document's links that are no URLs: `guide.md`, `guide.md#anchor`, `#anchor`. */
export function localLinksIn(markdown: string): string[] {
  const targets = everyTokenOf(tokensOf(markdown), isLink).map(({ href }) => href);
  return targets.filter((target) => !URL.canParse(target));
}

/** The files that a document links to, relative to its own folder. */
export function linkedFiles(markdown: string): string[] {
  return localLinksIn(markdown).map((target) => target.split('#')[0] ?? '');
}

let last = { markdown: '', tokens: lexer('') };

/** The tokens of a document: one that is asked for its links and then for its code is read once. */
function tokensOf(markdown: string): Token[] {
  if (last.markdown !== markdown) last = { markdown, tokens: lexer(markdown) };
  return last.tokens;
}

/** A document's blocks by the heading that is nearest before them. */
function sectionsIn(markdown: string): { heading?: Tokens.Heading; tokens: Token[] }[] {
  const sections: { heading?: Tokens.Heading; tokens: Token[] }[] = [{ tokens: [] }];
  for (const token of tokensOf(markdown)) {
    if (isHeading(token)) sections.push({ heading: token, tokens: [] });
    else sections.at(-1)?.tokens.push(token);
  }
  return sections;
}

function everyTokenOf<Kind extends Token>(tokens: Token[], isKind: (token: Token) => token is Kind): Kind[] {
  const found: Kind[] = [];
  void walkTokens(tokens, (token) => {
    if (isKind(token)) found.push(token);
  });
  return found;
}

const textsOf = (cells: readonly Tokens.TableCell[]): string[] => cells.map(({ text }) => text);
const isTable = (token: Token): token is Tokens.Table => token.type === 'table';
const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
const isCode = (token: Token): token is Tokens.Code => token.type === 'code';
const isCodeSpan = (token: Token): token is Tokens.Codespan => token.type === 'codespan';
const isLink = (token: Token): token is Tokens.Link => token.type === 'link';
