import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application, Converter, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { repository, type WorkspacePackage } from '../structure/workspace-package.ts';
import { addExamples } from './examples.ts';

/** Settings of TypeDoc that both packages share: https://typedoc.org/documents/Options.html */
const SETTINGS: TypeDocOptions & PluginOptions = {
  tsconfig: join(repository, 'tsconfig.json'),
  plugin: ['typedoc-plugin-markdown'],
  router: 'module',
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
  hideBreadcrumbs: true,
  hidePageHeader: true,
  parametersFormat: 'table',
  useCodeBlocks: true,
  expandObjects: true,
  logLevel: 'Error',
};

/** Where the pages of a package are, below its folder. */
export const REFERENCE = 'docs/reference';

/** Says on top of each page where it comes from. */
const NOTICE = '<!-- Made from the docstrings by `npm run reference:write`. -->\n\n';

/**
 * Makes the reference of a package from its docstrings and from the examples beside the pages: a
 * page for each subpath, by the name of its file.
 */
export async function referencePages(workspacePackage: WorkspacePackage): Promise<Map<string, string>> {
  const { folder, manifest, subpaths } = workspacePackage;
  const out = mkdtempSync(join(tmpdir(), 'reference-'));
  try {
    const application = await Application.bootstrapWithPlugins({
      ...SETTINGS,
      name: manifest.name,
      entryPoints: subpaths.map((subpath) => join(folder, 'src', subpath, 'index.ts')),
      basePath: join(folder, 'src'),
      out,
    });
    application.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
      for (const module of project.children ?? []) module.name = moduleName(module.name);
      addExamples(project, folder);
    });
    const project = await application.convert();
    if (project === undefined) throw new Error(`TypeDoc does not understand ${manifest.name}`);
    await application.generateOutputs(project);
    const files = readdirSync(out).filter((file) => file.endsWith('.md'));
    return new Map(
      files
        .sort()
        .map((file) => [file, NOTICE + titled(readFileSync(join(out, file), 'utf8'), manifest.name)]),
    );
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The name of a page: `express` for `express/index.ts`, `index` for the root. */
function moduleName(name: string): string {
  const own = name.replace(/^(src|\.)?\/?/, '');
  return own === '' ? 'index' : own;
}

/** Heads a page with what an application imports. */
function titled(page: string, packageName: string): string {
  return page.replace(/^# (\S+)$/m, (_heading, name: string) => {
    if (name.startsWith('@')) return `# API reference of ${packageName}`;
    return name === 'index' ? `# ${packageName}` : `# ${packageName}/${name}`;
  });
}
