/** The maximum length of a path, in characters. Its keys may come from the sender. */
const MAX_PATH_LENGTH = 200;

/** Formats `['events', 2]` as `events[2]`, and the input itself as ''. At most 200 characters. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (text.length > MAX_PATH_LENGTH) break;
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text.length > MAX_PATH_LENGTH ? `${text.slice(0, MAX_PATH_LENGTH - 1)}…` : text;
}
