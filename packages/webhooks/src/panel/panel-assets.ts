import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { DocumentTexts } from './texts/document-texts.ts';

/** The built files that a page loads, as paths relative to the base path. */
export interface PageFiles {
  readonly entry: string;
  readonly styles: readonly string[];
  readonly icon: string;
  /** The classic script that sets the colour scheme before the first paint. */
  readonly colorScheme: string;
  /** The scripts beside the entry that each page imports. */
  readonly scripts: Readonly<
    Record<'list' | 'detail' | 'deliveries' | 'catalog' | 'logIn', readonly string[]>
  >;
}

/** A language whose texts are built in. */
export interface BuiltInLanguage {
  /** The classic script with its texts, relative to the base path. */
  readonly script: string;
  readonly document: Partial<DocumentTexts>;
  /** Those of its texts that speak to customers, in place of the others, by room. */
  readonly portal: Readonly<Record<string, object>>;
}

/** A built file, ready to be sent. */
export interface PanelAsset {
  readonly type: string;
  /** The strong entity tag of the uncompressed file; the compressed form has its own. */
  readonly etag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Compresses the file on the first call, and caches the result. */
  compressed(coding: ContentCoding): Promise<Uint8Array<ArrayBuffer>>;
}

/** The content codings in which files are sent, the preferred one first. */
export const CONTENT_CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** The built app. */
export interface PanelAssets {
  readonly page: PageFiles;
  /** By BCP 47 tag, without English. */
  readonly languages: ReadonlyMap<string, BuiltInLanguage>;
  /** The files by path relative to the base path, such as `assets/main-Bx3k.js`. */
  readonly files: ReadonlyMap<string, PanelAsset>;
}

/**
 * Each file is compressed once in a process, on its first request: the largest takes 16 ms. The
 * highest quality of brotli saves 8 % of the bytes, and takes a hundred times as long.
 */
const BROTLI_QUALITY = 5;

const COMPRESS: Readonly<Record<ContentCoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** As long as those of the built files. */
const HASH_LENGTH = 22;

let loaded: Promise<PanelAssets> | undefined;

/**
 * Loads the built app on the first call, so that a host whose panel is never opened does not keep
 * its files in memory.
 */
export function loadPanelAssets(): Promise<PanelAssets> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<PanelAssets> {
  const module = await import('#panel-assets');
  // A split bundle of esbuild has the default export alone, and `require` only the others.
  const { page, languages, files } = module.default ?? module;
  const entries = Object.entries(files).map(([path, file]) => [path, assetOf(file)] as const);
  return { page, languages: new Map(Object.entries(languages)), files: new Map(entries) };
}

/** A file of one panel, such as the stylesheet of its accent colour. */
export function hostAsset(name: string, extension: string, type: string, text: string) {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
  return { path: `assets/${name}-${hash}.${extension}`, asset: assetOf({ type, hash, text }) };
}

function assetOf(file: { readonly type: string; readonly hash: string; readonly text: string }): PanelAsset {
  const bytes = new TextEncoder().encode(file.text);
  const compressed = new Map<ContentCoding, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    type: file.type,
    etag: file.hash,
    bytes,
    compressed(coding) {
      const cached = compressed.get(coding);
      if (cached !== undefined) return cached;
      const result = COMPRESS[coding](bytes).then((smaller) => new Uint8Array(smaller));
      compressed.set(coding, result);
      return result;
    },
  };
}
