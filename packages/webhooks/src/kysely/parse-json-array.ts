/**
 * The elements of a JSON array as this storage wrote it, none if the text is anything else: one
 * damaged row must not fail a statement that reads others too.
 */
export function jsonArrayOf<Element>(text: string): Element[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
