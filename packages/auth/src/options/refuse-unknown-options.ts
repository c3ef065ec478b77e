/**
 * Refuses an option that does not exist: a misspelt one (`trustedOrigin`, `clientIP`) would be a
 * default in silence.
 *
 * @param taker the public function whose options they are, as the message names it
 * @throws TypeError when `options` is no object, or naming its first unknown option
 */
export function refuseUnknownOptions(taker: string, options: object, known: ReadonlySet<string>): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${taker} needs an options object`);
  const unknown = Object.keys(options).find((name) => !known.has(name));
  if (unknown !== undefined) throw new TypeError(`${taker} has no option ${JSON.stringify(unknown)}`);
}
