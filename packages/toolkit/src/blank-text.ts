/** White space, what no font shows, and the empty Braille pattern. */
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** True for a text without any visible character: nobody can read it, or tell it from another. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
