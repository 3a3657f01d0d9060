'use strict';

const find = id => document.getElementById(id);

// Text only, never HTML: names come from servers.
const make = (tag, text, parent, kind) => {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  if (kind) element.className = kind;
  parent?.append(element);
  return element;
};

const fill = (table, titles, rows) => {
  const head = make('tr');
  for (const [title, kind] of titles) make('th', title, head, kind);
  table.replaceChildren(head, ...rows);
};

const number = value => value?.toLocaleString('en');
const bytes = value => value < 1e6 ? `${number(value)} B` : `${(value / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
const time = value => value ? new Date(value).toLocaleTimeString() : '';
const shown = () => decodeURIComponent(location.hash.slice(1));

const say = text => { find('problem').textContent = text; };

const read = async url => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.json();
};

const post = async (url, body) => {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) });
  say(answer.ok ? '' : await answer.text() || answer.statusText);
  await draw();
  return answer.ok;
};

const workerRow = worker => {
  const row = make('tr');
  make('td', worker.name, row);
  const state = worker.state === 'Failed' ? 'dead' : worker.state.toLowerCase();
  make('td', state, row, state);
  make('td', time(worker.checkedIn), row);
  make('td', worker.running, row, 'number');
  return row;
};

const planRow = plan => {
  const row = make('tr');
  const link = make('a', plan.name, make('td', null, row));
  link.href = `#${encodeURIComponent(plan.name)}`;
  make('td', plan.state.toLowerCase(), row, plan.state.toLowerCase());
  make('td', `${plan.from} to ${plan.to}`, row);
  for (const value of [plan.plannedFiles, plan.files, plan.confirmed, plan.deleted, plan.failed]) make('td', number(value), row, 'number');
  make('td', bytes(plan.bytes), row, 'number');
  return row;
};

const partRow = plan => part => {
  const row = make('tr');
  make('td', part.part === 'final' ? 'last phase' : part.part === 'plan' ? 'planning' : part.part, row);
  const state = make('td', part.state.toLowerCase(), row, part.state.toLowerCase());
  if (part.again) make('div', `again at ${time(part.again)}`, state);
  const worker = make('td', part.worker, row);
  if (part.state === 'Waiting' && part.worker) worker.textContent = '';
  make('td', part.attempts || '', row, 'number');
  const outcome = part.outcome;
  for (const value of [outcome.files, outcome.confirmed, outcome.deleted, outcome.failed]) {
    make('td', part.attempts > 0 ? number(value) : '', row, 'number');
  }
  make('td', outcome.seconds ? outcome.seconds.toFixed(1) : '', row, 'number');
  const cell = make('td', null, row);
  if (part.percent !== null) Object.assign(make('progress', null, cell), { max: 100, value: part.percent });
  if (part.progress) make('div', part.progress, cell);
  if (outcome.error) make('div', `${outcome.error}: ${outcome.message ?? ''}`, cell, 'why');
  if (part.canRetry) {
    make('button', 'retry', cell).onclick =
      () => post(`plans/${encodeURIComponent(plan)}/${encodeURIComponent(part.part)}/retry`);
  }
  return row;
};

const drawPlan = async name => {
  find('plan').hidden = !name;
  if (!name) return;
  const plan = await read(`plans/${encodeURIComponent(name)}`);
  find('title').textContent = `${plan.name}: ${plan.state.toLowerCase()}`;
  find('sum').textContent = `${plan.from} to ${plan.to}, ${number(plan.files)} of ${number(plan.plannedFiles)} files sent, ` +
    `${bytes(plan.bytes)} of ${bytes(plan.plannedBytes)}, ${number(plan.confirmed)} confirmed, ` +
    `${number(plan.deleted)} of ${number(plan.deletions)} deleted, ${number(plan.failed)} failed`;
  fill(find('parts'), [['part'], ['state'], ['worker'], ['attempts', 'number'], ['sent', 'number'], ['confirmed', 'number'],
    ['deleted', 'number'], ['failed', 'number'], ['seconds', 'number'], ['']], plan.parts.map(partRow(plan.name)));
};

const draw = async () => {
  try {
    const [workers, plans] = await Promise.all([read('workers'), read('plans')]);
    fill(find('workers'), [['worker'], ['state'], ['last seen'], ['running', 'number']], workers.map(workerRow));
    fill(find('plans'), [['plan'], ['state'], ['folders'], ['files', 'number'], ['sent', 'number'], ['confirmed', 'number'],
      ['deleted', 'number'], ['failed', 'number'], ['bytes', 'number']], plans.map(planRow));
    await drawPlan(shown() || plans[0]?.name);
  } catch (e) {
    say(`This page is not up to date: ${e.message}`);
  }
};

find('submit').onsubmit = async event => {
  event.preventDefault();
  const form = new FormData(event.target);
  const most = form.get('maxDelete');
  const request = {
    name: form.get('name'), from: form.get('from'), to: form.get('to'), parts: Number(form.get('parts')),
    delete: form.get('delete') !== null, maxDelete: most === '' ? null : Number(most),
  };
  if (await post('plans', request)) location.hash = encodeURIComponent(request.name);
};

addEventListener('hashchange', draw);
read('servers').then(names => find('servers').replaceChildren(...names.map(name => Object.assign(make('option'), { value: `${name}:` }))));
draw();
setInterval(draw, 2000);
