import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Builds the admin panel's app into one module of strings, `dist/panel/assets.cjs`, which
 * `src/panel` loads lazily as `#panel-assets`. It runs before tsup, whose declarations need the
 * module, and which leaves `dist/panel` alone.
 *
 * Files beside the code would be lost when a host's bundler moves it. Strings in the package's own
 * chunks would stand in each source map once more. Compressed, they would take a quarter, but look
 * like the code that malware scanners search for. The module is CommonJS, so that `import()` loads
 * it from ES modules and `require` from CommonJS.
 */
export default defineConfig({
  root: fileURLToPath(new URL('src/panel/app', import.meta.url)),
  base: './',
  logLevel: 'warn',
  plugins: [react(), keepStyles(), intoOneModule()],
  build: {
    outDir: fileURLToPath(new URL('dist/panel', import.meta.url)),
    emptyOutDir: true,
    copyPublicDir: false,
    // One file of styles, and plain `import()` for what is loaded later: nothing builds tags at run
    // time.
    cssCodeSplit: false,
    modulePreload: false,
    // The browsers of docs/panel.md: `light-dark()` follows the colour scheme that the visitor
    // chose.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: [appFile('main.tsx'), appFile('color-scheme.ts')],
    },
  },
});

function appFile(name: string): string {
  return fileURLToPath(new URL(`src/panel/app/${name}`, import.meta.url));
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const DECLARATIONS = `export declare const page: {
  entry: string;
  styles: string[];
  icon: string;
  colorScheme: string;
  scripts: Record<'list' | 'detail' | 'deliveries' | 'catalog' | 'logIn', string[]>;
};
export declare const languages: Record<
  string,
  { script: string; document: Record<string, string>; portal: Record<string, object> }
>;
export declare const files: Record<string, { type: string; hash: string; text: string }>;
`;

/**
 * Keeps modules of which nothing is imported: `sideEffects` of package.json says that there are
 * none, which is true of what the package publishes, but not of the app's styles.
 */
function keepStyles(): Plugin {
  const app = fileURLToPath(new URL('src/panel/app/', import.meta.url));
  return {
    name: 'keep-styles',
    transform: (code, id) => (id.startsWith(app) ? { code, map: null, moduleSideEffects: true } : undefined),
  };
}

/**
 * Replaces the files of the build by one module that holds them, with its declarations; prints
 * their sizes.
 */
function intoOneModule(): Plugin {
  return {
    name: 'into-one-module',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const outputs = Object.values(bundle).filter(({ fileName }) => fileName.startsWith('assets/'));
        const languages = languageFiles();
        const files = outputs.map((output) =>
          servedFile(output.fileName, output.type === 'chunk' ? output.code : asText(output.source)),
        );
        const chunks = outputs.filter((output) => output.type === 'chunk');
        const chunkOf = (module: string) =>
          chunks.find(({ facadeModuleId: id }) => id?.endsWith(`/${module}`))?.fileName;
        const entry = chunkOf('main.tsx');
        const colorScheme = chunkOf('color-scheme.ts');
        const scriptsOf = (module = 'main.tsx') => {
          const page = chunkOf(module);
          return [...importsOf([entry, page], chunks)].filter((name) => name !== entry);
        };
        const scripts = {
          list: scriptsOf(),
          detail: scriptsOf('detail-page.tsx'),
          deliveries: scriptsOf('deliveries-page.tsx'),
          catalog: scriptsOf('catalog-page.tsx'),
          logIn: scriptsOf('log-in-page.tsx'),
        };
        const styles = files.map(([name]) => name).filter((name) => name.endsWith('.css'));
        const icon = files.map(([name]) => name).find((name) => name.endsWith('.svg'));
        // Files of like sizes are alike: beside each other, they make the tarball smaller.
        const bySize = files.sort(([, a], [, b]) => b.text.length - a.text.length);
        for (const { fileName } of outputs) delete bundle[fileName];

        const module = [
          '// The admin panel, built by Vite from src/panel/app. Each text is a file as it is served.',
          `exports.page = ${JSON.stringify({ entry, styles, icon, colorScheme, scripts })};`,
          `exports.files = ${JSON.stringify(Object.fromEntries(bySize), null, 1)};`,
          LANGUAGES,
          `const keys = ${JSON.stringify(languages.keys)};`,
          ...languages.calls,
          '',
        ].join('\n');
        this.emitFile({ type: 'asset', fileName: 'assets.cjs', source: module });
        this.emitFile({ type: 'asset', fileName: 'assets.d.cts', source: DECLARATIONS });
        process.stdout.write(
          [...files, ...languages.files].map(([name, { text }]) => sizeLine(name, text)).join(''),
        );
      },
    },
  };
}

function servedFile(name: string, text: string) {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (type === undefined) throw new Error(`${name} is of no type the panel serves`);
  return [name, { type, hash: hashOf(text), text }] as const;
}

/** Adds a language to the module, which has the keys of texts once for all of them. */
const LANGUAGES = `exports.languages = {};
function addLanguage(tag, script, hash, portal, values) {
  const roomOf = ([room, names], at) => [room, Object.fromEntries(names.map((name, n) => [name, values[at][n]]))];
  const texts = Object.fromEntries(keys.map(roomOf));
  const text = 'globalThis.panelTexts=' + JSON.stringify(texts) + ';\\n';
  exports.files[script] = { type: '${TYPES.js}', hash, text };
  exports.languages[tag] = { script, document: texts.document, portal };
}`;

/**
 * The built-in languages: each has its texts in `src/panel/languages/<tag>.json`, and those that
 * speak to customers in `portal/<tag>.json` beside it. The page loads the former as a script; the
 * server keeps what it writes into pages itself.
 */
function languageFiles() {
  const folder = new URL('src/panel/languages/', import.meta.url);
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const all = names.sort().map((name) => {
    const texts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = read(name);
    const text = `globalThis.panelTexts=${JSON.stringify(texts)};\n`;
    const tag = name.replace('.json', '');
    const script = `assets/${tag}-${hashOf(text).slice(0, 8)}.js`;
    return { tag, script, texts, file: servedFile(script, text), portal: read(`portal/${name}`) };
  });
  const keysOf = (texts: object) => Object.entries(texts).map(([room, own]) => [room, Object.keys(own)]);
  const keys = keysOf(all[0]?.texts ?? {});
  return {
    keys,
    files: all.map(({ file }) => file),
    calls: all.map(({ tag, script, texts, file: [, { hash }], portal }) => {
      if (JSON.stringify(keysOf(texts)) !== JSON.stringify(keys)) throw new Error(`${tag} has another order`);
      const given = [tag, script, hash, portal, Object.values(texts).map((room) => Object.values(room))];
      return `addLanguage(...${JSON.stringify(given)});`;
    }),
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** The files, and those that they import, directly or not. */
function importsOf(
  files: readonly (string | undefined)[],
  chunks: readonly { readonly fileName: string; readonly imports: readonly string[] }[],
): Set<string> {
  const found = new Set(files.filter((name) => name !== undefined));
  // A set visits what is added during the visit, too.
  for (const name of found) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) {
      found.add(imported);
    }
  }
  return found;
}

function asText(source: string | Uint8Array): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

function sizeLine(name: string, text: string): string {
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1).padStart(6)} kB`;
  return `panel  ${name.padEnd(34)} ${kilobytes(Buffer.byteLength(text))}  gzip ${kilobytes(gzipSync(text).length)}\n`;
}
