import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadPanelAssets } from '../../src/panel/panel-assets.ts';

const PANEL = fileURLToPath(new URL('../../src/panel/', import.meta.url));

const files = readdirSync(PANEL, { recursive: true, encoding: 'utf8' }).map((file) =>
  file.replaceAll('\\', '/'),
);
const read = (file: string) => readFileSync(PANEL + file, 'utf8');
const sheets = files.filter((file) => file.endsWith('.css')).sort();
const source = files
  .filter((file) => /\.tsx?$/.test(file))
  .map(read)
  .join('\n');
const imports = [...read('app/styles.ts').matchAll(/^import '(.+)';$/gm)].map(([, path = '']) => path);

describe("the panel's stylesheets", () => {
  it('are each in one of its rooms, and all built, after those of the components', () => {
    const own = imports.filter((path) => path.startsWith('./'));
    expect(own.map((path) => path.replace('./', 'app/')).sort()).toEqual(sheets);
    expect(imports.slice(-own.length)).toEqual(own);
    expect(own[0]).toBe('./panel.css');
  });

  it.each(sheets)('%s names only classes that something has', (sheet) => {
    expect(classesOf(read(sheet)).filter((name) => !isUsed(name))).toEqual([]);
  });

  it('leave out those of components that are not used', async () => {
    const built = [...(await loadPanelAssets()).files].filter(([path]) => path.endsWith('.js'));
    const scripts = built.map(([, { bytes }]) => new TextDecoder().decode(bytes)).join('\n');
    const styles = imports.flatMap((path) => componentOf(path) ?? []);
    const isBuilt = (name: string) => classesOfComponent(name).some((one) => scripts.includes(one));
    expect(styles.filter((name) => !isBuilt(name))).toEqual([]);
  });
});

/** The component that a stylesheet of Mantine is of. */
function componentOf(path: string): string | undefined {
  return /\/([A-Z]\w+)\.css$/.exec(path)?.[1];
}

function classesOf(css: string): string[] {
  const selectors = css.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...new Set([...selectors.matchAll(/\.([a-z][\w-]+)/gi)].map(([, name = '']) => name))];
}

function isUsed(name: string): boolean {
  const component = /^mantine-([A-Z]\w+)-\w+$/.exec(name)?.[1];
  if (component !== undefined) {
    // A part may have a name of its own, as InputWrapper.
    return imports.some((path) => component.startsWith(componentOf(path) ?? '-'));
  }
  const icon = /^tabler-icon-(.+)$/.exec(name)?.[1];
  if (icon === undefined) return new RegExp(`["' ]${name}["' ]`).test(source);
  return source.includes(`<Icon${icon.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`);
}

/** Mantine's classes are hashes, which its scripts name. */
function classesOfComponent(name: string): string[] {
  const css = readFileSync(
    new URL(`../../../../node_modules/@mantine/core/styles/${name}.css`, import.meta.url),
    'utf8',
  );
  return classesOf(css).filter((one) => one.startsWith('m_'));
}
