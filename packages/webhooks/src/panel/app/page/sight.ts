/** What a user does before something opens; and for how long the page around may scroll then. */
const DOINGS = ['pointerdown', 'keydown'];
const SCROLLING_MS = 500;

/**
 * Tells the styles which part of the frame is in sight: of one that is as high as its content, the
 * page around it shows a part. Both ends are measured from the frame's start, for its own end moves
 * with the content. Only an observer is told, and anew only when it begins.
 */
export function watchSight(): void {
  const { documentElement: root } = document;
  let until = 0;
  const observer = new IntersectionObserver(([entry]) => {
    if (entry === undefined) return;
    const { top, bottom } = entry.intersectionRect;
    root.style.setProperty('--sight-start', `${top}px`);
    root.style.setProperty('--sight-end', `${bottom}px`);
    observer.disconnect();
    if (performance.now() < until) observer.observe(root);
  });
  const look = (): void => {
    until = performance.now() + SCROLLING_MS;
    observer.observe(root);
  };
  look();
  for (const doing of DOINGS) addEventListener(doing, look, true);
}
