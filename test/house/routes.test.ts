import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../src/documents/index.ts';
import { documentTypes } from '../../src/http/negotiation.ts';
import { isDocument, listed } from '../../src/http/openapi/operation.ts';
import type { Route } from '../../src/http/route.ts';
import { loads } from '../security/loop/loads.ts';
import { at, notificationLoads } from '../security/loop/notifications.ts';
import { leastJson, madeRule } from '../security/roles/made.ts';
import { everyRoute, nameOf, notificationRoutesAt, routes } from '../security/roles/routes.ts';
import { howToTell, rows, ruleOf } from '../security/roles/rules.ts';
import { catalogue } from '../support/documents.ts';
import { requestOf } from '../support/matrix.ts';
import { admin, openService, type TestService } from '../support/service.ts';

/** What a route says of itself is what its callers read and what the tests send. */

const known = new Set(catalogue.map(({ name }) => name));

/** What does not fit together in the words of a route. */
function contradictions(route: Route): string[] {
  const { says, reads, answers, produces } = route;
  const [forms, types] = [listed(answers), produces as readonly string[]];
  const documents = [...listed(reads), ...forms].filter(isDocument);
  const found = [
    ...(/^[A-Z].*\.$/.test(says) ? [] : [`Expected a sentence in says: "${says}"`]),
    ...documents.filter(({ name }) => !known.has(name)).map(({ name }) => `Expected a room that lists "${name}"`),
    ...(documentTypes.every((type) => types.includes(type)) !== forms.some(isDocument)
      ? ['Expected a document in answers where produces has documentTypes, and nowhere else']
      : []),
    ...(types.length > 0 && forms.length === 0 ? ['Expected in answers what produces has media types for'] : []),
    ...(types.length === 0 && forms.some((form) => form !== 'nothing') ? ['Expected the media types of answers'] : []),
  ];
  return found.map((each) => `${nameOf(route)}: ${each}`);
}

const missing = (route: Route): readonly string[] => {
  try {
    return ruleOf(route) && [];
  } catch (error) {
    return [(error as Error).message];
  }
};

describe('every route', () => {
  let world: TestService;
  beforeAll(async () => {
    world = await openService();
  });
  afterAll(() => world.close());

  it('says what it takes and answers', () => {
    expect(world.service.routes.flatMap(contradictions)).toEqual([]);
  });

  it('has a request that the tests send', () => {
    expect(everyRoute.flatMap(missing)).toEqual([]);
  });

  it('is answered where its request is made from what it says', async () => {
    const told = new Set(rows.map(({ route }) => route));
    const refused: string[] = [];
    let answered = 0;
    for (const route of everyRoute) {
      const made = madeRule(route);
      if (!made) continue;
      const sent = requestOf('http://portico.test', { as: admin, ...made.request('made') });
      const response = await world.service.fetch(sent);
      const text = (await response.text()).slice(0, 300);
      if (response.ok) answered++;
      else if (!told.has(made.route)) refused.push(`${made.route}: ${response.status} ${text}. Remedy: ${howToTell}`);
    }
    expect(refused).toEqual([]);
    expect(answered).toBeGreaterThan(25);
  });

  it('is there, where a row of the tests names it', () => {
    const named = [...rows.map(({ route }) => route), ...Object.keys(loads)];
    expect(named.filter((route) => !routes.includes(route))).toEqual([]);
  });

  it('of notifications has a row in test/security/loop/notifications.ts, and no other has', () => {
    expect(Object.keys(notificationLoads).toSorted()).toEqual(notificationRoutesAt(at).toSorted());
  });
});

describe('a route that is new', () => {
  const [any] = everyRoute;
  const route = (change: object) => ({ ...any, method: 'GET', path: '/new', ...change }) as Route;

  it.each([
    [{ says: 'no sentence' }, 'GET /new: Expected a sentence in says: "no sentence"'],
    [{ answers: undefined }, 'GET /new: Expected a document in answers where produces has documentTypes'],
    [
      { answers: undefined, produces: ['text/plain'] },
      'GET /new: Expected in answers what produces has media types for',
    ],
    [{ answers: 'text', produces: [] }, 'GET /new: Expected the media types of answers'],
  ])('and says %o is named', (change, told) => {
    expect(contradictions(route(change))).toContainEqual(expect.stringContaining(told));
  });

  it.each([{ path: '/new/:id' }, { reads: 'bytes' }, { query: { a: { required: true } } }])(
    'with %o is named until a row says its request',
    (change) => {
      expect(madeRule(route(change))).toBeUndefined();
      expect(missing(route(change))).toEqual([expect.stringContaining('Remedy: a row in test/security/roles')]);
    },
  );
});

it.each(catalogue)('the least $name is read', (description) => {
  expect(() => readJson(description, leastJson(description))).not.toThrow();
});
