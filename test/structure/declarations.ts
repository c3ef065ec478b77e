import ts from 'typescript';

const LEVELS = new Set(['debug', 'info', 'warn', 'error']);

/**
 * The members of an interface, in its order; of one that extends another, its own.
 *
 * @throws Error when the source declares no such interface
 */
export function membersOf(source: string, name: string): string[] {
  const declaration = statementOf(source, name);
  if (!ts.isInterfaceDeclaration(declaration)) throw new Error(`${name} is no interface`);
  return declaration.members.map((member) => member.name?.getText() ?? '');
}

/**
 * The string literals of a union, in its order; of a union in it, its name alone is written there.
 *
 * @throws Error when the source declares no such type
 */
export function literalsOf(source: string, name: string): string[] {
  const declaration = statementOf(source, name);
  if (!ts.isTypeAliasDeclaration(declaration)) throw new Error(`${name} is no type`);
  return stringsIn(declaration.type);
}

/** The docstring of each entry of a constant object, on one line. */
export function entryDocstringsOf(source: string, name: string): Readonly<Record<string, string>> {
  const declaration = nodesIn(parse(source), ts.isVariableDeclaration).find(
    (variable) => variable.name.getText() === name,
  );
  const [table] = declaration === undefined ? [] : nodesIn(declaration, ts.isObjectLiteralExpression);
  if (table === undefined) throw new Error(`the source declares no ${name}`);
  const entries = table.properties.map((entry) => [entry.name?.getText() ?? '', docstringOf(entry)]);
  return Object.fromEntries(entries);
}

/**
 * The docstring of one member of an interface.
 *
 * @throws Error when there is no such member
 */
export function memberDocstringOf(source: string, name: string, member: string): string {
  const declaration = statementOf(source, name);
  const found = ts.isInterfaceDeclaration(declaration)
    ? declaration.members.find(({ name: own }) => own?.getText() === member)
    : undefined;
  if (found === undefined) throw new Error(`${name} has no member ${member}`);
  return docstringOf(found);
}

/** The docstring of a declaration, which is Markdown, on one line. */
function docstringOf(node: ts.Node): string {
  const text = ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(node)[0]?.comment) ?? '';
  return text.replace(/\s+/g, ' ');
}

/** The texts that calls of `logger` are given as arguments, fields left out. */
export function loggedMessages(source: string): string[] {
  return nodesIn(parse(source), ts.isCallExpression)
    .filter(isLogging)
    .flatMap((call) => call.arguments.filter((argument) => !ts.isObjectLiteralExpression(argument)))
    .flatMap(stringsIn);
}

function statementOf(source: string, name: string): ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  const found = parse(source)
    .statements.filter(isDeclaration)
    .find((declaration) => declaration.name.text === name);
  if (found === undefined) throw new Error(`the source declares no ${name}`);
  return found;
}

function isDeclaration(node: ts.Node): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

function isLogging({ expression: callee }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(callee) || !LEVELS.has(callee.name.text)) return false;
  return callee.expression.getText().endsWith('logger');
}

function stringsIn(node: ts.Node): string[] {
  return nodesIn(node, ts.isStringLiteral).map(({ text }) => text);
}

function nodesIn<Kind extends ts.Node>(root: ts.Node, isKind: (node: ts.Node) => node is Kind): Kind[] {
  const found: Kind[] = [];
  const visit = (node: ts.Node): void => {
    if (isKind(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function parse(source: string): ts.SourceFile {
  return ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
}
