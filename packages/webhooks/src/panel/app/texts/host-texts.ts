import type { Dictionary } from '../../texts/dictionary.ts';
import { fillText, type PanelText, type PlaceholderOf } from '../../texts/panel-text.ts';
import { language } from './language.ts';
import { locale } from './locale.ts';
import { pageDocument } from './page-document.ts';

type Overrides = { readonly [Room in keyof Dictionary]?: Partial<Dictionary[Room]> };

/** Set by the script of a language whose texts are built in. */
declare const panelTexts: Overrides | undefined;

const builtIn: Overrides = typeof panelTexts === 'undefined' ? {} : panelTexts;
const overrides: Overrides = readOverrides();

function readOverrides(): Overrides {
  return JSON.parse(pageDocument?.getElementById('root')?.dataset.texts ?? '{}');
}

/**
 * The texts of a room: the English ones, in their place those that are built in for the language of
 * the page, and over all those of the host. Read once: the server has written the host's texts into
 * the document.
 */
export function hostTexts<Room extends keyof Dictionary>(
  room: Room,
  english: Dictionary[Room],
): Dictionary[Room] {
  return { ...english, ...builtIn[room], ...overrides[room] };
}

const rules = { numbers: new Intl.NumberFormat(locale), plurals: new Intl.PluralRules(language) };

/** On a page that reads from right to left, URLs and times would mix with its texts. */
const isolated: (value: string | number) => string | number =
  pageDocument?.documentElement.dir === 'rtl'
    ? (value) => (typeof value === 'string' ? `\u2068${value}\u2069` : value)
    : (value) => value;

/** Puts values into the placeholders of a text; `count` chooses the form if it has several. */
export function fill<const Text extends PanelText>(
  text: Text,
  values: Readonly<Record<PlaceholderOf<Text>, string | number>>,
): string {
  const entries = Object.entries<string | number>(values);
  return fillText(text, Object.fromEntries(entries.map(([name, value]) => [name, isolated(value)])), rules);
}

/** Writes a whole number in the digits of the texts' language. */
export function numberText(number: number): string {
  return rules.numbers.format(number);
}
