import ts from 'typescript';

/** The properties of components whose values a user reads or hears. */
const READ_PROPERTIES =
  /^(?:label|title|placeholder|description|alt|text|aria-(?:label|description|roledescription|valuetext)|(?:\w+-)?data-label|\w+(?:Label|Title|Text|Advice|Note))$/;
const HAS_WORD = /\p{L}{2}/u;
/** A sentence, or a name that begins with a capital letter, as labels do. */
const IS_TEXT = /^(?![\w]+(?:-[\w]+)+$)\p{Lu}[^\s]*\p{Ll}|\p{L}{2,},? \p{L}{2,}/u;

/**
 * The texts for users that a component or module contains, as `line: text`. In JSX that is every
 * text with a word, and in properties that are read also a single one. Elsewhere it is a string
 * that looks like a sentence or a label; what a programmer reads (an error's message) is none.
 */
export function literalTexts(fileName: string, source: string): string[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const add = (node: ts.Node, text: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${line + 1}: ${text.replace(/\s+/g, ' ').trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isOfNoText(node)) return;
    // For programmers.
    if (ts.isNewExpression(node) || ts.isThrowStatement(node)) return;
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) return;
    if (ts.isJsxText(node) && HAS_WORD.test(node.text)) add(node, node.text);
    if (ts.isStringLiteralLike(node)) {
      const isRead = isInReadProperty(node) && HAS_WORD.test(node.text);
      if (isRead || IS_TEXT.test(node.text)) add(node, node.text);
    }
    if (ts.isTemplateExpression(node)) {
      const words = [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text);
      if (isInReadProperty(node) ? HAS_WORD.test(words.join(' ')) : IS_TEXT.test(words.join('…'))) {
        add(node, words.join('…'));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * The class, style and border of an element, what is compared with a value or looked for in it,
 * the name of a property, and the name of a class of errors.
 */
function isOfNoText(node: ts.Node): boolean {
  if (node.parent !== undefined && ts.isBinaryExpression(node.parent) && ts.isStringLiteral(node)) {
    return /^[!=]==$/.test(node.parent.operatorToken.getText());
  }
  if (node.parent !== undefined && ts.isCallExpression(node.parent) && ts.isStringLiteral(node)) {
    return /\.(?:includes|startsWith|endsWith|test)$/.test(node.parent.expression.getText());
  }
  if (ts.isJsxAttribute(node)) return ['className', 'style', 'bd'].includes(node.name.getText());
  if (node.parent !== undefined && ts.isPropertyAssignment(node.parent)) return node.parent.name === node;
  return ts.isPropertyDeclaration(node) && node.name.getText() === 'name';
}

/** True for `label="…"`, `label={a ? '…' : b}` and `{ label: '…' }`. */
function isInReadProperty(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) {
    return READ_PROPERTIES.test(parent.name.getText());
  }
  if (ts.isConditionalExpression(parent)) return parent.condition !== node && isInReadProperty(parent);
  return (ts.isJsxExpression(parent) || ts.isParenthesizedExpression(parent)) && isInReadProperty(parent);
}
