import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import type { WorkspacePackage } from '../structure/workspace-package.ts';

const printer = ts.createPrinter({ removeComments: true });

/** A group of members that fits into a line of this length is written as one line. */
const MAX_LINE_LENGTH = 120;

/**
 * Writes down the built declarations of a package as text: the names that each subpath exports,
 * then the declaration of each of them and of every type of the package that these mention. Sorted,
 * without comments and without the words of texts: a difference is a change of what users compile
 * against. Declarations that subpaths repeat are written once.
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
  return [...exported, ...new Set([...found.values()].sort())].join('\n').replace(BETWEEN_LINES, '');
}

/** The blank line between two declarations of one line each. */
const BETWEEN_LINES = /(?<=^(?:declare|interface|type) .*[;}]\n)\n(?=(?:declare|interface|type) .*[;}]$)/gm;

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
      const { transformed } = ts.transform(statement, [withoutWords]);
      const printed = printer.printNode(ts.EmitHint.Unspecified, transformed[0] ?? statement, source);
      found.set(declaration, `${folded(printed)}\n`);
      const visit = (node: ts.Node): void => {
        const mentioned = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
        if (mentioned !== undefined) open.push(mentioned);
        ts.forEachChild(node, visit);
      };
      visit(statement);
    }
  }
}

/** Writes `string` for a literal that is a sentence: a better wording is no other type. */
const withoutWords: ts.TransformerFactory<ts.Node> = (context) => (root) => {
  const visit = (node: ts.Node): ts.Node =>
    ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) && /^[A-Z][^A-Z]| /.test(node.literal.text)
      ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword)
      : ts.visitEachChild(node, visit, context);
  return visit(root);
};

/** Writes a group of members that fits as one line; of a constant with texts, their names. */
function folded(text: string): string {
  const lines: string[] = [];
  const open: number[] = [];
  for (const line of text.split('\n')) {
    const start = /^ *[}\]]/.test(line) ? (open.pop() ?? 0) : lines.length;
    const [head, ...members] = lines.slice(start).map((member) => member.trim());
    const indent = /^ */.exec(lines[start] ?? '')?.[0] ?? '';
    const one = `${indent}${[head, ...members, line.trim()].join(' ')}`;
    const isTexts = text.startsWith('declare const') && members.every((member) => TEXT.test(member));
    if (head === undefined) lines.push(line);
    else if (isTexts) lines.splice(start, Infinity, `${indent}${head} ${namesOf(members)} ${line.trim()}`);
    else if (one.length <= MAX_LINE_LENGTH) lines.splice(start, Infinity, one);
    else lines.push(line);
    if (/[{[]$/.test(line)) open.push(lines.length - 1);
  }
  return lines.join('\n');
}

const TEXT = /^readonly (\w+): (?:string|"[^"]*"|\{ ([\w, ]+) \});$/;

/** Names with one initial share a line: a new one changes no other line. */
function namesOf(texts: readonly string[]): string {
  const names = texts.map((text) =>
    text.replace(TEXT, (_, name, forms) => (forms ? `${name} (${forms})` : name)),
  );
  const initials = [...new Set(names.map(([initial]) => initial))].sort();
  return initials
    .map((initial) =>
      names
        .filter((name) => name[0] === initial)
        .sort()
        .join(', '),
    )
    .join(',\n        ');
}

/** The statement of a file that declares something; a member or a parameter is part of another. */
function statementOf(declaration: ts.Declaration): ts.Node | undefined {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return ts.isSourceFile(node.parent) && ts.isStatement(node) ? node : undefined;
}

function isOutside(folder: string, file: string): boolean {
  return relative(folder, dirname(file)).startsWith('..');
}
