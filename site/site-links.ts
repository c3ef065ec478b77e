import { posix } from 'node:path';
import { fileOf, pageOf } from './site-paths.ts';
import { SITE_URL } from './site-url.ts';

/** A fenced block, which is left alone, or a link or image: text, target. */
const LINKS = /^(`{3,})[\s\S]*?^\1$|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/gm;

/**
 * A document as a page of the site: links to documents lead to their pages, those to served files
 * to these, and those to other files of the repository become their text.
 */
export function withSiteLinks(document: string, markdown: string): string {
  return markdown.replace(LINKS, (whole, fence, image, text, target) => {
    if (fence !== undefined) return whole;
    const address = addressOf(document, target);
    return address === undefined
      ? withSiteLinks(document, text)
      : `${image}[${withSiteLinks(document, text)}](${address})`;
  });
}

function addressOf(document: string, target: string): string | undefined {
  if (target.startsWith(`${SITE_URL}/`)) return target.slice(SITE_URL.length);
  if (target.startsWith('#') || /^[a-z]+:/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const source = posix.join(posix.dirname(document), path).replace(/\/$/, '');
  const page = pageOf(source) ?? pageOf(`${source}/README.md`);
  if (page === undefined) return fileOf(source) && `/${fileOf(source)}`;
  const address = `/${page.replace(/(?:index)?\.md$/, '')}`;
  return anchor === undefined ? address : `${address}#${anchor}`;
}
