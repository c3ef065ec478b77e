import { lexer, type Token, type Tokens, walkTokens } from 'marked';

/** Every link in these tokens, at any depth. */
export function linksIn(tokens: Token[]): Tokens.Link[] {
  const links: Tokens.Link[] = [];
  void walkTokens(tokens, (token) => {
    if (isLink(token)) links.push(token);
  });
  return links;
}

/** The files that a document links to, relative to its own folder. */
export function linkedFiles(markdown: string): string[] {
  const targets = linksIn(lexer(markdown)).map(({ href }) => href);
  return targets.filter((target) => !URL.canParse(target)).map((target) => target.split('#')[0] ?? '');
}

function isLink(token: Token): token is Tokens.Link {
  return token.type === 'link';
}
