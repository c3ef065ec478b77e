import ts from 'typescript';

const CONFIDENTIAL = /KEY|SECRET|TOKEN|PASSWORD/;
const EQUALITIES = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

/**
 * Comparisons by `===` and its kin of a confidential variable of the environment, or of a bearer
 * token, on either side. A comparison with `undefined`, `null` or a text tells nobody anything.
 */
export function confidentialComparisons(source: string): string[] {
  // Every file is searched, and parsing takes the longest of it.
  if (!/process\.env|Bearer /.test(source)) return [];
  const root = parse(source);
  const names = confidentialNames(root);
  return nodesIn(root, ts.isBinaryExpression)
    .filter(({ operatorToken, left, right }) => {
      if (!EQUALITIES.has(operatorToken.kind) || isConstant(left) || isConstant(right)) return false;
      return [left, right].some((side) => isConfidential(side, names));
    })
    .map((comparison) => comparison.getText());
}

/** Functions for `verifyCredentials` that never read a password, so that any would do. */
export function uncheckedCredentials(source: string): string[] {
  if (!/verifyCredentials/i.test(source)) return [];
  const assignments = nodesIn(parse(source), isNamed).filter(({ name }) =>
    /verifyCredentials/i.test(name.getText()),
  );
  return assignments
    .filter(({ initializer }) => initializer !== undefined && ts.isFunctionLike(initializer))
    .filter(({ initializer }) => !nodesIn(initializer, ts.isIdentifier).some(isPassword))
    .map((assignment) => assignment.getText());
}

function isNamed(node: ts.Node): node is ts.PropertyAssignment | ts.VariableDeclaration {
  return ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node);
}

const isPassword = ({ text }: ts.Identifier): boolean => /password/i.test(text);

/** The variables that hold a confidential variable of the environment. */
function confidentialNames(root: ts.Node): Set<string> {
  const names = new Set<string>();
  for (const { name, initializer } of nodesIn(root, ts.isVariableDeclaration)) {
    if (initializer === undefined) continue;
    if (ts.isIdentifier(name) && isConfidential(initializer, names)) names.add(name.text);
    if (!ts.isObjectBindingPattern(name) || initializer.getText() !== 'process.env') continue;
    for (const element of name.elements) {
      const variable = (element.propertyName ?? element.name).getText();
      if (CONFIDENTIAL.test(variable)) names.add(element.name.getText());
    }
  }
  return names;
}

function isConfidential(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isTemplateExpression(node)) return node.head.text.startsWith('Bearer ');
  if (ts.isIdentifier(node)) return names.has(node.text);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    return /^process\.env\b/.test(node.getText()) && CONFIDENTIAL.test(node.getText());
  }
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) {
    return isConfidential(node.expression, names);
  }
  return ts.isBinaryExpression(node) && isConfidential(node.left, names);
}

function isConstant(node: ts.Node): boolean {
  return ts.isStringLiteral(node) || ['undefined', 'null'].includes(node.getText());
}

function nodesIn<Kind extends ts.Node>(
  root: ts.Node | undefined,
  isKind: (node: ts.Node) => node is Kind,
): Kind[] {
  const found: Kind[] = [];
  const visit = (node: ts.Node): void => {
    if (isKind(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  if (root !== undefined) visit(root);
  return found;
}

function parse(source: string): ts.SourceFile {
  return ts.createSourceFile('source.tsx', source, ts.ScriptTarget.Latest, true);
}
