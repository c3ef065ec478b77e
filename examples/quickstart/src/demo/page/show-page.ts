import { SHOWN_RECIPIENTS } from '../show/shown-recipients.ts';
import { type Html, html } from './html.ts';

/** The first page of the demo: a shop that sells, three recipients, and what can break. */
export function showPage(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Demo of @acme/auth and @acme/webhooks</title>
<link rel="icon" type="image/svg+xml" href="/demo/demo.svg">
<link rel="stylesheet" href="/demo/demo.css">
<link rel="stylesheet" href="/demo/show.css">
<script type="module" src="/demo/show.js"></script>
</head>
<body>
<a class="skip" href="#show">Skip to the show</a>
<header class="top">
<div>
<h1>Break it. Nothing gets lost.</h1>
<p>A shop places an order every two seconds. Each order goes to three recipients, signed, until each has accepted it, for eight minutes at most. All of it runs on your machine, and reaches nothing else.</p>
</div>
<nav aria-label="Pages"><a class="button" href="/admin/webhooks">Open the admin panel</a> <a class="button" href="/webhooks">Open the customer’s portal</a> <a class="button" href="/try">Try it step by step</a></nav>
</header>
<noscript><p class="notice">This page needs JavaScript.</p></noscript>
<p class="notice" id="connection" role="status" hidden></p>
<main id="show" tabindex="-1">
<section class="verdict" aria-label="The result">
<p><strong id="placed">0</strong> <span>orders placed</span></p>
<p><strong id="arrived">0</strong> <span>arrived, by the recipients’ count</span></p>
<p><strong id="waiting">0</strong> <span>on their way</span></p>
<p class="promise" id="promise" role="status"><strong>0 lost, 0 twice</strong> <span id="repeats"></span></p>
</section>
<section class="sources" aria-label="What sends">
${source('orders', 'The shop', 'sells', 'Orders and their events are written in one transaction.')}
${source('worker', 'The worker', 'delivers', 'It is a process of its own. Kill it: what it had not delivered waits for the next one.')}
</section>
${SHOWN_RECIPIENTS.map(lane)}
</main>
<footer>
<p>You are logged in as administrator and as customer. The code of the shop is in <code>examples/quickstart/src/app</code>, the recipients’ in <code>src/recipient</code>.</p>
</footer>
</body>
</html>
`.text;
}

function source(name: string, title: string, does: string, hint: string): Html {
  return html`<div class="source"><div><h2>${title}</h2><p class="hint">${hint}</p></div>
<button class="switch" type="button" role="switch" aria-checked="true" data-switch="${name}" aria-label="${title} ${does}"><span data-state></span></button></div>`;
}

function lane({ hook, name }: (typeof SHOWN_RECIPIENTS)[number]): Html {
  return html`<section class="lane" data-hook="${hook}" aria-labelledby="${hook}-title">
<div class="lane-head"><h2 id="${hook}-title">${name}</h2>
<button class="switch" type="button" role="switch" aria-checked="true" data-switch="recipients/${hook}" aria-label="${name} accepts"><span data-state></span></button>
<p class="lane-count" data-count></p></div>
<ol class="dots" data-dots aria-label="The newest orders at ${name}"></ol>
</section>`;
}
