import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import type { WorkspacePackage } from '../structure/workspace-package.ts';

const printer = ts.createPrinter({ removeComments: true });

/**
 * Writes down the built declarations of a package as text: the names that each subpath exports,
 * then the declaration of each of them and of every type of the package that these mention. Sorted
 * and without comments, so that a difference is a change of what users compile against.
 */
export function publicTypesOf({ folder, manifest, subpaths }: WorkspacePackage): string {
  const entries = subpaths.map((subpath) => {
    const conditions = manifest.exports[subpath];
    if (typeof conditions !== 'object') throw new Error(`${subpath} has no conditions`);
    return { module: `${manifest.name}${subpath.slice(1)}`, file: join(folder, conditions.require.types) };
  });
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      module: ts.ModuleKind.Node16,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts'],
      types: ['node'],
    },
  );
  const checker = program.getTypeChecker();
  const found = new Map<ts.Declaration, string>();
  const exported = entries.map(({ module, file }) => {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    if (symbol === undefined) throw new Error(`${file} is missing: run \`npm run build\` first`);
    const symbols = checker.getExportsOfModule(symbol);
    for (const each of symbols) collect(checker, join(folder, 'dist'), each, found);
    return `${module}\n${symbols
      .map(({ name }) => `  ${name}\n`)
      .sort()
      .join('')}`;
  });
  return `${[...exported, ...[...found.values()].sort()].join('\n')}`;
}

/** Adds the declarations of a symbol, and of all that they mention, if they are in the folder. */
function collect(
  checker: ts.TypeChecker,
  folder: string,
  symbol: ts.Symbol,
  found: Map<ts.Declaration, string>,
): void {
  const open = [symbol];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const target = next.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(next) : next;
    for (const declaration of target.declarations ?? []) {
      const source = declaration.getSourceFile();
      const statement = statementOf(declaration);
      if (statement === undefined || found.has(declaration) || isOutside(folder, source.fileName)) continue;
      found.set(declaration, `${printer.printNode(ts.EmitHint.Unspecified, statement, source)}\n`);
      const visit = (node: ts.Node): void => {
        const mentioned = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
        if (mentioned !== undefined) open.push(mentioned);
        ts.forEachChild(node, visit);
      };
      visit(statement);
    }
  }
}

/** The statement of a file that declares something; a member or a parameter is part of another. */
function statementOf(declaration: ts.Declaration): ts.Node | undefined {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return ts.isSourceFile(node.parent) && ts.isStatement(node) ? node : undefined;
}

function isOutside(folder: string, file: string): boolean {
  return relative(folder, dirname(file)).startsWith('..');
}
