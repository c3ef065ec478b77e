/** Folds ASCII letters and nothing else, as searching does in every storage. */
export function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
