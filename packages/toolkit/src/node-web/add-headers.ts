/** Headers of an answer that is under way. */
interface AnswerHeaders {
  set(name: string, value: string): unknown;
  append(name: string, value: string): unknown;
}

/**
 * Adds the headers of a response to those that a middleware of the host has set. A header of the
 * response replaces the one of its name, which may be looser (`Cache-Control`, a policy); cookies
 * and `Vary` of both are kept.
 */
export function addHeaders(ours: Headers, answer: AnswerHeaders): void {
  for (const [name, value] of ours) {
    if (name === 'vary') answer.append(name, value);
    else if (name !== 'set-cookie') answer.set(name, value);
  }
  for (const cookie of ours.getSetCookie()) answer.append('set-cookie', cookie);
}
