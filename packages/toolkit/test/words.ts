/** The words of a text: for a long list of inputs without white space, which takes a few rows so. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
