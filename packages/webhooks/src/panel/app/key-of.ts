/** Whether a text is the name of a member. */
export function isKeyOf<Members extends object>(
  members: Members,
  text: string,
): text is keyof Members & string {
  return Object.hasOwn(members, text);
}
