import type { Logger } from '../../logging/logger.ts';
import { hostAsset, type PanelAsset } from '../panel-assets.ts';
import { perRequest, type RequestChoice } from '../request-choice.ts';
import { type CheckedTheme, checkedTheme, type PanelTheme } from './theme.ts';
import { themeStyles } from './theme-styles.ts';

/** A theme for everybody, or one for each request. */
export type ThemeOption = PanelTheme | RequestChoice<PanelTheme>;

/** A theme as pages load it. */
export interface Look extends Pick<CheckedTheme, 'logos'> {
  /** Of the stylesheet, relative to the base path. */
  readonly path: string;
  readonly stylesheet: PanelAsset;
}

/** How many looks are kept: each is a few kilobytes, and made in a millisecond. */
const MAX_LOOKS = 200;
const MAX_LOGGED = 10_000;

/** The looks of one panel or portal. */
export interface Looks {
  /** The look of a request; undefined for the built-in one. Never rejects. */
  of(request: Request, native: unknown): Promise<Look | undefined>;
  /** The stylesheet at a path; undefined if neither a kept look nor the request's has it. */
  stylesheet(path: string, request: Request, native: unknown): Promise<PanelAsset | undefined>;
}

/**
 * @throws TypeError for a theme that is malformed. One that a function returns is logged, and the
 *   page has the built-in look.
 */
export function createLooks(theme: ThemeOption | undefined, logger: Logger): Looks {
  /** By what was read of their themes, as JSON, the one used last at the end. */
  const kept = new Map<string, Look>();
  /** The stylesheets whose corrections were logged. */
  const logged = new Set<string>();

  function sayOnce(path: string, tokens: readonly string[]): void {
    if (logged.has(path)) return;
    if (logged.size >= MAX_LOGGED) logged.clear();
    logged.add(path);
    logger.warn({ tokens }, 'theme colours corrected to be legible');
  }

  function lookOf(given: PanelTheme): Look {
    const theme = checkedTheme(given);
    const key = JSON.stringify(theme);
    const look = kept.get(key) ?? makeLook(theme, sayOnce);
    kept.delete(key);
    kept.set(key, look);
    const [oldest = key] = kept.keys();
    if (kept.size > MAX_LOOKS) kept.delete(oldest);
    return look;
  }

  const fixed = theme === undefined || typeof theme === 'function' ? undefined : lookOf(theme);

  const of = typeof theme === 'function' ? perRequest('theme', theme, lookOf, logger) : async () => fixed;

  return {
    of,
    async stylesheet(path, request, native) {
      // What no theme is asked for: scanners would make it run.
      if (!/^assets\/theme-[\w-]+\.css$/.test(path)) return undefined;
      const known = [...kept.values()].find((look) => look.path === path);
      // Another process may have sent the page.
      const look = known ?? (await of(request, native));
      return look?.path === path ? look.stylesheet : undefined;
    },
  };
}

function makeLook(theme: CheckedTheme, onCorrected: (path: string, tokens: readonly string[]) => void): Look {
  const { css, corrected } = themeStyles(theme);
  const { path, asset } = hostAsset('theme', 'css', 'text/css; charset=utf-8', css);
  if (corrected.length > 0) onCorrected(path, corrected);
  return { path, stylesheet: asset, logos: theme.logos };
}
