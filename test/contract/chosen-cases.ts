/**
 * The cases of a contract that can differ on one of its set-ups, by their whole names. All of them
 * run on it at night.
 *
 * @throws Error if no case has such a name any longer
 */
export function chosenCases<Case extends { readonly name: string }>(
  cases: readonly Case[],
  names: readonly string[],
): Case[] {
  const missing = names.filter((chosen) => !cases.some(({ name }) => name === chosen));
  if (missing.length > 0) throw new Error(`The contract has no case “${missing.join('”, “')}”`);
  return cases.filter(({ name }) => names.includes(name));
}
