/** The script of the page. It uses the routes of the application as any client in a browser does. */

const POLL_MS = 1_000;
const TIMEOUT_MS = 15_000;

const byId = (id) => document.getElementById(id);

/** Sends one request, and returns what it did in words that a person can follow. */
async function send(method, path, body) {
  const init = { method, signal: AbortSignal.timeout(TIMEOUT_MS) };
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  try {
    const response = await fetch(path, init);
    const json = await response.json().catch(() => ({}));
    const retryAfter = response.headers.get('retry-after');
    return { ok: response.ok, status: response.status, json, retryAfter, call: `${method} ${path}` };
  } catch {
    return { ok: false, status: 0, json: {}, retryAfter: null, call: `${method} ${path}` };
  }
}

/** Shows the outcome of a request: a sentence, and the request itself for those who read code. */
function show(element, sentence, answer) {
  element.replaceChildren(sentence);
  element.dataset.ok = String(answer?.ok ?? true);
  if (answer === undefined) return;
  const call = document.createElement('code');
  const code = answer.json.code ? ` ${answer.json.code}` : '';
  call.textContent = `${answer.call} → ${answer.status || 'no answer'}${code}`;
  element.append(' ', call);
}

function refusal({ status, json, retryAfter }) {
  if (status === 0) return 'The app does not answer.';
  if (status === 429) return `Too many tries. Wait ${retryAfter ?? 'some'} s.`;
  return json.detail ?? 'The app refused it.';
}

// Log-in

const ENDED_ELSEWHERE =
  'The session has ended on the server, as if on another device. This page learns of it at its next request.';

/** One of the two log-ins: its form, and whether it has a session. */
function account(name) {
  const form = byId(name);
  const { path } = form.dataset;
  const wasInKey = `logged in as ${name}`;
  const result = form.querySelector('.result');

  let changes = 0;

  function setSession(session) {
    changes += 1;
    const isIn = session !== undefined;
    const scopes = session?.scopes?.length > 0 ? `, scopes ${session.scopes.join(', ')}` : '';
    const hadFocus = form.contains(document.activeElement);
    form.querySelector('.state').textContent = isIn
      ? `Logged in: user ${session.uid}${scopes}`
      : 'Not logged in';
    form.dataset.in = String(isIn);
    // Whether to ask for the session at the next visit: without one, the browser logs an error.
    if (isIn) localStorage.setItem(wasInKey, 'true');
    else localStorage.removeItem(wasInKey);
    for (const part of form.querySelectorAll('.when-in')) part.hidden = !isIn;
    for (const part of form.querySelectorAll('.when-out')) part.hidden = isIn;
    if (hadFocus && form.offsetParent !== null)
      form.querySelector(`.when-${isIn ? 'in' : 'out'} button`).focus();
  }

  async function renew() {
    const before = changes;
    const answer = await send('POST', `${path}/status`);
    // A log-in that was answered meanwhile knows more.
    if (before === changes) setSession(answer.ok ? answer.json : undefined);
    return answer.ok;
  }

  /** Sends a request of this account. An access token that has expired is renewed once. */
  async function request(method, url, body) {
    const answer = await send(method, url, body);
    if (answer.status !== 401) return answer;
    const wasIn = form.dataset.in === 'true';
    if (await renew()) return send(method, url, body);
    const gone = wasIn ? 'Your session has ended.' : 'Nobody is logged in.';
    return { ...answer, json: { ...answer.json, detail: `${gone} Log in as ${name} first (step 1).` } };
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const credentials = Object.fromEntries(new FormData(form));
    const answer = await send('POST', `${path}/login`, credentials);
    if (answer.ok) setSession(answer.json);
    const { returnTo } = byId('shop').dataset;
    if (answer.ok && name === 'customer' && returnTo !== '') location.assign(returnTo);
    const wrong = answer.status === 401 ? 'This log-in is wrong. ' : '';
    show(result, answer.ok ? 'Welcome.' : wrong || refusal(answer), answer);
  });

  form.querySelector('[data-act=log-out]').addEventListener('click', async () => {
    const answer = await send('POST', `${path}/logout`);
    if (answer.ok) setSession(undefined);
    show(result, answer.ok ? 'Logged out.' : refusal(answer), answer);
  });

  form.querySelector('[data-act=revoke]').addEventListener('click', async () => {
    const list = await request('GET', `${path}/sessions`);
    const current = list.json.sessions?.find((session) => session.current);
    if (current === undefined) return show(result, refusal(list), list);
    const answer = await send('DELETE', `${path}/sessions/${current.id}`);
    show(result, answer.ok ? ENDED_ELSEWHERE : refusal(answer), answer);
  });

  if (localStorage.getItem(wasInKey) !== null) void renew();
  return { request };
}

const customer = account('customer');
const administrator = account('administrator');

// Orders

byId('order').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const { item, quantity } = Object.fromEntries(new FormData(form));
  const answer = await customer.request('POST', '/api/orders', { item, quantity: Number(quantity) });
  const placed = `Order ${answer.json.id} is placed, and its webhook is on its way.`;
  show(form.querySelector('.result'), answer.ok ? placed : refusal(answer), answer);
  void poll();
});

byId('own-webhook').addEventListener('submit', async (event) => {
  event.preventDefault();
  const result = event.currentTarget.querySelector('.result');
  const { json: target } = await send('GET', '/demo/own-webhook');
  const webhook = { ...target, name: 'My orders', events: ['order.*'] };
  const answer = await customer.request('POST', '/api/webhooks', webhook);
  if (answer.ok) await send('POST', '/demo/own-webhook', { url: target.url, secret: answer.json.secret });
  const made = `Webhook ${answer.json.id} is yours: your next order goes to it as well.`;
  show(result, answer.ok ? made : refusal(answer), answer);
});

// The recipient

byId('recipient').addEventListener('change', async (event) => {
  const form = event.currentTarget;
  const answer = await send('POST', '/demo/recipient', { mode: event.target.value });
  show(form.querySelector('.result'), answer.ok ? 'Changed.' : refusal(answer), answer);
  void poll();
});

function showMode(mode) {
  const choices = byId('recipient').elements;
  choices[0].disabled = mode === null;
  // A choice on its way is not undone by an answer from before it.
  if (mode !== null && document.activeElement?.name !== 'mode') choices.mode.value = mode;
}

// What arrived

const shown = new Map();

function showRequests(requests) {
  const list = byId('requests');
  const isFirst = shown.size === 0 && list.children.length === 0;
  for (const [index, { key, html }] of requests.entries()) {
    const present = [...list.children].find((item) => item.dataset.key === key);
    if (present !== undefined && shown.get(key) === html) continue;
    const item = toElement(html);
    if (present === undefined) {
      list.insertBefore(item, list.children[index] ?? null);
      if (!isFirst) item.classList.add('fresh');
    } else {
      keepOpen(present, item);
    }
    if (shown.size > 0) announce(item);
    shown.set(key, html);
  }
  const keys = new Set(requests.map(({ key }) => key));
  for (const item of [...list.children].filter(({ dataset }) => !keys.has(dataset.key))) {
    shown.delete(item.dataset.key);
    item.remove();
  }
  byId('empty').hidden = requests.length > 0;
}

/** The server has escaped everything in it that came from outside. */
function toElement(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  const item = template.content.firstElementChild;
  showLocalTimes(item);
  return item;
}

function showLocalTimes(element) {
  for (const time of element.querySelectorAll('time')) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString();
  }
}

/** Puts a newer card in the place of one that is shown, with the same parts open and in focus. */
function keepOpen(present, item) {
  const parts = [...present.querySelectorAll('details[open]')].map(({ dataset }) => dataset.part);
  for (const part of parts) item.querySelector(`[data-part=${part}]`).open = true;
  const focused = present.querySelector(':focus')?.closest('details')?.dataset.part;
  present.replaceWith(item);
  if (focused !== undefined) item.querySelector(`[data-part=${focused}] summary`).focus();
}

function announce(item) {
  const [event, outcome] = ['h3', '.outcome'].map((part) => item.querySelector(part).textContent);
  byId('news').textContent = `${event}: ${outcome}`;
}

byId('requests').addEventListener('click', async (event) => {
  const button = event.target.closest('[data-redeliver]');
  if (button === null) return;
  button.disabled = true;
  const answer = await administrator.request('POST', button.dataset.redeliver);
  const result = document.createElement('p');
  result.className = 'result';
  result.role = 'status';
  button.parentElement.querySelector('.result')?.remove();
  button.after(result);
  show(result, answer.ok ? 'On its way again.' : refusal(answer), answer);
  button.disabled = false;
  void poll();
});

// Polling

let run;
let timer;
let polls = 0;

/** Reads what arrived, once a second while somebody looks at the page. */
async function poll() {
  polls += 1;
  const turn = polls;
  const answer = await send('GET', '/demo/requests');
  if (turn !== polls) return; // a later poll knows more
  if (answer.ok) {
    if (run !== undefined && run !== answer.json.run) return location.reload();
    run = answer.json.run;
    showMode(answer.json.mode);
    if (answer.json.mode !== null) showRequests(answer.json.requests);
  }
  showConnection(answer);
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(poll, POLL_MS);
}

function showConnection({ ok, json }) {
  const isLive = ok && json.mode !== null;
  const trouble = ok
    ? 'The recipient does not answer. Its process may have ended: the terminal of the demo says why.'
    : 'The app does not answer. If the demo has ended, start it again with npm run demo.';
  const notice = byId('connection');
  if (notice.hidden !== isLive) notice.hidden = isLive;
  if (notice.textContent !== trouble) notice.textContent = trouble;
  const live = byId('live');
  live.dataset.live = String(isLive);
  live.lastElementChild.textContent = isLive ? 'Live' : 'Not connected';
}

document.addEventListener('visibilitychange', () => document.hidden || poll());
showLocalTimes(document);
void poll();
