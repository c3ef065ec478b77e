import { DEMO_ADMINISTRATORS, DEMO_USERS } from '../../app/accounts.ts';
import { RECIPIENT_MODES, type RecipientMode } from '../recipient-modes.ts';
import type { RequestFeed } from '../request-feed.ts';
import { type Html, html } from './html.ts';
import { requestCard } from './request-card.ts';

/**
 * The page of the demo, as it is before its script runs.
 *
 * @param returnTo where a customer goes after the log-in, if not to stay here
 */
export function demoPage({ mode, requests }: RequestFeed, returnTo = ''): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Demo of @acme/auth and @acme/webhooks</title>
<link rel="icon" type="image/svg+xml" href="/demo/demo.svg">
<link rel="stylesheet" href="/demo/demo.css">
<script type="module" src="/demo/demo.js"></script>
</head>
<body>
<a class="skip" href="#shop">Skip to the demo</a>
<header class="top">
<div>
<h1>A shop that sends webhooks, step by step</h1>
<p>Place an order. The shop sends it to a recipient, signed, and tries again until it is accepted. Both run on your machine, and reach nothing else.</p>
</div>
<nav aria-label="Pages"><a class="button" href="/admin/webhooks">Open the admin panel</a> <a class="button" href="/webhooks">Open the customer’s portal</a> <a class="button" href="/">Back to the show</a></nav>
</header>
<noscript><p class="notice">This page needs JavaScript.</p></noscript>
<p class="notice" id="connection" role="status" hidden></p>
<main id="shop" tabindex="-1" data-return-to="${returnTo}">
<div class="acts">
${logInSection()}
${orderSection()}
${recipientSection(mode)}
</div>
${requestSection(requests.map(requestCard))}
</main>
<footer>
<p>The code of the shop is in <code>examples/quickstart/src/app</code>, the recipient in <code>src/recipient</code>. Its <code>README.md</code> says what to read first.</p>
</footer>
</body>
</html>
`.text;
}

function logInSection(): Html {
  const [customer, neighbour] = DEMO_USERS;
  const [administrator] = DEMO_ADMINISTRATORS;
  return html`<section aria-labelledby="log-in-title">
<h2 id="log-in-title"><span class="number" aria-hidden="true">1</span> Log in</h2>
<p>A customer places orders, and may have webhooks for them. An administrator sees all webhooks. You can be both at once.</p>
<div class="accounts">
${accountForm('customer', 'Customer', '/api/auth', customer, `There is another customer: ${neighbour?.login}, ${neighbour?.password}.`)}
${accountForm('administrator', 'Administrator', '/api/admin/auth', administrator)}
</div>
</section>`;
}

function accountForm(
  name: string,
  title: string,
  path: string,
  credentials = { login: '', password: '' },
  hint = 'Change the password to see a wrong one refused.',
): Html {
  return html`<form class="account" id="${name}" data-path="${path}" aria-label="${title}" autocomplete="off">
<div class="account-head">
<div><h3>${title}</h3><p class="state">Not logged in</p></div>
<div class="when-out"><button class="primary">Log in as ${name}</button></div>
<div class="when-in" hidden><button type="button" data-act="log-out">Log out</button>
<button type="button" data-act="revoke">End it elsewhere</button></div>
</div>
<details class="when-out"><summary>What this sends</summary>
<div class="fields">
<div><label for="${name}-login">Log-in</label><input id="${name}-login" name="login" value="${credentials.login}" spellcheck="false" autocapitalize="none"></div>
<div class="wide"><label for="${name}-password">Password</label><input id="${name}-password" name="password" value="${credentials.password}" spellcheck="false" autocapitalize="none"></div>
</div>
<p class="hint">${hint}</p>
</details>
<p class="result" role="status"></p>
</form>`;
}

function orderSection(): Html {
  return html`<section aria-labelledby="order-title">
<h2 id="order-title"><span class="number" aria-hidden="true">2</span> Place an order</h2>
<p>The order and its webhook are written in one transaction: both exist, or neither.</p>
<form id="order" autocomplete="off">
<div class="fields">
<div class="wide"><label for="item">Item</label><input id="item" name="item" value="Lamp" maxlength="100" required></div>
<div><label for="quantity">Quantity</label><input id="quantity" name="quantity" type="number" min="1" max="1000" value="2" required></div>
</div>
<button class="primary">Place order</button>
<p class="result" role="status"></p>
</form>
<form id="own-webhook">
<p class="hint">So far the shop alone has a webhook. A customer can have one, too, which gets that customer’s orders and no others.</p>
<button>Send me my orders</button>
<p class="result" role="status"></p>
</form>
</section>`;
}

function recipientSection(mode: RecipientMode | undefined): Html {
  return html`<section aria-labelledby="recipient-title">
<h2 id="recipient-title"><span class="number" aria-hidden="true">3</span> Break the recipient</h2>
<p>Then place another order, and watch the shop cope.</p>
<form id="recipient">
<fieldset>
<legend>The recipient</legend>
${RECIPIENT_MODES.map((each) => modeChoice(each, each.name === mode?.name))}
</fieldset>
<p class="result" role="status"></p>
</form>
</section>`;
}

function modeChoice({ name, label, effect }: RecipientMode, isChosen: boolean): Html {
  return html`<label class="mode"><input type="radio" name="mode" value="${name}"${isChosen ? html` checked` : ''}>
<span><strong>${label}</strong> <span class="effect">${effect}</span></span></label>`;
}

function requestSection(cards: readonly Html[]): Html {
  return html`<section class="arrivals" aria-labelledby="requests-title">
<div class="title-row"><h2 id="requests-title">What arrives at the recipient</h2>
<p class="live" id="live"><span class="pulse" aria-hidden="true"></span> <span>Connecting…</span></p></div>
<p class="visually-hidden" id="news" role="status"></p>
<p class="empty" id="empty"${cards.length > 0 ? html` hidden` : ''}>Nothing has arrived yet. Log in as customer and place an order: its webhook shows up here.</p>
<ol class="requests" id="requests">${cards}</ol>
</section>`;
}
