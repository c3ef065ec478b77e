/** A language of texts, and the direction in which it is written. */
export interface PanelLanguage {
  /** A BCP 47 tag in its canonical spelling, such as `pt-BR`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
}

/** The scripts that are written from right to left and that languages of today use by default. */
const RIGHT_TO_LEFT = ['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'];

/** In characters. RFC 5646 section 4.4.1 takes 35 for enough; a request's may be of any length. */
const MAX_LENGTH = 100;

/** @throws TypeError unless it is a well-formed BCP 47 tag of at most 100 characters */
export function checkedLanguage(language: string): PanelLanguage {
  try {
    if (typeof language !== 'string' || language.length > MAX_LENGTH) throw new RangeError();
    const locale = new Intl.Locale(language);
    const { script = '' } = locale.maximize();
    return { tag: locale.toString(), direction: RIGHT_TO_LEFT.includes(script) ? 'rtl' : 'ltr' };
  } catch {
    throw new TypeError('language must be a BCP 47 tag such as de or pt-BR');
  }
}
