/** The forms of a text that depends on a number, by the plural categories of its language. */
export type PluralText = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/**
 * A text of the panel, as plain data. `{name}` is a placeholder. `{count}` chooses the form of a
 * text that has several.
 */
export type PanelText = string | PluralText;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The names of a text's placeholders. */
export type PlaceholderOf<Text extends PanelText> = NamesIn<Text extends PluralText ? Text['other'] : Text>;

/** How a language writes numbers, and which of its plural forms a number takes. */
export interface TextLanguage {
  readonly numbers: Intl.NumberFormat;
  readonly plurals: Intl.PluralRules;
}

const PLACEHOLDER = /\{(\w+)\}/g;

/** The names of the placeholders in one form of a text. */
export function placeholdersOf(form: string): string[] {
  return [...form.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** Puts values into the placeholders of a text; numbers in the digits of its language. */
export function fillText(
  text: PanelText,
  values: Readonly<Record<string, string | number>>,
  { numbers, plurals }: TextLanguage,
): string {
  const form = typeof text === 'string' ? text : (text[plurals.select(Number(values.count))] ?? text.other);
  return form.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? numbers.format(value) : (value ?? placeholder);
  });
}
