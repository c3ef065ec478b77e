import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The links of a built site that lead to no file or to no heading, as `page: target`. VitePress
 * itself reports links to pages that do not exist, and knows no headings.
 */
export function deadLinks(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const texts = new Map(
    pages.map((page) => [`/${page.replaceAll('\\', '/')}`, readFileSync(join(folder, page), 'utf8')]),
  );
  const anchors = new Map<string, Set<string>>();
  for (const [page, text] of texts) {
    anchors.set(page, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
  }
  return [...texts].flatMap(([page, text]) => {
    const targets = [...text.matchAll(/<a [^>]*?href="([/#][^"]*)"/g)].map(([, target = '']) =>
      decodeURI(target),
    );
    return [...new Set(targets)]
      .filter((target) => isDead(target.startsWith('#') ? `${page}${target}` : target))
      .map((target) => `${page}: ${target}`);
  });

  function isDead(target: string): boolean {
    const [path = '', anchor] = target.split('#');
    const found = [path, `${path}.html`, `${path}index.html`].find((file) => texts.has(file));
    if (found === undefined) return !existsSync(join(folder, path));
    return anchor !== undefined && anchor !== '' && !anchors.get(found)?.has(anchor);
  }
}
