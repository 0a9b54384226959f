import { expect } from 'vitest';
import type { Sent } from '../../support/matrix.ts';
import { all, nameOf } from '../roles/routes.ts';
import type { Rule } from '../roles/rule.ts';
import { served } from '../roles/rules.ts';
import { canary, partNames } from './case.ts';
import { namingOf } from './naming.ts';
import type { RightsWorld } from './world.ts';

const json = { accept: 'application/json' };

/** Routes below what belongs to one user that are not in this table, and why. */
const others: readonly (readonly [route: RegExp, why: string])[] = [
  [/ \/user\/:name\/tokens\/:id$/, 'test/security/ownership.test.ts has all routes of accounts'],
  [/^GET \/share\/:share\/token$/, 'test/extensions/shares/secrets.test.ts: no row has a secret that opens'],
  [/ \/vidispine-logs\//, 'for administrators'],
  [/ \/(vxa|APInoauth\/vidispine-logs)\/| \/item\/:item\/id\//, 'answers 501 to all'],
  [/^OPTIONS /, 'says what the protocol can do'],
];

export const ownRoutes: readonly string[] = all
  .filter((route) => partNames(route).some((part) => namingOf(part) === 'own'))
  .map(nameOf)
  .filter((name) => !others.some(([pattern]) => pattern.test(name)));

/** By the routes, for things of another user: the answer is that of things that are not there. */
export const own: readonly Rule[] = served.filter(({ route }) => ownRoutes.includes(route));

const rowsOf = (route: string | undefined): Pick<Rule, 'rows' | 'given'> => {
  if (route === undefined) return searched;
  const { rows, given } = own.find((rule) => rule.route === route)!;
  return { ...(rows && { rows }), ...(given && { given }) };
};
/** The id of the thing, from the request of a rule for it. */
const idOf = (route: string | undefined, who: string): string =>
  route === undefined
    ? canary
    : own
        .find((rule) => rule.route === route)!
        .request(who)
        .request.split('?')[0]!
        .split('/')[3]!;

/** A request about several things, or about things of a user. */
export interface OwnList {
  readonly name: string;
  /** A rule that makes such a thing of the owner. Left out: the owner has searched for the canary. */
  readonly of?: string;
  readonly request: (id: string) => Omit<Sent, 'as'>;
  /** Words that the owner is told, and nobody else. */
  readonly words: (id: string) => string;
  /** Status for other callers: a refusal, or 200 with what remains. */
  readonly answers: 200 | 403 | 404;
  /** Where the owner may not ask the same, or would delete it: how the owner sees that it is there. */
  readonly shows?: string;
}

const searched: Pick<Rule, 'rows'> = {
  async rows(world, _who, caller) {
    const body = { text: [{ value: canary }] };
    for (const kind of ['item', 'collection'])
      await world.send({ as: [caller!, 'p'], request: `PUT /API/${kind}`, headers: json, body });
  },
};

const [job, transfer, scheduled] = ['GET /job/:job', 'GET /transfer/:transfer', 'GET /scheduled-request/:request'];
const list = (
  request: string,
  of: string | undefined,
  answers: OwnList['answers'],
  words: OwnList['words'] = (id) => `"${id}"`,
): OwnList => ({
  name: request,
  ...(of !== undefined && { of }),
  answers,
  words,
  request: (id) => ({ request: request.replace('{id}', id), headers: json }),
});

export const ownLists: readonly OwnList[] = [
  list('GET /API/job', job, 200),
  list('GET /API/job?id={id}', job, 200),
  list('GET /API/transfer', transfer, 200),
  list('GET /API/scheduled-request', scheduled, 200, (id) => id),
  { ...list('GET /API/scheduled-request?all=true', scheduled, 403, (id) => id), shows: 'GET /API/scheduled-request' },
  ...['item', 'collection'].flatMap((kind) => [
    list(`GET /API/${kind}/history?username=owner`, undefined, 403, (id) => id),
    list(`GET /API/${kind}/history`, undefined, 200, (id) => id),
  ]),
  { ...list('DELETE /API/job?id={id}', job, 404, () => 'COPY_FILE'), shows: 'GET /API/job/{id}' },
  { ...list('DELETE /API/scheduled-request', scheduled, 200, (id) => id), shows: 'GET /API/scheduled-request' },
];

/** As a user with every role that does not see what is of others. Then as the user whose it is. */
export async function tryOwn(world: RightsWorld, { route, ...rule }: Rule): Promise<void> {
  const { ask } = await world.hide({ name: route, named: () => [], rule });
  const { status, body, wrote, request, headers } = await ask('stranger');
  const told = `${request}: ${body.slice(0, 300)}`;
  expect([status, headers.get('portico-error')], told).toEqual([404, 'no-such-entity']);
  expect(wrote, told).toEqual([]);
  const owners = await ask('owner');
  expect(owners.status, `${request}: ${owners.body.slice(0, 300)}`).toBeLessThan(300);
}

export async function tryOwnList(
  world: RightsWorld,
  { name, of, request, words, answers, shows }: OwnList,
): Promise<void> {
  const rule = { ...rowsOf(of), request: (who: string) => request(idOf(of, who)) };
  const { ask, who } = await world.hide({ name, named: () => [], rule });
  const id = idOf(of, who);
  const { status, body, wrote } = await ask('stranger');
  expect(status, body).toBe(answers);
  expect(body).not.toContain(words(id));
  // Statements that delete are sent also where nothing is to be deleted.
  if (shows === undefined) expect(wrote).toEqual([]);
  const owners = shows
    ? await world.send({ as: ['owner', 'p'], request: shows.replace('{id}', id), headers: json })
    : await ask('owner');
  expect([owners.status, owners.body.includes(words(id))], owners.body.slice(0, 600)).toEqual([200, true]);
}
