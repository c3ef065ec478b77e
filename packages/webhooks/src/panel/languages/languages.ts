import { createPacedReport } from '../../../../toolkit/src/paced-report.ts';
import type { Logger } from '../../logging/logger.ts';
import { type BuiltInLanguage, loadPanelAssets } from '../panel-assets.ts';
import { perRequest, type RequestChoice } from '../request-choice.ts';
import { checkedLanguage, type PanelLanguage } from '../texts/checked-language.ts';
import { checkedTexts } from '../texts/checked-texts.ts';
import { DICTIONARY, type PanelTexts } from '../texts/dictionary.ts';
import { DOCUMENT_TEXTS, type DocumentTexts } from '../texts/document-texts.ts';

/** A language for everybody, or one for each request, as a BCP 47 tag. */
export type LanguageOption = string | RequestChoice<string>;

/** A host's texts, by the BCP 47 tag of their language. */
export type TextsOption = Readonly<Record<string, PanelTexts>>;

/** A language, with what a page needs to be written in it. */
export interface PageLanguage extends PanelLanguage {
  /** The script with its built-in texts, relative to the base path; undefined if it has none. */
  readonly script: string | undefined;
  /** The host's texts, which win over the built-in ones. */
  readonly texts: PanelTexts | undefined;
  /** The server's own texts, the host's among them. */
  readonly document: DocumentTexts;
}

/** Texts that speak to customers. */
export interface Voice {
  /** In place of the English texts. Those of other languages are built in, as all of theirs are. */
  readonly english: PanelTexts;
  /** What stands for `{product}`, which any text may have, the host's too. Default: a text. */
  readonly product: string | undefined;
}

/** The languages of one panel or portal. */
export interface Languages {
  /** The language of a request; English for one without any texts. */
  of(request: Request, native: unknown): Promise<PageLanguage>;
}

const ENGLISH = checkedLanguage('en');
/** What a warning quotes of a malformed tag, which may come from a request. */
const MAX_QUOTED = 40;

/** @throws TypeError for a language that is no BCP 47 tag, and for texts that do not fit */
export function createLanguages(
  option: LanguageOption,
  texts: TextsOption,
  logger: Logger,
  voice?: Voice,
): Languages {
  const hostTexts = checkedTextsOption(texts, voice && ['product']);
  const malformed = createPacedReport<unknown>((count, given) => {
    const language = String(given).slice(0, MAX_QUOTED);
    logger.warn({ language, count }, 'language of a page is no BCP 47 tag');
  });

  function languageOf(given: string): PanelLanguage | undefined {
    try {
      return checkedLanguage(given);
    } catch {
      malformed.note(typeof given === 'string' ? given : typeof given);
      return undefined;
    }
  }

  const fixed = typeof option === 'function' ? undefined : checkedLanguage(option);
  const chosen =
    typeof option === 'function' ? perRequest('language', option, languageOf, logger) : async () => fixed;

  return {
    async of(request, native) {
      const { languages } = await loadPanelAssets();
      const wanted = (await chosen(request, native)) ?? ENGLISH;
      const isKnown = wider(wanted.tag).some(
        (tag) => tag === 'en' || languages.has(tag) || hostTexts.has(tag),
      );
      const language = isKnown ? wanted : ENGLISH;
      const builtIn = firstOf(languages, language.tag);
      const plain = { ...DOCUMENT_TEXTS, ...builtIn?.document };
      const host = firstOf(hostTexts, language.tag);
      const own = voice ? spoken(voice, builtIn, plain, host) : host;
      return { ...language, script: builtIn?.script, texts: own, document: { ...plain, ...own?.document } };
    },
  };
}

/** The texts of a voice with the host's over them, and the product's name in both. */
function spoken(
  { english, product }: Voice,
  builtIn: BuiltInLanguage | undefined,
  document: DocumentTexts,
  host: PanelTexts = {},
): PanelTexts {
  const name = product ?? host.document?.product ?? document.product;
  const rooms = new Map<string, object>(Object.entries(builtIn?.portal ?? english));
  for (const [room, given] of Object.entries(host)) rooms.set(room, { ...rooms.get(room), ...given });
  return JSON.parse(JSON.stringify(Object.fromEntries(rooms)), (_, text: unknown) =>
    typeof text === 'string' ? text.replaceAll('{product}', () => name) : text,
  );
}

function checkedTextsOption(
  texts: TextsOption,
  everywhere?: readonly string[],
): ReadonlyMap<string, PanelTexts> {
  if (typeof texts !== 'object' || texts === null) throw new TypeError('texts must be an object by language');
  return new Map(
    Object.entries(texts).map(([name, own]) => {
      const tag = tagOf(name);
      const checked = checkedTexts(own, tag, everywhere);
      if (/[{}]/.test(checked.document?.product ?? '')) {
        throw new TypeError(`texts.${tag}.document.product must not contain braces`);
      }
      return [tag, checked];
    }),
  );
}

function tagOf(name: string): string {
  const advice = `texts.${name} must have the BCP 47 tag of its language as its name, such as de or pt-BR`;
  if (Object.hasOwn(DICTIONARY, name)) throw new TypeError(advice);
  try {
    return checkedLanguage(name).tag;
  } catch (cause) {
    throw new TypeError(advice, { cause });
  }
}

/** The texts of the narrowest tag that has any (RFC 4647 section 3.4): for `de-AT`, else `de`. */
function firstOf<Texts>(byTag: ReadonlyMap<string, Texts>, tag: string): Texts | undefined {
  const found = wider(tag).find((name) => byTag.has(name));
  return found === undefined ? undefined : byTag.get(found);
}

/** A tag, then those that it narrows: `zh-Hant-TW`, `zh-Hant`, `zh`. */
function wider(tag: string): string[] {
  const parts = tag.split('-');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
}
