import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/**
 * A component whose code is loaded when it is first shown, and the fallback until then. The nearest
 * `PageBoundary` reports a file that could not be loaded.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return (props) => (
    <Suspense fallback={fallback}>
      <Loaded {...props} />
    </Suspense>
  );
}
