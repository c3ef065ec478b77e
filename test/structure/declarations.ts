import ts from 'typescript';

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
