import type { PageLanguage } from './languages/languages.ts';
import type { Look } from './look/looks.ts';
import type { ColorScheme, PagesSettings } from './pages-options.ts';
import type { PageFiles } from './panel-assets.ts';
import type { DocumentTexts } from './texts/document-texts.ts';

/**
 * The document behind every page. It passes settings to the app in attributes, because an inline
 * script would need an exception in the Content-Security-Policy. The browser loads `scripts`
 * together with the entry, not after it.
 */
export function appDocument(
  settings: PagesSettings,
  language: PageLanguage,
  { look, ...files }: PageFiles & { readonly look: Look | undefined },
  scripts: readonly string[],
): string {
  const { basePath, apiPath, statusUrl, loginUrl, loginEndpoint } = settings;
  const styles = look === undefined ? files.styles : [...files.styles, look.path];
  const texts = language.document;
  const at = (file: string) => escapeHtml(`${basePath}/${file}`);
  const attributes = [
    ['data-base-path', basePath],
    ['data-api-path', apiPath],
    ['data-status-url', statusUrl],
    ['data-login-url', loginUrl],
    ['data-login-endpoint', loginEndpoint],
    ['data-read-only', settings.readOnly ? 'true' : undefined],
    ['data-title', settings.title],
    ['data-logo-url', look?.logos.light],
    ['data-dark-logo-url', look?.logos.dark],
    ['data-embedded-by', settings.embed ? settings.frameAncestors.join(' ') : undefined],
    ['data-back-url', settings.backUrl],
    ['data-logout-url', settings.logoutUrl],
    ['data-support-url', settings.supportUrl],
    ['data-texts', language.texts && JSON.stringify(language.texts)],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${escapeHtml(value)}"`]));
  return html(
    settings,
    language,
    texts.title,
    [
      `<link rel="icon" type="image/svg+xml" href="${at(files.icon)}">`,
      `<script src="${at(files.colorScheme)}"></script>`,
      ...styles.map((file) => `<link rel="stylesheet" href="${at(file)}">`),
      // Deferred scripts and modules run in the order of the document: the texts are there first.
      ...(language.script === undefined ? [] : [`<script defer src="${at(language.script)}"></script>`]),
      `<script type="module" src="${at(files.entry)}"></script>`,
      ...scripts.map((file) => `<link rel="modulepreload" href="${at(file)}">`),
    ],
    [
      `<div id="root" ${attributes.join(' ')}>${shell(texts)}</div>`,
      `<noscript><p>${escapeHtml(texts.scriptsNeeded)}</p></noscript>`,
    ],
  );
}

/** What is there before the scripts are: the app replaces it with its first render. */
function shell({ title, loading }: DocumentTexts): string {
  return [
    '<div class="shell" aria-busy="true">',
    `<p class="shell-title">${escapeHtml(title)}</p>`,
    `<p>${escapeHtml(loading)}</p>`,
    '<div></div>',
    '</div>',
  ].join('');
}

/** A page without the app, for unknown paths and refused visitors. */
export function plainDocument(
  settings: PagesSettings,
  language: PageLanguage,
  title: string,
  text: string,
  link?: { href: string; text: string; target?: string },
): string {
  const body = [`<h1>${escapeHtml(title)}</h1>`, `<p>${escapeHtml(text)}</p>`];
  if (link !== undefined) {
    const target = link.target === undefined ? '' : ` target="${link.target}"`;
    body.push(`<p><a href="${escapeHtml(link.href)}"${target}>${escapeHtml(link.text)}</a></p>`);
  }
  return html(settings, language, title, [], ['<main>', ...body, '</main>']);
}

function html(
  { colorScheme }: PagesSettings,
  { tag, direction }: PageLanguage,
  title: string,
  head: readonly string[],
  body: readonly string[],
): string {
  return [
    '<!doctype html>',
    `<html lang="${escapeHtml(tag)}" dir="${direction}"${schemeAttribute(colorScheme)}>`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<meta name="color-scheme" content="${colorScheme === 'auto' ? 'light dark' : colorScheme}">`,
    `<title>${escapeHtml(title)}</title>`,
    ...head,
    '</head>',
    '<body>',
    ...body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** What the script that sets the scheme before the first paint reads. */
function schemeAttribute(scheme: ColorScheme): string {
  return scheme === 'auto' ? '' : ` data-color-scheme="${scheme}"`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
