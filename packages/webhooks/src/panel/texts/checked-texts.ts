import { DICTIONARY, type PanelTexts } from './dictionary.ts';
import { type PanelText, placeholdersOf } from './panel-text.ts';

/** The whole English dictionary has a third of it. */
const MAX_LENGTH = 100_000;
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'];
/** The numbers to 200, and millions: some languages have a form for those alone. */
const PROBED_NUMBERS = [...Array(201).keys(), 1_000_000, 2_000_000];

/**
 * Copies a host's texts of one language.
 *
 * @param language decides what their plural forms are for
 * @param everywhere placeholders that any of the texts may have
 * @throws TypeError for what is not in the dictionary, is no text, is empty or has control
 *   characters, lacks a placeholder or has one that the English text does not have, and for more
 *   than 100,000 characters of JSON
 */
export function checkedTexts(
  texts: PanelTexts,
  language: string,
  everywhere: readonly string[] = [],
): PanelTexts {
  const name = `texts.${language}`;
  const plurals = new Intl.PluralRules(language);
  const rooms: Readonly<Record<string, Readonly<Record<string, PanelText>>>> = DICTIONARY;
  for (const [room, given] of entriesOf(name, texts)) {
    const english = Object.hasOwn(rooms, room) ? rooms[room] : undefined;
    if (english === undefined) throw new TypeError(`${name}.${room} is no section of the dictionary`);
    for (const [key, text] of entriesOf(`${name}.${room}`, given)) {
      const original = Object.hasOwn(english, key) ? english[key] : undefined;
      if (original === undefined) throw new TypeError(`${name}.${room}.${key} is no text of the dictionary`);
      checkText(`${name}.${room}.${key}`, text, original, { plurals, everywhere });
    }
  }
  const json = JSON.stringify(texts);
  if (json.length > MAX_LENGTH) {
    throw new TypeError(`${name} must have at most ${MAX_LENGTH} characters as JSON, not ${json.length}`);
  }
  return JSON.parse(json);
}

interface Rules {
  readonly plurals: Intl.PluralRules;
  readonly everywhere: readonly string[];
}

function checkText(name: string, text: unknown, original: PanelText, { plurals, everywhere }: Rules): void {
  const needed = placeholdersOf(typeof original === 'string' ? original : original.other);
  const allowed = [...needed, ...everywhere];
  if (typeof text === 'string') {
    checkForm(name, text, needed, allowed);
    return;
  }
  if (typeof original === 'string') throw new TypeError(`${name} must be a string`);
  const forms = entriesOf(name, text);
  for (const [category, form] of forms) {
    if (!CATEGORIES.includes(category)) {
      throw new TypeError(`${name}.${category} is no plural category: ${CATEGORIES.join(', ')}`);
    }
    if (typeof form !== 'string') throw new TypeError(`${name}.${category} must be a string`);
    // "One webhook" says the number without its digits, but not where the form is also for 21.
    const isOfOneNumber = category !== 'other' && numbersOf(category, plurals) === 1;
    const required = isOfOneNumber ? needed.filter((placeholder) => placeholder !== 'count') : needed;
    checkForm(`${name}.${category}`, form, required, allowed);
  }
  if (!forms.some(([category]) => category === 'other')) throw new TypeError(`${name}.other is missing`);
}

/** How many of the probed numbers take a form. */
function numbersOf(category: string, plurals: Intl.PluralRules): number {
  return PROBED_NUMBERS.filter((number) => plurals.select(number) === category).length;
}

function checkForm(
  name: string,
  form: string,
  required: readonly string[],
  allowed: readonly string[],
): void {
  if (form.trim() === '') throw new TypeError(`${name} must not be empty`);
  if (/\p{Cc}|\p{Cs}/u.test(form)) throw new TypeError(`${name} must not contain control characters`);
  const found = placeholdersOf(form);
  const missing = required.find((placeholder) => !found.includes(placeholder));
  if (missing !== undefined) throw new TypeError(`${name} must contain {${missing}}`);
  const unknown = found.find((placeholder) => !allowed.includes(placeholder));
  if (unknown !== undefined) throw new TypeError(`${name} contains {${unknown}}, which nothing fills`);
}

function entriesOf(name: string, value: unknown): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new TypeError(`${name} must be an object of texts`);
}
