import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDocument } from '../../src/http/openapi/operation.ts';
import { listed } from '../../src/http/route.ts';
import { type Case, kindOf, levels, partNames } from './rights/case.ts';
import { cases } from './rights/cases.ts';
import { byRole, documents, namesEntity, namingOf } from './rights/naming.ts';
import { type Asked, canary, type Hidden, openRightsWorld, type RightsWorld } from './rights/world.ts';
import { all, nameOf } from './roles/routes.ts';
import { rules } from './roles/rules.ts';

const documentsOf = (name: string): readonly string[] =>
  all
    .filter((route) => nameOf(route) === name)
    .flatMap(({ reads }) => listed(reads).filter(isDocument))
    .map((document) => document.name.replace(/Document$/, ''));

const ends: (() => Promise<void>)[] = [];
let world: RightsWorld;

beforeAll(async () => {
  world = await openRightsWorld((end) => ends.push(end));
});

afterAll(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Says no, in the words of an error document, and nothing else happens. */
function expectRefused(asked: Asked, about: string): void {
  const { status, body, headers, wrote, request } = asked;
  const told = `${about}: ${request}: ${body.slice(0, 300)}`;
  expect([403, 404], told).toContain(status);
  expect(headers.get('portico-error'), told).toMatch(/^(not-allowed|no-such-entity|role-missing)$/);
  expect([...headers].join('\n') + body, told).not.toContain(canary);
  expect(wrote, told).toEqual([]);
}

async function tryCase(tried: Case): Promise<void> {
  const hidden = await world.hideEntities(tried);
  const { named } = hidden;
  for (const each of named) await hidden.give(each, undefined);
  expectRefused(await hidden.ask(), 'with no entry');
  for (const each of named) await tryLevels(hidden, each);
  for (const each of named) await hidden.give(each, each.level);
  const { status, body, request } = await hidden.ask();
  const told = `with ${named.map(({ type, level }) => `${level} on the ${type}`)}: ${request}: ${body.slice(0, 300)}`;
  if (tried.answers) expect(status, told).toBe(tried.answers);
  else expect(status, told).toBeLessThan(300);
}

/** All rights on what else is named, and not enough on this one. */
async function tryLevels({ named, give, ask }: Hidden, short: Hidden['named'][number]): Promise<void> {
  const others = named.filter((each) => each !== short);
  for (const each of others) await give(each, 'ALL');
  const below = levels[levels.indexOf(short.level) - 1];
  await give(short, below);
  expectRefused(await ask(), `with ${below ?? 'nothing'} on the ${short.type} ${short.id}`);
  if (below === undefined || others.length === 0) return;
  await give(short, undefined);
  expectRefused(await ask(), `with nothing on the ${short.type} ${short.id}`);
}

describe('the table of rights', () => {
  it('says of each part of a path what it names', () => {
    const unknown = [...new Set(all.flatMap(partNames))].filter((part) => namingOf(part) === undefined);
    expect(unknown, 'Remedy: a word in test/security/rights/naming.ts for each of these parts').toEqual([]);
  });

  it('has each route whose path names an entity, or what belongs to one', () => {
    const tried = new Set(cases.map(({ rule }) => rule.route));
    const unheld = rules
      .filter(({ needs, allowed }) => needs === '_administrator' || allowed)
      .map(({ route }) => route);
    const missing = all
      .filter((route) => partNames(route).some((part) => kindOf(route, part) || namingOf(part) === 'below'))
      .map(nameOf)
      .filter((name) => !tried.has(name) && !unheld.includes(name) && !byRole.some(([pattern]) => pattern.test(name)));
    expect(missing, 'Remedy: a row in test/security/rights/more.ts, or why roles decide in naming.ts').toEqual([]);
  });

  const requests = cases.map(({ rule }) => ({ route: rule.route, ...rule.request('probe') }));

  it('has each parameter that names an entity', () => {
    const naming = all.flatMap(({ query = {} }) =>
      Object.entries(query).flatMap(([name, { says }]) => (namesEntity.test(says) ? [name] : [])),
    );
    const tried = new Set(
      requests.flatMap(({ request }) => [...new URLSearchParams(request.split('?')[1] ?? '').keys()]),
    );
    const missing = [...new Set(naming)].filter((name) => !tried.has(name));
    expect(missing, 'Remedy: a row in test/security/rights/more.ts with the parameter').toEqual([]);
  });

  it('says of each document that routes read whether it names entities, and has those', () => {
    const read = all
      .flatMap(({ reads }) => listed(reads).filter(isDocument))
      .map(({ name }) => name.replace(/Document$/, ''));
    const { tried, elsewhere, plain } = documents;
    const unknown = [...new Set(read)].filter((name) => !tried.has(name) && !elsewhere.has(name) && !plain.has(name));
    expect(unknown, 'Remedy: its name in test/security/rights/naming.ts').toEqual([]);
    const sent = new Set(requests.flatMap(({ route, body }) => (body === undefined ? [] : documentsOf(route))));
    expect(
      [...tried].filter((name) => !sent.has(name)),
      'Remedy: a row in test/security/rights/more.ts',
    ).toEqual([]);
  });
});

describe('a user with every role but no right on what a request names', () => {
  it.each(cases.map((each) => [each.name, each] as const))('is refused: %s', (_name, each) => tryCase(each));
});
