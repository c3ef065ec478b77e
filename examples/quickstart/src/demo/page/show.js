/** Shows what happens, once a second, and moves the switches. */

const POLL_MS = 700;
const TIMEOUT_MS = 10_000;
const byId = (id) => document.getElementById(id);

/** @returns whether it was accepted, and the JSON of the answer */
async function send(method, path, body) {
  try {
    const response = await fetch(path, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { ok: response.ok, json: await response.json().catch(() => ({})) };
  } catch {
    return { ok: false, json: {} };
  }
}

/** Changes nothing that is as it should be: what changes is read out, and loses the focus. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Switches

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-on]');
  if (button === null) return;
  const { name } = button.closest('[data-name]').dataset;
  const on = button.dataset.state === 'off';
  await send('POST', `/demo/${name}`, { on });
  void poll();
});

/** @param state `on`, `off` or `starts` */
function showSwitch(place, state) {
  const button = place.querySelector('[data-on]');
  place.dataset.state = state;
  button.dataset.state = state;
  setText(button, button.dataset[state]);
}

// What happens

function sectionOf(name) {
  const present = document.querySelector(`[data-name="${name}"]`);
  if (present !== null) return present;
  const section = byId('recipient').content.cloneNode(true).firstElementChild;
  section.dataset.name = name;
  section.setAttribute('aria-label', name);
  section.querySelector('h2').textContent = name;
  section.querySelector('ol').setAttribute('aria-label', `The newest orders at ${name}`);
  Object.assign(section.querySelector('button').dataset, {
    on: `Take ${name} down`,
    off: `Bring ${name} back`,
  });
  return byId('recipients').appendChild(section);
}

function showRecipient({ name, isDown, deliveries, arrived, waiting }) {
  const section = sectionOf(name);
  showSwitch(section, isDown ? 'off' : 'on');
  setText(section.querySelector('.state'), isDown ? 'Down: answers 503' : 'Accepts');
  const dots = section.querySelector('.dots');
  const present = new Map([...dots.children].map((item) => [item.dataset.id, item]));
  const items = deliveries.map((delivery) => showDot(present.get(String(delivery.id)), delivery));
  if (items.length !== dots.children.length || items.some((item, at) => dots.children[at] !== item)) {
    dots.replaceChildren(...items);
  }
  const waits = deliveries.flatMap(({ inMs }) => (inMs === null ? [] : [inMs]));
  const parts = [`${arrived} arrived`];
  if (waiting > 0) parts.push(`${waiting} on their way`);
  if (waits.length > 0) parts.push(`next try ${inSeconds(Math.min(...waits))}`);
  setText(section.querySelector('.count'), parts.join(' · '));
}

/** Nobody tries what is due while the worker is dead. */
function inSeconds(ms) {
  return ms === 0 ? 'is due' : `in ${Math.ceil(ms / 1_000)} s`;
}

function showDot(present, { id, state, attempts, inMs, path }) {
  const item = present ?? document.createElement('li');
  const link = item.firstElementChild ?? item.appendChild(document.createElement('a'));
  const parts = [state];
  if (attempts > 0) parts.push(`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`);
  if (inMs !== null) parts.push(`next try ${inSeconds(inMs)}`);
  item.dataset.id = String(id);
  item.dataset.state = state;
  link.href = path;
  link.title = parts.join(', ');
  link.setAttribute('aria-label', link.title);
  setText(link, inMs === null ? '' : String(Math.ceil(inMs / 1_000) || '…'));
  return item;
}

function showResult({ placed, recipients }) {
  const sum = (name) => recipients.reduce((total, recipient) => total + recipient[name], 0);
  const [lost, twice, repeated] = ['lost', 'twice', 'repeated'].map(sum);
  setText(byId('placed'), String(placed));
  setText(byId('arrived'), String(sum('arrived')));
  setText(byId('waiting'), String(sum('waiting')));
  const promise = byId('promise');
  promise.dataset.kept = String(lost === 0 && twice === 0);
  setText(promise.firstElementChild, `${lost} lost, ${twice} twice`);
  setText(promise.lastElementChild, repeated === 0 ? '' : `${repeated} came again, and did nothing`);
}

const STATES = { runs: 'on', starts: 'starts', 'is dead': 'off' };
let run;
let timer;
let polls = 0;

async function poll() {
  polls += 1;
  const current = polls;
  const { ok, json } = await send('GET', '/demo');
  if (current !== polls) return; // a later one knows more
  byId('connection').hidden = ok;
  if (ok) {
    if (run !== undefined && run !== json.run) return location.reload();
    run = json.run;
    showSwitch(sectionOf('shop'), json.isSelling ? 'on' : 'off');
    showSwitch(sectionOf('worker'), STATES[json.worker]);
    json.recipients.forEach(showRecipient);
    showResult(json);
  }
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(poll, POLL_MS);
}

document.addEventListener('visibilitychange', () => document.hidden || poll());
void poll();

// Whoever looks is logged in: the log-ins of the demo are public.

const LOGGED_IN = 'logged in to the demo';

async function logIn() {
  // Without a session, the browser would log the refusal as an error.
  if (localStorage.getItem(LOGGED_IN) !== null && (await send('POST', '/api/auth/status')).ok) return;
  const admin = { login: 'admin', password: 'demo password of admin' };
  if ((await send('POST', '/api/auth/login', admin)).ok) localStorage.setItem(LOGGED_IN, 'true');
}

let isLoggingIn = true;
const loggedIn = logIn().finally(() => {
  isLoggingIn = false;
});

// To leave the page would cut the log-in off, and the panel would ask for one.
document.addEventListener('click', async (event) => {
  const link = event.target.closest('a[href]');
  if (link === null || !isLoggingIn || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await loggedIn;
  location.assign(link.href);
});
