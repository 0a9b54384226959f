import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formList } from '../../src/http/forms.ts';
import { isDocument } from '../../src/http/openapi/operation.ts';
import { shareOfRows } from '../support/long.ts';
import { kindOf, partNames } from './rights/case.ts';
import { cases } from './rights/cases.ts';
import { isNeeded, undeclared } from './rights/levels.ts';
import { byRole, documents, namesEntity, namingOf } from './rights/naming.ts';
import { own, ownLists, ownRoutes, tryOwn, tryOwnList } from './rights/own.ts';
import { told } from './rights/told.ts';
import { tryCase, tryTold } from './rights/try.ts';
import { openRightsWorld, type RightsWorld } from './rights/world.ts';
import { all, nameOf } from './roles/routes.ts';
import { rules } from './roles/rules.ts';

const documentsOf = (name: string): readonly string[] =>
  all
    .filter((route) => nameOf(route) === name)
    .flatMap(({ reads }) => formList(reads).filter(isDocument))
    .map((document) => document.name.replace(/Document$/, ''));

const ends: (() => Promise<void>)[] = [];
let world: RightsWorld;

beforeAll(async () => {
  world = await openRightsWorld((end) => ends.push(end));
});

afterAll(async () => {
  for (const end of ends.splice(0)) await end();
});

describe('the table of rights', () => {
  it('says of each part of a path what it names', () => {
    const unknown = [...new Set(all.flatMap(partNames))].filter((part) => namingOf(part) === undefined);
    expect(unknown, 'Remedy: a word in test/security/rights/naming.ts for each of these parts').toEqual([]);
  });

  it('has levels only for routes that do not declare them', () => {
    const idle = undeclared.map(([pattern]) => pattern).filter((pattern) => !isNeeded(pattern, all));
    expect(idle.map(String), 'Remedy: take the row out of test/security/rights/levels.ts').toEqual([]);
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

  it('has each route below what belongs to one user', () => {
    const tried = new Set(own.map(({ route }) => route));
    const missing = ownRoutes.filter((route) => !tried.has(route));
    const remedy = 'Remedy: rows in test/security/roles, or why others learn nothing in test/security/rights/own.ts';
    expect(missing, remedy).toEqual([]);
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
      .flatMap(({ reads }) => formList(reads).filter(isDocument))
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
  it.each(shareOfRows(2, cases).map((each) => [each.name, each] as const))('is refused: %s', (_name, each) =>
    tryCase(world, each),
  );
});

describe('a user with every role, of what belongs to another user', () => {
  it.each(own.map((rule) => [rule.route, rule] as const))('learns and changes nothing: %s', (_route, rule) =>
    tryOwn(world, rule),
  );

  it.each(ownLists.map((each) => [each.name, each] as const))('gets lists without it: %s', (_name, each) =>
    tryOwnList(world, each),
  );
});

describe('an answer tells nobody of what they may not read', () => {
  it.each(told.map((each) => [each.name, each] as const))('%s', (_name, each) => tryTold(world, each));
});
