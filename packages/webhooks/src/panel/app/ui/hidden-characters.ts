/**
 * Characters that have no width of their own (Default_Ignorable_Code_Point, interlinear marks):
 * they turn the direction of text, hide a difference, or carry text that nobody sees. Those that
 * the writing before them needs are left out: a joiner or break within Arabic, Indic or Thai words,
 * neither before another one nor at an end; the parts of an emoji; variants of Han and Mongolian.
 */
export const HIDDEN =
  /((?!(?<=(?!\p{DI}|[\p{sc=Han}\p{sc=Kana}\p{sc=Hebr}])[\p{Lo}\p{M}\u06F0-\u06F9])[\u180E\u200B-\u200D](?!\p{DI}|$)|(?<=[\p{ExtPict}\p{EMod}]\uFE0F?)\u200D(?=\p{ExtPict})|(?<=[\p{ExtPict}0-9])\uFE0F|(?<=[\p{sc=Han}\p{sc=Mong}])\p{VS})[\p{DI}\uFFF9-\uFFFB])/gu;

/** As JavaScript writes it, with its end in sight: `202e` alone would run into letters after it. */
export function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** `VisibleText` where only text can be, as in a tooltip. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeOf);
}
