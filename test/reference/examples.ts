import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Comment,
  type CommentDisplayPart,
  CommentTag,
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
  type SignatureReflection,
} from 'typedoc';

/** Types of which each method and each option has an example. */
const TYPES = ['Auth', 'AuthOptions', 'Sessions', 'SessionsOptions', 'Webhooks', 'WebhooksOptions'];

/** Members for `createSessions` and the guards, which are no part of the public interface. */
const NOT_PUBLIC = ['Auth.keyedHash', 'Auth.refusals', 'Auth.successorTokens'];

/** Where the examples of a package are, below its folder. The compiler checks them. */
const EXAMPLES = 'docs/examples';

/**
 * Reads the examples of a package: the regions of its files. One is called by what it shows,
 * `createAuth` or `Auth.authenticate`; a function of a subpath, by the file's name too:
 * `express/mountSessions` in `express.ts`.
 */
function readExamples(folder: string): Map<string, string> {
  const examples = new Map<string, string>();
  const files = existsSync(join(folder, EXAMPLES)) ? readdirSync(join(folder, EXAMPLES)) : [];
  for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
    const text = readFileSync(join(folder, EXAMPLES, file), 'utf8');
    for (const [, name = '', code = ''] of text.matchAll(/^ *\/\/#region (\S+)\n(.*?)^ *\/\/#endregion/gms)) {
      const key = name.includes('.') ? name : `${file.replace(/\.ts$/, '')}/${name}`;
      if (examples.has(key)) throw new Error(`There are two examples of ${key}.`);
      examples.set(key, outdented(code));
    }
  }
  return examples;
}

/**
 * Adds the examples to what they show, as if they stood in its docstring. There, they would be
 * published with the declarations, of which they would be the most, and `{@includeCode}` shows in
 * editors as text. What has an example in its docstring gets no second one.
 *
 * @throws Error naming a function, a method or an option without an example, and an example of
 *   nothing, or of what has one
 */
export function addExamples(project: ProjectReflection, folder: string): void {
  const examples = readExamples(folder);
  const shown = shownIn(project);
  const missing = [...shown.keys()].filter((name) => !examples.has(name));
  const stray = [...examples.keys()].filter((name) => !shown.has(name));
  if (missing.length > 0) throw new Error(`There is no example of ${missing.join(', ')}.`);
  if (stray.length > 0) throw new Error(`${stray.join(', ')} needs no example.`);
  for (const [name, reflection] of shown) {
    reflection.comment ??= new Comment();
    const text = `\`\`\`ts\n${examples.get(name)}\n\`\`\``;
    reflection.comment.blockTags.push(new CommentTag('@example', [{ kind: 'code', text }]));
  }
}

type Documented = DeclarationReflection | SignatureReflection;

/** What needs an example, by the name of its example: nothing whose docstring has one. */
function shownIn(project: ProjectReflection): Map<string, Documented> {
  const modules = project.children ?? [];
  const exported = modules.flatMap((module) => (module.children ?? []).map((child) => ({ module, child })));
  // A guard is a constant with the type of a function. Classes and constants have capitals.
  const functions = exported
    .filter(({ child }) => child.kindOf(ReflectionKind.FunctionOrMethod | ReflectionKind.Variable))
    .filter(({ child }) => /^[a-z]/.test(child.name))
    .map(({ module, child }) => [`${module.name}/${child.name}`, documented(child)] as const);
  const members = exported
    .filter(({ child }) => TYPES.includes(child.name) && child.kindOf(ReflectionKind.Interface))
    .flatMap(({ child: type }) =>
      (type.children ?? []).map((member) => [`${type.name}.${member.name}`, documented(member)] as const),
    );
  const all = [...functions, ...members].filter(([name]) => !NOT_PUBLIC.includes(name));
  return new Map(all.filter(([, { comment }]) => !comment?.summary.some(isBlock)));
}

function isBlock({ kind, text }: CommentDisplayPart): boolean {
  return kind === 'code' && text.startsWith('```ts');
}

/** The place of a docstring: of a function, it is at its first signature. */
function documented(reflection: DeclarationReflection): Documented {
  return reflection.signatures?.[0] ?? reflection;
}

function outdented(code: string): string {
  const lines = code.trimEnd().split('\n');
  const indents = lines.filter((line) => line !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  return lines.map((line) => line.slice(Math.min(...indents))).join('\n');
}
