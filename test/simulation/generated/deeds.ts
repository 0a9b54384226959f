import type { Answer, Sent } from '../../support/matrix.ts';
import { by, json, plain } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import type { Operation } from '../history.ts';
import type { Effect, Model } from './model.ts';
import type { Deed, DeedName } from './steps.ts';
import { files, people, quota, third } from './world.ts';

/** A creation with an Idempotency-Key, which its client may send again. */
export interface Creation {
  readonly key: string;
  readonly who: number;
  readonly sent: Sent;
  /** Undefined: it makes a job. */
  readonly title: string | undefined;
}

/** Knowledge of clients beside the model. */
export interface Known {
  readonly model: Model;
  readonly creations: Creation[];
  readonly owners: Map<string, number>;
  readonly entries: Map<string, string>;
  readonly tokens: Map<string, { readonly token: string; readonly item: string }>;
  readonly aborted: Set<string>;
  /** Numbers of names, keys and values. */
  count: number;
}

/** A deed for the state that its client knows. */
export interface Plan {
  /** Undefined: the instance works for itself. */
  readonly sent: Sent | undefined;
  /** Whether it has to be done, or refused. Undefined: either. */
  readonly should: boolean | undefined;
  /** Names whose values decide that. */
  readonly concerns: readonly string[];
  readonly effects: readonly Omit<Effect, 'done'>[];
  /** Names that it changes without an effect in the model. */
  readonly touches?: readonly string[];
  /** Creation that it sends. */
  readonly creation?: Creation;
  /** Entry of the history. */
  readonly operation?: Pick<Operation, 'kind' | 'key' | 'value'>;
  acknowledged?(answer: Answer): void;
}

const both = (...all: readonly (boolean | undefined)[]): boolean | undefined =>
  all.includes(false) ? false : all.includes(undefined) ? undefined : true;

/** Whether a name has a value. Undefined: nobody knows. */
const has = (model: Model, name: string, value: string): boolean | undefined => {
  const sure = model.sure(name);
  return sure === undefined ? undefined : sure === value;
};

const levels = ['NONE', 'READ', 'WRITE', 'ALL'];
const asLevel = (who: number, item: string, known: Known): number | undefined => {
  const { model, owners } = known;
  if (people[who] === admin || owners.get(item) === who) return 3;
  const own = levelOf(accessName(item, who), model);
  if (own !== 0) return own;
  const inherited = collectionsOf(who, known).map((id) =>
    both(has(model, `collection ${id}`, 'there'), isMember(id, item, model)),
  );
  return inherited.includes(true) ? 3 : inherited.includes(undefined) ? undefined : 0;
};
/** An entry of the item itself counts before those of collections. */
const levelOf = (name: string, model: Model): number | undefined => {
  const level = model.all().has(name) ? model.sure(name) : 'NONE';
  return level === undefined ? undefined : levels.indexOf(level);
};
/** Collections that pass a person's rights on to their members. */
const collectionsOf = (who: number, { model, owners }: Known): readonly string[] =>
  model.names('collection').filter((id) => owners.get(`collection ${id}`) === who);
const isMember = (collection: string, item: string, model: Model): boolean | undefined => {
  const name = `member ${collection} ${item}`;
  return model.all().has(name) && has(model, name, 'in');
};
const mayOn = (who: number, item: string, need: number, known: Known): boolean | undefined => {
  const level = asLevel(who, item, known);
  return both(has(known.model, `item ${item}`, 'there'), level === undefined ? undefined : level >= need);
};
const accessName = (item: string, who: number): string => `access ${item} ${people[who]![0]}`;
const concernsOf = (item: string, who: number, known: Known): readonly string[] => [
  `item ${item}`,
  accessName(item, who),
  ...collectionsOf(who, known).flatMap((id) => [`collection ${id}`, `member ${id} ${item}`]),
];

const idIn = ({ body }: Answer): string => /"(?:id|jobId)":"([A-Z]+-\d+)"/.exec(body)?.[1] ?? '';
const titled = (value: string) => ({
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value }] }] }],
});
const asPerson = (who: number, request: string, body?: object, headers = {}): Sent =>
  by(`${request.replace(' /', ' /API/')}`, body, { ...json, ...headers }, people[who] as Credentials);

const pick = <T>(all: readonly T[], number: number): T | undefined => all[number % Math.max(1, all.length)];

function creation(known: Known, who: number, one: Creation): Plan {
  const isAnn = who === 0;
  const count = known.model.names('item').filter((item) => known.owners.get(item) === 0);
  const there = count.map((item) => has(known.model, `item ${item}`, 'there'));
  const isKnown = there.every((each) => each !== undefined);
  const isFirst = !known.creations.includes(one);
  const isFree = isAnn ? (isKnown ? there.filter(Boolean).length < quota : undefined) : true;
  return {
    sent: one.sent,
    should: isFirst ? isFree : undefined,
    concerns: isAnn ? ['quota', ...count.map((item) => `item ${item}`)] : [],
    effects: [],
    touches: [...(isAnn ? ['quota'] : []), `key ${one.key}`],
    creation: one,
  };
}

type Make = (deed: Deed, known: Known) => Plan | undefined;

const deeds: Readonly<Record<DeedName, Make>> = {
  makeItem({ who }, known) {
    const [key, title] = [`k${++known.count}`, `t${known.count}`];
    const sent = asPerson(who, 'POST /import/placeholder', titled(title), { 'idempotency-key': key });
    return creation(known, who, { key, who, title, sent });
  },
  import({ who, what }, known) {
    const as = who === 0 ? 1 : who;
    const key = `k${++known.count}`;
    const uri = `POST /import?uri=${encodeURIComponent(`memory:///in/${pick(files, what)}`)}&storageId=VX-2`;
    return creation(known, as, {
      key,
      who: as,
      title: undefined,
      sent: asPerson(2, uri, undefined, { 'idempotency-key': key }),
    });
  },
  sendAgain({ what }, known) {
    const one = pick(known.creations, what);
    return one && creation(known, one.who, one);
  },
  writeTitle({ who, what }, known) {
    const item = pick(known.model.names('item'), what);
    if (item === undefined) return undefined;
    const value = `t${++known.count}`;
    return {
      sent: asPerson(who, `PUT /item/${item}/metadata`, titled(value)),
      should: mayOn(who, item, 2, known),
      concerns: concernsOf(item, who, known),
      effects: [{ name: `title ${item}`, value }],
      operation: { kind: 'write', key: item, value },
    };
  },
  readTitle({ who, what }, known) {
    const item = pick(known.model.names('item'), what);
    if (item === undefined) return undefined;
    return {
      sent: asPerson(who, `GET /item/${item}/metadata`),
      should: mayOn(who, item, 1, known),
      concerns: concernsOf(item, who, known),
      effects: [],
      operation: { kind: 'read', key: item },
    };
  },
  deleteItem({ who, what }, known) {
    const item = pick(known.model.names('item'), what);
    if (item === undefined) return undefined;
    const members = known.model.names('member').filter((name) => name.endsWith(` ${item}`));
    return {
      sent: asPerson(who, `DELETE /item/${item}`),
      should: mayOn(who, item, 3, known),
      concerns: concernsOf(item, who, known),
      effects: [
        { name: `item ${item}`, value: 'gone' },
        ...members.map((name) => ({ name: `member ${name}`, value: 'out' })),
      ],
      touches: known.owners.get(item) === 0 ? ['quota'] : [],
    };
  },
  grant({ who, what, other }, known) {
    const item = pick(known.model.names('item'), what);
    const to = other % 2;
    if (item === undefined || known.owners.get(item) === to) return undefined;
    const name = accessName(item, to);
    if (known.model.all().has(name) && !known.model.is(name, 'NONE')) return undefined;
    const value = other < 3 ? 'READ' : 'WRITE';
    return {
      sent: asPerson(who, `POST /item/${item}/access`, { permission: value, user: people[to]![0] }),
      should: mayOn(who, item, 3, known),
      concerns: concernsOf(item, who, known),
      effects: [{ name, value, before: 'NONE' }],
      acknowledged: (answer) => known.entries.set(name, idIn(answer)),
    };
  },
  revoke({ who, what }, known) {
    const name = pick(known.model.names('access'), what);
    const [item, person] = name?.split(' ') ?? [];
    const entry = known.entries.get(`access ${name}`);
    if (name === undefined || entry === undefined || has(known.model, `access ${name}`, 'NONE') !== false)
      return undefined;
    return {
      sent: asPerson(who, `DELETE /item/${item}/access/${entry}`),
      // Grants end with those who gave them, and a user may give up its own.
      should: people[who]![0] === person ? undefined : mayOn(who, item!, 3, known),
      concerns: [...concernsOf(item!, who, known), `access ${name}`],
      effects: [{ name: `access ${name}`, value: 'NONE' }],
    };
  },
  makeCollection: ({ who }, known) => ({
    sent: asPerson(who, `POST /collection?name=c${++known.count}`),
    should: true,
    concerns: [],
    effects: [],
    acknowledged(answer) {
      known.owners.set(`collection ${idIn(answer)}`, who);
      known.model.set(`collection ${idIn(answer)}`, 'there');
    },
  }),
  addMember: (deed, known) => membership(deed, known, 'PUT', 'in'),
  removeMember: (deed, known) => membership(deed, known, 'DELETE', 'out'),
  deleteCollection({ what }, known) {
    const id = pick(known.model.names('collection'), what);
    if (id === undefined) return undefined;
    const members = known.model.names('member').filter((name) => name.startsWith(`${id} `));
    return {
      sent: asPerson(known.owners.get(`collection ${id}`)!, `DELETE /collection/${id}`),
      should: has(known.model, `collection ${id}`, 'there'),
      concerns: [`collection ${id}`],
      effects: [
        { name: `collection ${id}`, value: 'gone' },
        ...members.map((name) => ({ name: `member ${name}`, value: 'out' })),
      ],
    };
  },
  abortJob({ what }, known) {
    const id = pick(known.model.names('job'), what);
    if (id === undefined) return undefined;
    known.aborted.add(id);
    return { sent: asPerson(2, `DELETE /job/${id}`), should: undefined, concerns: [], effects: [] };
  },
  share({ who, what }, known) {
    const item = pick(known.model.names('item'), what);
    if (item === undefined) return undefined;
    const isOwn = asLevel(who, item, known) === 3;
    return {
      sent: asPerson(who, `POST /item/${item}/share`, {}),
      should: isOwn ? mayOn(who, item, 3, known) : mayOn(who, item, 1, known) === false ? false : undefined,
      concerns: concernsOf(item, who, known),
      effects: [],
      acknowledged(answer) {
        const { id, token } = JSON.parse(answer.body) as { id: string; token: string };
        known.owners.set(`share ${id}`, who);
        known.tokens.set(id, { token, item });
        known.model.set(`share ${id}`, 'open');
      },
    };
  },
  enterShare({ what }, known) {
    const id = pick(known.model.names('share'), what);
    if (id === undefined) return undefined;
    const { token, item } = known.tokens.get(id)!;
    const headers = { ...json, host: 'localhost', 'sec-fetch-site': 'same-origin' };
    const maker = known.owners.get(`share ${id}`)!;
    return {
      sent: { request: 'POST /APInoauth/share', headers, body: { token } },
      should: both(has(known.model, `share ${id}`, 'open'), mayOn(maker, item, 3, known) === true ? true : undefined),
      concerns: [`share ${id}`, ...concernsOf(item, maker, known)],
      effects: [],
    };
  },
  revokeShare({ what }, known) {
    const id = pick(known.model.names('share'), what);
    if (id === undefined) return undefined;
    const { item } = known.tokens.get(id)!;
    return {
      sent: asPerson(known.owners.get(`share ${id}`)!, `DELETE /share/${id}`),
      should: has(known.model, `share ${id}`, 'gone')
        ? false
        : has(known.model, `item ${item}`, 'there') === true
          ? has(known.model, `share ${id}`, 'open')
          : undefined,
      concerns: [`share ${id}`, `item ${item}`],
      effects: [{ name: `share ${id}`, value: 'gone' }],
    };
  },
  makeUser({ other }, { model }) {
    const name = `u${other % 3}`;
    return {
      sent: by('POST /API/user?passwordType=raw', { userName: name, password: `password of ${name}` }),
      should: model.all().has(`user ${name}`) ? has(model, `user ${name}`, 'none') : true,
      concerns: [`user ${name}`],
      effects: [{ name: `user ${name}`, value: 'enabled', before: 'none' }],
    };
  },
  disableUser: ({ other }, known) =>
    userState(known, other, 'enabled', 'disabled', (name) => `DELETE /API/user/${name}`),
  enableUser: ({ other }, known) =>
    userState(known, other, 'disabled', 'enabled', (name) => `PUT /API/user/${name}/enable`),
  logIn({ other }, { model }) {
    const name = `u${other % 3}`;
    return {
      sent: { ...by('GET /API/whoami'), as: [name, `password of ${name}`] },
      should: model.all().has(`user ${name}`) ? has(model, `user ${name}`, 'enabled') : false,
      concerns: [`user ${name}`],
      effects: [],
    };
  },
  notify: (_deed, { model }) => ({
    sent: by('POST /API/item/notification', third, plain),
    should: true,
    concerns: [],
    effects: [],
    acknowledged: (answer) => model.set(`notification ${answer.body.trim()}`, 'there'),
  }),
  stopNotifying({ what }, { model }) {
    const id = pick(model.names('notification'), what);
    if (id === undefined) return undefined;
    return {
      sent: by(`DELETE /API/item/notification/${id}`),
      should: has(model, `notification ${id}`, 'there'),
      concerns: [`notification ${id}`],
      effects: [{ name: `notification ${id}`, value: 'gone' }],
    };
  },
  work: () => ({ sent: undefined, should: undefined, concerns: [], effects: [] }),
};

function membership({ what, other }: Deed, known: Known, method: string, value: string): Plan | undefined {
  const collection = pick(known.model.names('collection'), other);
  const item = pick(known.model.names('item'), what);
  if (collection === undefined || item === undefined) return undefined;
  const name = `member ${collection} ${item}`;
  const isThere = both(
    has(known.model, `item ${item}`, 'there'),
    has(known.model, `collection ${collection}`, 'there'),
  );
  return {
    sent: asPerson(2, `${method} /collection/${collection}/${item}`),
    should:
      isThere === false && value === 'out'
        ? undefined
        : value === 'in'
          ? isThere
          : both(
              isThere,
              known.model.all().has(name) ? (has(known.model, name, 'in') === true ? true : undefined) : undefined,
            ),
    concerns: [`item ${item}`, `collection ${collection}`, name],
    effects: [{ name, value, before: 'out' }],
  };
}

function userState(
  { model }: Known,
  other: number,
  from: string,
  to: string,
  request: (name: string) => string,
): Plan | undefined {
  const name = `u${other % 3}`;
  if (has(model, `user ${name}`, from) !== true) return undefined;
  return {
    sent: by(request(name)),
    should: true,
    concerns: [`user ${name}`],
    effects: [{ name: `user ${name}`, value: to }],
  };
}

/** The plan of a deed. Undefined: there is nothing that it could be about. */
export const planOf = (deed: Deed, known: Known): Plan | undefined => deeds[deed.does](deed, known);
