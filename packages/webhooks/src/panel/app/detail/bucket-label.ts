const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
// Days are counted by the server, in UTC: in the viewer's zone their first moment may lie on the day before.
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** How one bar is called. */
export function bucketLabel(start: string, interval: 'hour' | 'day'): string {
  return (interval === 'hour' ? HOUR : DAY).format(new Date(start));
}
