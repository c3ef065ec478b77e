/** The script of the show. It reads what happens once a second, and moves the switches. */

const POLL_MS = 700;
const TIMEOUT_MS = 10_000;
const byId = (id) => document.getElementById(id);

async function send(method, path, body) {
  const headers = { 'content-type': 'application/json' };
  const init = {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body && { headers, body: JSON.stringify(body) }),
  };
  try {
    const response = await fetch(path, init);
    return { ok: response.ok, json: await response.json().catch(() => ({})) };
  } catch {
    return { ok: false, json: {} };
  }
}

// Switches

const SAID = {
  orders: { true: 'Sells', false: 'Closed' },
  worker: { true: 'Runs', false: 'Dead', starts: 'Starts…' },
  recipient: { true: 'Accepts', false: 'Down: answers 503' },
};

for (const button of document.querySelectorAll('[data-switch]')) {
  button.addEventListener('click', async () => {
    const on = button.getAttribute('aria-checked') !== 'true';
    showSwitch(button, on);
    await send('POST', `/demo/show/${button.dataset.switch}`, { on });
    void poll();
  });
}

function showSwitch(button, state) {
  const texts = SAID[button.dataset.switch] ?? SAID.recipient;
  const checked = String(state === true || state === 'starts');
  if (button.getAttribute('aria-checked') !== checked) button.setAttribute('aria-checked', checked);
  const text = texts[state];
  const label = button.querySelector('[data-state]');
  if (label.textContent !== text) label.textContent = text;
}

// What happens

function showRecipient(lane, recipient) {
  const { isUp, deliveries, arrived, waiting } = recipient;
  const button = lane.querySelector('[data-switch]');
  showSwitch(button, isUp ?? false);
  lane.dataset.up = String(isUp ?? false);
  const dots = lane.querySelector('[data-dots]');
  const present = new Map([...dots.children].map((item) => [item.dataset.id, item]));
  const items = deliveries.map((delivery) => dotOf(present.get(String(delivery.id)), delivery));
  const isSame =
    items.length === dots.children.length && items.every((item, at) => dots.children[at] === item);
  if (!isSame) dots.replaceChildren(...items);
  const parts = [`${arrived} arrived`];
  const waits = deliveries.flatMap(({ inMs }) => (inMs === null ? [] : [inMs]));
  if (waiting > 0) parts.push(`${waiting} on their way`);
  if (waits.length > 0) parts.push(`next try ${inSeconds(Math.min(...waits))}`);
  lane.querySelector('[data-count]').textContent = parts.join(' · ');
}

/** Nobody tries what is due while the worker is dead. */
function inSeconds(ms) {
  return ms === 0 ? 'is due' : `in ${Math.ceil(ms / 1_000)} s`;
}

function dotOf(present, { id, state, attempts, inMs, path }) {
  const item = present ?? document.createElement('li');
  const link = item.firstElementChild ?? item.appendChild(document.createElement('a'));
  const countdown = inMs === null ? '' : `, next try ${inSeconds(inMs)}`;
  const title = `${state}${attempts > 0 ? ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}` : ''}${countdown}`;
  const text = inMs === null ? '' : String(Math.ceil(inMs / 1_000) || '…');
  item.dataset.id = String(id);
  if (item.dataset.state !== state) item.dataset.state = state;
  if (link.getAttribute('href') !== path) link.href = path;
  if (link.title !== title) {
    link.title = title;
    link.setAttribute('aria-label', title);
  }
  if (link.textContent !== text) link.textContent = text;
  return item;
}

function showResult({ placed, recipients }) {
  const sum = (name) => recipients.reduce((total, recipient) => total + recipient[name], 0);
  const [lost, twice, again] = [sum('lost'), sum('twice'), sum('repeated')];
  byId('placed').textContent = placed;
  byId('arrived').textContent = sum('arrived');
  byId('waiting').textContent = sum('waiting');
  const promise = byId('promise');
  promise.dataset.kept = String(lost === 0 && twice === 0);
  const text = `${lost} lost, ${twice} twice`;
  if (promise.firstElementChild.textContent !== text) promise.firstElementChild.textContent = text;
  const were = again === 1 ? 'was' : 'were';
  const repeats = again === 0 ? '' : `${again} came again, and ${were} recognised by the id`;
  if (byId('repeats').textContent !== repeats) byId('repeats').textContent = repeats;
}

let run;
let timer;
let polls = 0;

async function poll() {
  polls += 1;
  const turn = polls;
  const { ok, json } = await send('GET', '/demo/show');
  if (turn !== polls) return;
  const notice = byId('connection');
  notice.hidden = ok;
  if (!ok)
    notice.textContent = 'The app does not answer. If the demo has ended, start it again with npm run demo.';
  if (ok) {
    if (run !== undefined && run !== json.run) return location.reload();
    run = json.run;
    const worker = document.querySelector('[data-switch=worker]');
    showSwitch(worker, json.worker === 'starts' ? 'starts' : json.worker !== 'is dead');
    showSwitch(document.querySelector('[data-switch=orders]'), json.isSelling);
    for (const recipient of json.recipients) {
      showRecipient(document.querySelector(`[data-hook=${recipient.hook}]`), recipient);
    }
    showResult(json);
  }
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(poll, POLL_MS);
}

document.addEventListener('visibilitychange', () => document.hidden || poll());
void poll();

// Everybody who looks is logged in: the log-ins of the demo are public. Switches do not wait for it.

async function logIn() {
  for (const path of ['/api/admin/auth', '/api/auth']) {
    const key = `logged in as ${path === '/api/auth' ? 'customer' : 'administrator'}`;
    if (localStorage.getItem(key) !== null && (await send('POST', `${path}/status`)).ok) continue;
    const login = path === '/api/auth' ? 'customer' : 'admin';
    const answer = await send('POST', `${path}/login`, { login, password: `demo password of ${login}` });
    if (answer.ok) localStorage.setItem(key, 'true');
  }
}

let isLoggingIn = true;
const loggedIn = logIn().finally(() => {
  isLoggingIn = false;
});

// To leave the page would cut the log-in off, and the next page would ask for one.
document.addEventListener('click', async (event) => {
  const link = event.target.closest('a[href^="/"]');
  if (link === null || !isLoggingIn || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await loggedIn;
  location.assign(link.href);
});
