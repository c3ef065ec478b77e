import { escapeHtml } from '../escape-html.ts';
import type { Arrival } from './inbox.ts';

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884 }
  td pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
`;

/**
 * The page that lists the received requests, newest first. It reloads itself every three seconds.
 */
export function inboxPage(arrivals: readonly Arrival[]): string {
  const rows = arrivals.toReversed().map(row).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="3">
<title>Recipient</title>
<style>${STYLE}</style>
</head>
<body>
<h1>What arrived</h1>
${rows === '' ? '<p>Nothing yet.</p>' : table(rows)}
</body>
</html>
`;
}

function table(rows: string): string {
  const columns = ['Time', 'Hook', 'Event', 'Delivery', 'Attempt', 'Signature', 'Answered', 'Body'];
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows}\n</tbody>\n</table>`;
}

function row({ at, hook, signature, status, isRepeat, headers, body }: Arrival): string {
  const cells = [
    at,
    hook,
    headers['x-webhook-event'] ?? '',
    headers['x-webhook-id'] ?? '',
    headers['x-webhook-attempt'] ?? '',
    signature,
    isRepeat ? `${status} (a repeat: nothing done)` : String(status),
  ];
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}<td><pre>${escapeHtml(body)}</pre></td></tr>`;
}
