import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PageFiles } from './page.ts';

/** A built file, ready to be sent. */
export interface PanelAsset {
  readonly type: string;
  /** The strong entity tag of the uncompressed file; the compressed form has its own. */
  readonly etag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Compresses the file on the first call, and caches the result. */
  gzipped(): Promise<Uint8Array<ArrayBuffer>>;
}

/** The built app. */
export interface PanelAssets {
  readonly page: PageFiles;
  /** The files by path relative to the base path, such as `assets/main-Bx3k.js`. */
  readonly files: ReadonlyMap<string, PanelAsset>;
}

const compress = promisify(gzip);
const COMPRESSION_LEVEL = 9;

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
  const { page, files } = await import('#panel-assets');
  const entries = Object.entries(files).map(([path, file]) => [path, assetOf(file)] as const);
  return { page, files: new Map(entries) };
}

function assetOf(file: { readonly type: string; readonly hash: string; readonly text: string }): PanelAsset {
  const bytes = new TextEncoder().encode(file.text);
  let gzipped: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return {
    type: file.type,
    etag: file.hash,
    bytes,
    gzipped() {
      gzipped ??= compress(bytes, { level: COMPRESSION_LEVEL }).then(
        (compressed) => new Uint8Array(compressed),
      );
      return gzipped;
    },
  };
}
