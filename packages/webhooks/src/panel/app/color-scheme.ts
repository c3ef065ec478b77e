// Sets the colour scheme before the first paint. It is a classic script of its own that waits for
// nothing, and knows the key under which Mantine keeps the visitor's choice. The host may have set
// the scheme, in the document.

document.documentElement.dataset.mantineColorScheme = isDark() ? 'dark' : 'light';

function isDark(): boolean {
  const scheme = document.documentElement.dataset.colorScheme ?? chosen();
  if (scheme === 'dark' || scheme === 'light') return scheme === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

function chosen(): string | null {
  try {
    return localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // A browser that keeps nothing for this site.
    return null;
  }
}

export {};
