/** Where a path is cut, in characters: its keys may be the sender's own. */
const MAX_PATH_LENGTH = 200;

/** `['events', 2]` as `events[2]`; the input itself is ''. At most 200 characters. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (text.length > MAX_PATH_LENGTH) break;
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text.length > MAX_PATH_LENGTH ? `${text.slice(0, MAX_PATH_LENGTH - 1)}…` : text;
}
