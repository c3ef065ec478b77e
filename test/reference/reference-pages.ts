import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application, Converter, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { rowsUnder } from '../readme/markdown.ts';
import { repository, type WorkspacePackage } from '../structure/workspace-package.ts';
import { addExamples } from './examples.ts';

/** Settings of TypeDoc that both packages share: https://typedoc.org/documents/Options.html */
const SETTINGS: TypeDocOptions = {
  tsconfig: join(repository, 'tsconfig.json'),
  // `npm run check:types` checks the types.
  skipErrorChecking: true,
  // Lines of the sources would change with every commit.
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  readme: 'none',
  validation: false,
  sort: ['source-order'],
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
  logLevel: 'Error',
};

/** Settings of the reference in Markdown. */
const MARKDOWN: TypeDocOptions & PluginOptions = {
  plugin: ['typedoc-plugin-markdown'],
  router: 'member',
  hidePageHeader: true,
  parametersFormat: 'table',
  indexFormat: 'table',
  useCodeBlocks: true,
  expandObjects: true,
};

/**
 * Makes the reference of a package from its docstrings and from the examples in `docs/examples`: a
 * folder for each subpath, with an index of its exports and a page for each of them. By the paths
 * of the files, with forward slashes.
 */
export async function referencePages(workspacePackage: WorkspacePackage): Promise<Map<string, string>> {
  const { manifest } = workspacePackage;
  const out = mkdtempSync(join(tmpdir(), 'reference-'));
  try {
    await generate(workspacePackage, { ...MARKDOWN, out });
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.replaceAll('\\', '/'));
    const page = (file: string) =>
      file === 'README.md'
        ? overview(workspacePackage)
        : finished(readFileSync(join(out, file), 'utf8'), manifest.name);
    return new Map(files.sort().map((file) => [file, page(file)]));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Writes the reference of a package for browsers to a folder: pages with a search of their own. */
export async function writeReferenceSite(workspacePackage: WorkspacePackage, out: string): Promise<void> {
  await generate(workspacePackage, { out, navigationLinks: { Guides: '/guides' }, githubPages: false });
}

async function generate(
  { folder, manifest, subpaths }: WorkspacePackage,
  options: TypeDocOptions & PluginOptions,
): Promise<void> {
  const application = await Application.bootstrapWithPlugins({
    ...SETTINGS,
    ...options,
    name: manifest.name,
    entryPoints: subpaths.map((subpath) => join(folder, 'src', subpath, 'index.ts')),
    basePath: join(folder, 'src'),
  });
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) module.name = moduleName(module.name);
    addExamples(project, folder);
  });
  const project = await application.convert();
  if (project === undefined) throw new Error(`TypeDoc does not understand ${manifest.name}`);
  await application.generateOutputs(project);
}

/** The name of a subpath's folder: `express` for `express/index.ts`, `index` for the root. */
function moduleName(name: string): string {
  const own = name.replace(/^(src|\.)?\/?/, '');
  return own === '' ? 'index' : own;
}

/** The first page: each subpath, with what the README says about it. */
function overview({ folder, manifest }: WorkspacePackage): string {
  const subpaths = rowsUnder(readFileSync(join(folder, 'README.md'), 'utf8'), 'import', 'holds');
  const rows = subpaths.map(([name = '', holds = '']) => {
    const subpath = name.replaceAll('`', '').slice(manifest.name.length + 1);
    return `| [${name}](${subpath === '' ? 'index' : subpath}/README.md) | ${holds} |`;
  });
  const head = `# API reference of ${manifest.name}\n\nEach import has a page that lists its exports.`;
  return `${head}\n\n| import | holds |\n|---|---|\n${rows.join('\n')}\n`;
}

/** Heads a page with what an application imports, and sorts the tables of an index by name. */
function finished(page: string, packageName: string): string {
  return page
    .replace(/^# (\S+)$/m, (_heading, name: string) => `# ${importOf(packageName, name)}`)
    .replace(`[${packageName}](../../README.md)`, '[API reference](../../README.md)')
    .replace(`[${packageName}](../README.md)`, '[API reference](../README.md)')
    .replace(
      /\[([\w-]+)\]\(\.\.\/README\.md\) \//,
      (_link, name: string) => `[${importOf(packageName, name)}](../README.md) /`,
    )
    .replace(/^\[API reference\]\(\.\.\/README\.md\) \/ .*$/m, '[API reference](../README.md)')
    .replace(/(?:^\| \[.*\n)+/gm, (rows) => sortedByName(rows.trimEnd().split('\n')).join('\n').concat('\n'));
}

function importOf(packageName: string, module: string): string {
  return module === 'index' ? packageName : `${packageName}/${module}`;
}

const sortedByName = (rows: readonly string[]): string[] =>
  [...rows].sort((one, other) => one.localeCompare(other, 'en', { sensitivity: 'base' }));
