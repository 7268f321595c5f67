import * as ts from 'typescript';

/** How a file reaches another module. */
export type ReferenceKind = 'import' | 'export' | 'type' | 'dynamic' | 'require' | 'url' | 'reference';

export interface Reference {
  readonly kind: ReferenceKind;
  /** Null where it is not written as a plain string, so that it is not clear where it leads. */
  readonly specifier: string | null;
  readonly line: number;
}

/** A use of a name that the file does not declare. */
export interface GlobalUse {
  readonly name: string;
  /** The member that is used, null where the object itself is passed on. */
  readonly member: string | null;
  readonly line: number;
}

export interface Scan {
  readonly references: readonly Reference[];
  readonly globals: readonly GlobalUse[];
  /** Lines of texts that look like SQL. */
  readonly sql: readonly number[];
}

const sqlStatement =
  /^\s*(SELECT\s[\s\S]*\bFROM\b|SELECT\s+\w+\(|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|(CREATE|DROP|ALTER)\s+(TEMP\s+|UNIQUE\s+|VIRTUAL\s+)?(TABLE|INDEX|TRIGGER|VIEW)\s|PRAGMA\s+\w|WITH\s+(RECURSIVE\s+)?\w+\s*(\([^)]*\)\s*)?AS\s*\(|VACUUM\b|BEGIN\s+(IMMEDIATE|EXCLUSIVE|TRANSACTION)\b)/;

const hostObjects = new Set(['globalThis', 'window', 'self', 'global']);

/**
 * Reads a source file with the TypeScript parser.
 * @param withUses whether globals are wanted: they take half of the time
 */
export function scan(path: string, text: string, withUses: boolean): Scan {
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    withUses,
    path.endsWith('x') ? ts.ScriptKind.TSX : undefined,
  );
  const declared = withUses ? declaredNames(source) : new Map();
  const references: Reference[] = [];
  const globals: GlobalUse[] = [];
  const sql: number[] = [];
  const lineOf = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const refer = (kind: ReferenceKind, node: ts.Node, target: ts.Node | undefined) =>
    references.push({ kind, specifier: plainText(target), line: lineOf(node) });

  for (const { fileName, pos } of [
    ...source.referencedFiles,
    ...source.typeReferenceDirectives,
    ...source.libReferenceDirectives,
  ]) {
    references.push({ kind: 'reference', specifier: fileName, line: source.getLineAndCharacterOfPosition(pos).line + 1 });
  }

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) refer(isTypeOnly(node) ? 'type' : 'import', node, node.moduleSpecifier);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier)
      refer(node.isTypeOnly ? 'type' : 'export', node, node.moduleSpecifier);
    else if (ts.isImportTypeNode(node))
      refer('type', node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined);
    else if (ts.isExternalModuleReference(node)) refer('require', node, node.expression);
    else if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) refer('dynamic', node, node.arguments[0]);
      else if (isRequire(node.expression)) refer('require', node, node.arguments[0]);
    } else if (ts.isNewExpression(node) && isModuleUrl(node)) refer('url', node, node.arguments?.[0]);
    else if (isText(node) && sqlStatement.test(leadingText(node))) sql.push(lineOf(node));
    else if (withUses && ts.isIdentifier(node) && isValueUse(node) && !isDeclared(node, declared)) {
      const use = throughHostObject(node);
      globals.push({ ...use, line: lineOf(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { references, globals, sql };
}

function plainText(node: ts.Node | undefined): string | null {
  return node && ts.isStringLiteralLike(node) ? node.text : null;
}

function isTypeOnly({ importClause }: ts.ImportDeclaration): boolean {
  if (!importClause) return false;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = importClause;
  return (
    !name &&
    !!namedBindings &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.length > 0 &&
    namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

/** `require(…)`, `require.resolve(…)`, `import.meta.resolve(…)`, `process.getBuiltinModule(…)` */
function isRequire(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return called.text === 'require';
  if (!ts.isPropertyAccessExpression(called)) return false;
  const { expression, name } = called;
  if (name.text === 'getBuiltinModule') return true;
  return (
    name.text === 'resolve' && (ts.isMetaProperty(expression) || (ts.isIdentifier(expression) && expression.text === 'require'))
  );
}

/** `new URL(…, import.meta.url)`: a worker or another file of the program. */
function isModuleUrl({ expression, arguments: given }: ts.NewExpression): boolean {
  const base = given?.[1];
  return (
    ts.isIdentifier(expression) &&
    expression.text === 'URL' &&
    !!base &&
    ts.isPropertyAccessExpression(base) &&
    ts.isMetaProperty(base.expression)
  );
}

function isText(node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** The text with its slots left blank. */
function leadingText(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  return ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x')
    : node.text;
}

/** Whether the identifier reads a value: not a declaration's name, a property's name, a label or a type. */
function isValueUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isEnumMember(parent) || ts.isPropertyDeclaration(parent))
    return parent.initializer === node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isExpressionWithTypeArguments(parent))
    return (
      ts.isHeritageClause(parent.parent) &&
      parent.parent.token === ts.SyntaxKind.ExtendsKeyword &&
      ts.isClassLike(parent.parent.parent)
    );
  if (ts.isTypeNode(parent) || ts.isTypeElement(parent) || ts.isQualifiedName(parent) || ts.isTypeParameterDeclaration(parent))
    return false;
  if (
    ts.isNamedTupleMember(parent) ||
    ts.isMetaProperty(parent) ||
    ts.isLabeledStatement(parent) ||
    ts.isBreakOrContinueStatement(parent)
  )
    return false;
  if (
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent) ||
    ts.isNamespaceExport(parent)
  )
    return false;
  if (ts.isJsxAttribute(parent) || ts.isImportAttribute(parent)) return false;
  return !('name' in parent && parent.name === node);
}

/** `globalThis.fetch` is `fetch`, `globalThis.Math.random` is `Math.random`. */
function throughHostObject(node: ts.Identifier): { name: string; member: string | null } {
  const path = [node.text];
  for (let inner: ts.Expression = node; path.length < 3; ) {
    const outer: ts.Node = inner.parent;
    if (ts.isPropertyAccessExpression(outer) && outer.expression === inner) path.push(outer.name.text);
    else if (ts.isElementAccessExpression(outer) && outer.expression === inner) {
      const key = plainText(outer.argumentExpression);
      if (key === null) break;
      path.push(key);
    } else break;
    inner = outer;
  }
  if (path.length > 1 && hostObjects.has(node.text)) path.shift();
  return { name: path[0] ?? node.text, member: path[1] ?? null };
}

type Scopes = Map<ts.Node, Set<string>>;

function isScope(node: ts.Node): boolean {
  return (
    ts.isBlock(node) ||
    ts.isFunctionLike(node) ||
    ts.isSourceFile(node) ||
    ts.isForStatement(node) ||
    ts.isForInStatement(node) ||
    ts.isForOfStatement(node) ||
    ts.isCatchClause(node) ||
    ts.isCaseBlock(node) ||
    ts.isModuleBlock(node) ||
    ts.isClassLike(node)
  );
}

function scopeAbove(node: ts.Node): ts.Node {
  let scope = node.parent;
  while (!isScope(scope)) scope = scope.parent;
  return scope;
}

/** The names that each scope of the file declares. `var` counts as `let`: the linter refuses it. */
function declaredNames(source: ts.SourceFile): Scopes {
  const scopes: Scopes = new Map();
  const declare = (scope: ts.Node, name: ts.Node | undefined) => {
    if (!name || !ts.isIdentifier(name)) return;
    const names = scopes.get(scope) ?? new Set();
    scopes.set(scope, names.add(name.text));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) declare(scopeAbove(node), node.name);
    else if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isEnumDeclaration(node))
      declare(scopeAbove(node), node.name);
    else if (ts.isFunctionExpression(node) || ts.isClassExpression(node)) declare(node, node.name);
    else if (
      ts.isImportClause(node) ||
      ts.isImportSpecifier(node) ||
      ts.isNamespaceImport(node) ||
      ts.isImportEqualsDeclaration(node)
    )
      declare(source, node.name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return scopes;
}

function isDeclared(node: ts.Identifier, scopes: Scopes): boolean {
  for (let scope: ts.Node | undefined = node.parent; scope; scope = scope.parent) {
    if (scopes.get(scope)?.has(node.text)) return true;
  }
  return false;
}
