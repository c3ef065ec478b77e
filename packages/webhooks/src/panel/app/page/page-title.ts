import { useEffect } from 'react';

/** Names the page for the tab, the history and screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
