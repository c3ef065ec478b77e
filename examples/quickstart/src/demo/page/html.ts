/** HTML that needs no more escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Builds HTML from a template. Every text in it is escaped, for an element or a quoted attribute;
 * only other HTML goes in as it is.
 */
export function html(
  template: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  return new Html(template.reduce((text, part, index) => text + render(values[index - 1] ?? '') + part));
}

function render(value: string | number | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
