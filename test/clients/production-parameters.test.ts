import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../src/http/parameters/index.ts';
import { readQuery } from '../../src/http/parameters/index.ts';
import { Parameters } from '../../src/security/parameters.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, openService } from '../support/service.ts';

/** Parameters that clients in production write into addresses, at every route that declares such a parameter. */

const world = await openService({ start: false });
const { routes } = world.service;
await world.close();

const declared = routes.flatMap(({ method, path, query = {} }) =>
  Object.entries(query).map(([name, parameter]) => [`${method} ${path}`, name, parameter as Parameter] as const),
);
const named = (wanted: string) => declared.filter(([, name]) => name === wanted);
const read = (name: string, parameter: Parameter, pairs: readonly (readonly [string, string])[]) =>
  readQuery({ [name]: parameter }, new Parameters(pairs))[name];

describe('clients.md 1.2 first=0 means the first row', () => {
  it.each(named('first'))('%s', (_route, name, parameter) => {
    expect(read(name, parameter, [[name, '0']])).toBe(0);
    // Lists of files count from 0, and say so.
    if (parameter.defaultValue !== undefined) expect(parameter.defaultValue).toBeLessThanOrEqual(1);
    else expect(parameter.says).toContain('from 0');
  });
});

describe('clients.md 1.5 booleans', () => {
  const words = { true: ['true', 'True', 'TRUE', '1', 'yes', 'Yes'], false: ['false', 'False', '0', 'no', 'NO'] };
  const flags = declared.filter(([, , { schema }]) => schema.type === 'boolean');

  it('are many', () => expect(flags.length).toBeGreaterThan(10));

  it.each(flags)('%s takes all words for %s', (_route, name, parameter) => {
    for (const word of words.true) expect([word, read(name, parameter, [[name, word]])]).toEqual([word, true]);
    for (const word of words.false) expect([word, read(name, parameter, [[name, word]])]).toEqual([word, false]);
  });
});

describe('clients.md 1.4 lists', () => {
  const lists = declared.filter(([, , { list }]) => list === 'commas');
  const pairs = declared.filter(([, , { list }]) => list === 'repeated');

  it.each(lists)('%s takes %s repeated and with commas', (_route, name, parameter) => {
    const [one, other = one] = parameter.schema.items?.enum ?? ['a', 'b'];
    const both = read(name, parameter, [
      [name, String(one)],
      [name, String(other)],
    ]);
    expect(both).toHaveLength(2);
    expect(read(name, parameter, [[name, `${one},${other}`]])).toEqual(both);
  });

  it.each(pairs)('%s keeps commas in %s, whose values have them', (_route, name, parameter) => {
    const values = ['portal_groups:StringArray=Admin,Desk', 'a=b'];
    expect(
      read(
        name,
        parameter,
        values.map((value) => [name, value]),
      ),
    ).toEqual(values);
  });
});

describeMatrix('clients.md 1.2 a list from row 0', (entry) => {
  const lists = ['GET /user', 'PUT /user', 'GET /group', 'PUT /group', 'GET /configuration/properties'];
  const below = ['GET /group/notification', 'GET /group/crew/users', 'GET /user/ann/key', 'GET /user/ann/groups'];

  it('is the list from row 1', async () => {
    const opened = await entry.open();
    await prepare(opened, [newGroup('crew'), newUser(['ann', 'p'], ['crew'])]);
    for (const list of [...lists, ...below]) {
      const answers: unknown[] = [];
      for (const query of [';first=0', ';first=1', '?first=0&number=1000']) {
        const request = list.replace(' ', ' /API') + query;
        const { status, body } = await opened.send({ as: admin, request, headers: { accept: 'application/json' } });
        answers.push([status, query.startsWith('?') ? 0 : body]);
      }
      expect([list, answers]).toEqual([list, [answers[1], answers[1], [200, 0]]]);
    }
  });
});
