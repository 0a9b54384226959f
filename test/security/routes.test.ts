import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { document, readJson } from '../../src/core/documents/index.ts';
import { type AnswerForm, formList } from '../../src/http/forms.ts';
import { isDocument } from '../../src/http/openapi/operation.ts';
import type { Route } from '../../src/http/route.ts';
import { catalogue } from '../support/declared.ts';
import { requestOf } from '../support/matrix.ts';
import { admin, openService, type TestService } from '../support/service.ts';
import { loads } from './loop/loads.ts';
import { at, notificationLoads } from './loop/notifications.ts';
import { leastJson, madeRule } from './roles/made.ts';
import { everyRoute, nameOf, notificationRoutesAt, routes } from './roles/routes.ts';
import { howToTell, rows, ruleOf } from './roles/rules.ts';

/** Declarations of routes are what callers read and what the tests send. */

const known = new Set(catalogue.map(({ name }) => name));

const documentType = /^application\/(?:xml|json)$/;

/** Whether one of the bodies that a route answers with can have this type. */
function declares(forms: readonly AnswerForm[], type: string): boolean {
  if (documentType.test(type) && forms.some(isDocument)) return true;
  if (type === 'text/event-stream') return forms.includes('events');
  return forms.includes('text') || forms.includes('bytes');
}

function contradictions(route: Route): string[] {
  const { says, reads, answers, produces } = route;
  const forms = formList(answers);
  const documents = [...formList(reads), ...forms].filter(isDocument);
  const typeOfDocument = produces.some((type) => documentType.test(type));
  const found = [
    ...(/^[A-Z].*\.$/.test(says) ? [] : [`Expected a sentence in says: "${says}"`]),
    ...documents.filter(({ name }) => !known.has(name)).map(({ name }) => `Expected a room that lists "${name}"`),
    ...produces.filter((type) => !declares(forms, type)).map((type) => `Expected in answers what it sends as ${type}`),
    ...(forms.some(isDocument) && !typeOfDocument ? ['Expected documentTypes in produces of a document'] : []),
    ...(forms.length > 0 && produces.length === 0 ? ['Expected the media types of its answers in produces'] : []),
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
    [{ answers: undefined }, 'GET /new: Expected in answers what it sends as application/xml'],
    [{ produces: ['text/plain'] }, 'GET /new: Expected documentTypes in produces of a document'],
    [{ answers: 'text', produces: [] }, 'GET /new: Expected the media types of its answers in produces'],
    [{ reads: document('NewDocument', {}) }, 'GET /new: Expected a room that lists "NewDocument"'],
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
