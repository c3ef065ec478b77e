/** What the texts need of the document. */
interface PageDocument {
  readonly documentElement: { readonly lang: string; readonly dir: string };
  getElementById(id: string): { readonly dataset: Readonly<Record<string, string | undefined>> } | null;
}

declare const document: PageDocument | undefined;

/**
 * The document; undefined in tests of single files, which run without one and without its types.
 */
export const pageDocument: PageDocument | undefined = typeof document === 'undefined' ? undefined : document;
