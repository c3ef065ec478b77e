// What the list does not wait for. Together they are one file, because a further one that shares
// less would split what all pages load.

export { OverviewSection } from '../overview/overview-section.tsx';
export { ListPager } from '../paging/list-pager.tsx';
export { SelectionBar } from '../selection/selection-bar.tsx';
export { ExplainSection } from './explain-section.tsx';
export { FailureTitle } from './failure-title.tsx';
export { NoWebhooks } from './no-webhooks.tsx';
