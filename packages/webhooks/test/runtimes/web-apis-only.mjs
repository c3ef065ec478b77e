// node --experimental-vm-modules web-apis-only.mjs <module>: runs a module, TypeScript included, where there is nothing but
// the language and these Web APIs, as in a worker on the edge: no process, no Buffer, no require, no module of Node.
import { readFileSync } from 'node:fs';
import { createContext, SourceTextModule } from 'node:vm';
import ts from 'typescript';

const { atob, btoa, clearTimeout, crypto, Headers, setTimeout, TextDecoder, TextEncoder } = globalThis;
const globals = { atob, btoa, clearTimeout, crypto, Headers, setTimeout, TextDecoder, TextEncoder };
const context = createContext({ ...globals, console: { log: (text) => console.log(text) } });
const modules = new Map();
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };

function load(url) {
  if (url.protocol !== 'file:') throw new Error(`${url} is no module of this package`);
  if (!modules.has(url.href)) {
    const { outputText } = ts.transpileModule(readFileSync(url, 'utf8'), { compilerOptions });
    modules.set(url.href, new SourceTextModule(outputText, { context, identifier: url.href }));
  }
  return modules.get(url.href);
}

const main = load(new URL(process.argv[2]));
await main.link((specifier, { identifier }) => load(new URL(specifier, identifier)));
await main.evaluate();
