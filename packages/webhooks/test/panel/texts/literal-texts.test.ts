import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { literalTexts } from './literal-texts.ts';

const app = fileURLToPath(new URL('../../../src/panel/app/', import.meta.url));

const MANTINE = new URL('../../../../../node_modules/@mantine/core/esm/components/', import.meta.url);

/** Selectors of elements, and code for recipients. */
const WITHOUT_TEXTS = ['page/restored-focus.ts', 'catalog/schema-typescript.ts'];

describe('literalTexts', () => {
  it('finds what a user reads or hears', () => {
    const found = literalTexts('a.tsx', 'const a = <B label="url" c="dimmed" t={x ? "All" : y}>Add one</B>;');
    expect(found).toEqual(['1: url', '1: All', '1: Add one']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code.
    expect(literalTexts('a.ts', 'say({ text: `${n} rows` }); say(`The end of ${n}`);')).toEqual([
      '1: … rows',
      '1: The end of …',
    ]);
  });

  it('leaves alone what nobody reads', () => {
    const source =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source code.
      'const a = <B className="big-text" p={`/${id}/x`} key="GET">{n} {"·"}</B>; throw Error("It fails");';
    expect(literalTexts('a.tsx', source)).toEqual([]);
  });
});

/** Whether a component of Mantine says something by itself. */
function hasOwnText(component: string): boolean {
  const file = new URL(`${component}/${component}.mjs`, MANTINE);
  return existsSync(file) && /(?:"aria-label"|\w*Label|placeholder): "[A-Z]/.test(readFileSync(file, 'utf8'));
}

describe('the panel', () => {
  it('uses no component with an English text of its own', () => {
    expect(hasOwnText('PasswordInput')).toBe(true);
    const used = readdirSync(app, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => readFileSync(app + file, 'utf8'))
      .flatMap((text) => /import \{([^}]+)\} from '@mantine\/core'/.exec(text)?.[1]?.match(/\w+/g) ?? []);
    expect(used).toContain('Modal');
    expect([...new Set(used)].filter(hasOwnText)).toEqual([]);
  });

  it('has all its texts in the dictionary, for hosts that override them', () => {
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !WITHOUT_TEXTS.includes(file))
      .map((file) => [file, literalTexts(file, readFileSync(app + file, 'utf8'))] as const)
      .filter(([, texts]) => texts.length > 0);
    // Put each into a file of src/panel/texts, and read it with hostTexts.
    expect(Object.fromEntries(files)).toEqual({});
  });
});
