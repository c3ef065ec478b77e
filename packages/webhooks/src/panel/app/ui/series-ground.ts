/** The ground of what shows deliveries of a status; a pattern in forced colours. */
export function seriesGround(status: string): { readonly background: string } {
  return { background: `var(--series-${status}, var(--chart-${status}))` };
}
