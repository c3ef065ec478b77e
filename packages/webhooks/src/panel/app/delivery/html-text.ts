/** What of a page nobody reads, up to its end if it was cut. */
const UNREAD = /<!--[\s\S]*?(?:-->|$)|<(script|style|svg|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const BREAKS = /<(?:br|hr|\/?(?:title|h[1-6]|p|div|li|tr|table|ul|ol|pre))\b[^>]*(?:>|$)/gi;
const TAGS = /<[a-z!/?][^>]*(?:>|$)/gi;
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

export function isHtml(body: string, contentType = ''): boolean {
  return /\bhtml\b/i.test(contentType) || /^\s*<(?:!doctype html|html|head|body)\b/i.test(body);
}

/**
 * The text of a page, such as that with which a gateway answers. What it returns is text, whatever
 * it is made of: it is never interpreted as markup.
 */
export function textOfHtml(html: string): string {
  const text = html.replace(UNREAD, ' ').replace(/\s+/g, ' ').replace(BREAKS, '\n').replace(TAGS, '');
  const lines = text.split('\n').map((line) => line.replace(/&(#?\w+);/g, decoded).trim());
  // A heading often repeats the title.
  return lines.filter((line, at) => line !== '' && line !== lines.slice(0, at).findLast(Boolean)).join('\n');
}

function decoded(entity: string, name: string): string {
  const code = Number(/^#(?:x[\da-f]+|\d+)$/i.test(name) ? name.slice(1).replace(/^x/i, '0x') : Number.NaN);
  return code > 0 && code < 0x11_00_00 ? String.fromCodePoint(code) : (ENTITIES.get(name) ?? entity);
}
