import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PageFiles } from './page.ts';

/** A built file, ready to be sent. */
export interface PanelAsset {
  readonly type: string;
  /** Strong, of the file as it is; the compressed form has one of its own. */
  readonly etag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Compressed when first asked for, then kept: as many as there are files. */
  gzipped(): Promise<Uint8Array<ArrayBuffer>>;
}

/** The built app. */
export interface PanelAssets {
  readonly page: PageFiles;
  /** By path below the base path, such as `assets/main-Bx3k.js`. */
  readonly files: ReadonlyMap<string, PanelAsset>;
}

const compress = promisify(gzip);
const COMPRESSION_LEVEL = 9;

let loaded: Promise<PanelAssets> | undefined;

/** Gives the built app, loaded at the first request: a host that never opens the panel never holds its files. */
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
