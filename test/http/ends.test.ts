import { expect, it, vi } from 'vitest';
import { noteEnding } from '../../src/administration/notifications/registration/routes.ts';
import { createTriggers, firing } from '../../src/core/events/event-kinds.ts';
import { text as anyText, setting } from '../../src/core/settings/kinds.ts';
import { endingSettings, manualOf, readTable } from '../../src/core/settings/read.ts';
import { checkCommand } from '../../src/entry/commands/security.ts';
import type { Call } from '../../src/http/call.ts';
import { operation } from '../../src/http/openapi/operation.ts';
import { text } from '../../src/http/parameters/index.ts';
import { anybody, role, route } from '../../src/http/route.ts';
import { below } from '../../src/http/route-group.ts';
import { read } from '../security/ini/try.ts';
import { openRoom } from '../support/room.ts';
import { testSettings } from '../support/service.ts';

/** Nothing of the product ends yet: a room of a test has one of each. */
const ends = { since: '2029-07-01', on: '2031-01-01', instead: '/new/:id' };
const routes = [
  route({
    ...{ method: 'GET', path: '/old/:id', says: 'An old route.', access: anybody, ends },
    answers: 'text',
    handle: (_call, { id }) => id,
  }),
  route({
    method: 'GET',
    path: '/old',
    says: 'Closed.',
    access: role('_some'),
    ends,
    answers: 'text',
    handle: () => 'x',
  }),
  route({
    ...{ method: 'GET', path: '/new/:id', says: 'A new route.', access: anybody, answers: 'text' },
    query: { mode: { ...text('How'), ends: { ...ends, instead: 'form' } }, form: text('How') },
    handle: (_call, { id }) => id,
  }),
];

const headersOf = ({ headers }: { readonly headers: Headers }) =>
  ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
const [since, on] = ['@1877558400', 'Wed, 01 Jan 2031 00:00:00 GMT'];
const described = '</API/openapi.json>; rel="deprecation"';

it('a route that ends says so in each answer, also a refusal, and leads to its successor', async () => {
  const { send } = await openRoom([], () => ({
    routes: [below('old', () => routes.slice(0, 2)), below('new', () => routes.slice(2))],
  }));
  const answer = await send({ request: 'GET /API/old/a%20b' });
  expect([answer.body, ...headersOf(answer)]).toEqual([
    ...['a b', since, on, `${described}, </API/new/a%20b>; rel="successor-version"`],
  ]);
  const refused = await send({ request: 'GET /API/old' });
  expect([refused.status, ...headersOf(refused).slice(0, 2)]).toEqual([403, since, on]);
  expect(headersOf(await send({ request: 'GET /API/new/a?form=x' }))).toEqual([null, null, null]);
  expect(headersOf(await send({ request: 'GET /API/new/a?mode=x' }))).toEqual([since, on, described]);
  expect(routes.map((each) => [operation(each)['deprecated'], operation(each)['x-ends']])).toEqual([
    ...[
      [true, ends],
      [true, ends],
      [undefined, undefined],
    ],
  ]);
  expect(operation(routes[2]!)['parameters']).toContainEqual(
    expect.objectContaining({ name: 'mode', deprecated: true }),
  );
});

it('an attack: requests for what ends write one line an hour for each part, however many come', async () => {
  const { send, lines, clock } = await openRoom([], () => ({
    routes: [below('old', () => routes.slice(0, 2)), below('new', () => routes.slice(2))],
  }));
  const many = async () => {
    for (let n = 0; n < 20; n++)
      for (const path of ['old/a', `old/${n}`, 'new/a?mode=x', `new/${n}?mode=${n}`])
        await send({ request: `GET /API/${path}` });
  };
  await many();
  const names = () => lines.map((line) => JSON.parse(line)).map(({ event, name, user }) => `${event} ${name} ${user}`);
  const once = ['deprecated GET /old/:id ann', 'deprecated mode of GET /new/:id ann'];
  expect(names()).toEqual(once);
  await clock.advance(3_600_000);
  await many();
  expect(names()).toEqual([...once, ...once]);
});

it('an event that ends says so to who registers for it', () => {
  const of = (end: object) =>
    firing<{ readonly id: string }>({ resource: '/item', says: {}, tells: [], ...end }, { id: 'VX-1' });
  const triggers = createTriggers({ 'item/create': of({ ends }), 'item/delete': of({}) });
  const told = (trigger: object) => {
    const trace: Call['trace'] = { id: 'x', came: 0, headers: {} };
    noteEnding({ trace } as Call, triggers, { action: {}, trigger });
    return [trace.ended?.map(({ name }) => name), trace.headers['deprecation']];
  };
  expect(told({ item: { create: {} } })).toEqual([['event item/create'], since]);
  expect(told({ item: { delete: {} } })).toEqual([undefined, undefined]);
});

const end = { ...ends, instead: 'newName' };
const table = { oldName: setting(anyText, '', 'A name.', end), newName: setting(anyText, '', 'A name.') };
const sentence = (name: string, other: string) =>
  `Expected ${other} in the place of ${name}, which is deprecated since 2029-07-01 and ends on 2031-01-01`;

it('a setting that ends is told where it is set, and in the manual', () => {
  expect(endingSettings(readTable(table, { PORTICO_NEW_NAME: 'x' }, new Map()))).toEqual([]);
  const set = sentence('PORTICO_OLD_NAME', 'PORTICO_NEW_NAME');
  expect(endingSettings(readTable(table, { PORTICO_OLD_NAME: 'x' }, new Map()))).toEqual([set]);
  const flagged = readTable(table, {}, new Map([['--old-name', 'x']]));
  expect(endingSettings({ ...flagged })).toEqual([sentence('--old-name', '--new-name')]);
  expect(manualOf(table)).toContain('A name. Deprecated since 2029-07-01, ends on 2031-01-01: use PORTICO_NEW_NAME.');
});

it('portico check warns of a setting that ends', async () => {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const settings = { ...testSettings, root: '/none', ...readTable(table, { PORTICO_OLD_NAME: 'x' }, new Map()) };
  await checkCommand.run({ words: [], has: (flag) => flag === '--json', option: () => [], settings: () => settings });
  const findings = JSON.parse(out.mock.calls.join(''));
  out.mockRestore();
  const warning = {
    severity: 'warning',
    code: 'deprecated',
    message: sentence('PORTICO_OLD_NAME', 'PORTICO_NEW_NAME'),
  };
  expect(findings).toContainEqual(expect.objectContaining(warning));
});

it('a property of security.ini that ends is a warning at its line', () => {
  const property = { type: 'string', says: 'A name.' } as const;
  const component = {
    says: 'For tests.',
    properties: { oldName: { ...property, ends: end }, newName: property },
    create: () => ({ check: () => ({ verdict: 'pass' }) as const }),
  };
  const plugin = { name: 'probe', version: '1', contract: 1, filters: { 'test.Probe': component } } as const;
  const warningsOf = (line: string) =>
    read(`[main]\nx = test.Probe\n${line}\n[urls]\n/** = x`, [plugin]).findings.filter(
      ({ code }) => code === 'deprecated',
    );
  expect(warningsOf('x.newName = a')).toEqual([]);
  expect(warningsOf('x.oldName = a')).toMatchObject([
    { severity: 'warning', line: 3, message: sentence('"oldName"', '"newName"') },
  ]);
});
