import fc from 'fast-check';
import { type Known, type Plan, planOf } from '../simulation/generated/deeds.ts';
import { Model } from '../simulation/generated/model.ts';
import { type Deed, type DeedName, stepArbitrary } from '../simulation/generated/steps.ts';
import { ann, ben, people, quota, roles } from '../simulation/generated/world.ts';
import { newUser } from '../support/cast.ts';
import { type Answer, requestOf, type Sent } from '../support/matrix.ts';
import { by, json, xml } from '../support/requests.ts';
import { admin } from '../support/service.ts';
import { Names } from './names.ts';
import type { Place } from './places.ts';

/** Headers that a client goes by. */
const headers = [
  ...['content-type', 'location', 'etag', 'cache-control', 'www-authenticate', 'retry-after', 'vary'],
  ...['portico-error', 'portico-ignored', 'x-content-type-options', 'content-security-policy'],
];
/** Milliseconds in which work behind an answer ends. */
const patience = 10_000;
const steps = 20;
/** Deeds of files and workers, which a place may not have. */
const elsewhere: ReadonlySet<DeedName> = new Set(['import', 'abortJob', 'work']);

const more = [...roles, '_item_search', '_library_read', '_library_write'];

interface Player {
  readonly place: Place;
  readonly names: Names;
}

export class Difference extends Error {}

/** Plays the same requests at each place, one after the other, and compares what they answer. */
export class Differential {
  readonly #players: readonly Player[];
  #since = 0;
  calls = 0;

  constructor(places: readonly Place[]) {
    this.#players = places.map((place) => ({ place, names: new Names(place.origin) }));
  }

  /** The people and the quota that all seeds share. */
  async begin(): Promise<void> {
    const quotas = { user: 'ann', enforce: true, resource: [{ name: 'item', limit: quota }] };
    for (const sent of [newUser(ann, more), newUser(ben, more), by('POST /API/quota', quotas)]) {
      const { status, body } = await this.#send(sent);
      if (status >= 300) throw new Error(`${sent.request}: ${status} ${body}`);
    }
  }

  async playSeed(seed: number): Promise<void> {
    const known = newKnown(seed);
    const chosen = fc.sample(stepArbitrary, { seed, numRuns: steps });
    const deeds = chosen.flatMap((step) => ('deeds' in step ? step.deeds : []));
    for (const [at, deed] of deeds.entries()) {
      const plan = elsewhere.has(deed.does) ? undefined : planOf(deed, known);
      if (plan?.sent) learn(known, plan, await this.#send(plan.sent));
      else await this.#other(otherDeed(deed, known));
      const reads = readsOf(known);
      await this.#look(reads[(7 * at + deed.other) % reads.length]!);
    }
    for (const read of readsOf(known)) await this.#look(read);
    await this.#lookAtEvents();
    for (const kind of ['collection', 'item', 'share'])
      for (const id of known.model.names(kind)) await this.#send(by(`DELETE /API/${kind}/${id}`));
  }

  #other(sent: Sent): Promise<Answer> {
    return /^GET|\/item\?/.test(sent.request) ? this.#look(sent) : this.#send(sent);
  }

  async #lookAtEvents(): Promise<void> {
    const { body } = await this.#look(by(`GET /API/event?since=${this.#since}&number=1000`));
    this.#since = (JSON.parse(body) as { newest?: number }).newest ?? this.#since;
  }

  /** Some work goes on behind an answer: what is read differs only if it differs for a while. */
  async #look(sent: Sent): Promise<Answer> {
    const end = performance.now() + patience;
    for (;;) {
      try {
        return await this.#send(sent);
      } catch (error) {
        if (!(error instanceof Difference) || performance.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  /** The answer of the first place, which plans go by. */
  async #send(sent: Sent): Promise<Answer> {
    this.calls++;
    const text = JSON.stringify({ request: sent.request, body: sent.body });
    const [first] = this.#players;
    const shared = first!.names.shared(text);
    const answers = [];
    for (const { place, names } of this.#players) {
      const here = JSON.parse(names.here(shared)) as Pick<Sent, 'request' | 'body'>;
      const response = await fetch(requestOf(place.origin, { ...sent, ...here }));
      const body = await response.text();
      answers.push({ status: response.status, headers: response.headers, body, told: toldBy(response, body, names) });
    }
    const [expected] = answers;
    for (const [at, { told }] of answers.entries()) {
      if (told === expected!.told) continue;
      const [one, other] = [first!.place.name, this.#players[at]!.place.name];
      const as = sent.as?.[0] ?? 'a guest';
      const [expectedPart, part] = [around(expected!.told, told), around(told, expected!.told)];
      throw new Difference(`call ${this.calls}, ${as} ${shared}\n${one}: ${expectedPart}\n${other}: ${part}`);
    }
    return expected!;
  }
}

/** A text from a little before it differs from another one. */
function around(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return at < 300 ? text.slice(0, 1_500) : `${text.slice(0, 3)} … ${text.slice(at - 200, at + 1_000)}`;
}

function toldBy(response: Response, body: string, names: Names): string {
  const told = headers.flatMap((name) =>
    response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
  );
  return names.shared([response.status, ...told, body].join('\n'));
}

const newKnown = (seed: number): Known => ({
  model: new Model(),
  creations: [],
  owners: new Map(),
  entries: new Map(),
  tokens: new Map(),
  aborted: new Set(),
  // Keys and titles of no other seed.
  count: seed * 1_000,
});

/** Notes what a client knows after an answer. */
function learn({ model, creations, owners }: Known, plan: Plan, answer: Answer): void {
  if (answer.status >= 300) return;
  model.happened(plan.effects.map((effect) => ({ ...effect, done: true })));
  plan.acknowledged?.(answer);
  const { creation } = plan;
  if (!creation || creations.includes(creation)) return;
  creations.push(creation);
  const { id } = JSON.parse(answer.body) as { id: string };
  owners.set(id, creation.who);
  model.set(`item ${id}`, 'there');
  model.set(`title ${id}`, creation.title!);
}

/** Reads of what there is: entities, lists and searches, by each of the people. */
function readsOf({ model }: Known): readonly Sent[] {
  const newest = (kind: string) => model.names(kind).at(-1) ?? 'VX-0';
  const [item, collection] = [newest('item'), newest('collection')];
  const value = [{ value: model.sure(`title ${item}`) ?? 'none' }];
  const searches = [
    { text: value },
    { field: [{ name: 'title', value }] },
    {
      operator: { operation: 'NOT', field: [{ name: 'title', value }] },
      sort: [{ field: 'title', order: 'descending' }],
    },
    {
      facet: [
        { field: 'user', count: true },
        { field: 'title', count: true },
      ],
    },
  ];
  const requests: readonly (readonly [request: string, body?: object])[] = [
    [`GET /item/${item}?content=metadata,access`],
    [`GET /item/${item}/metadata/changes`],
    [`GET /item/${item}/access`],
    [`GET /item/${item}/merged-access`],
    [`GET /item/${item}/share`],
    [`GET /collection/${collection}?content=metadata`],
    [`GET /collection/${collection}/item`],
    ['GET /item?content=metadata&field=title&number=10'],
    ['GET /item?number=3&first=2&field=title&terse=true&content=metadata'],
    ['GET /collection?number=10'],
    ['GET /user?number=10'],
    ['GET /user/ann'],
    ['GET /item/notification'],
    ['GET /quota'],
    ['GET /share'],
    ...searches.map((body) => ['PUT /item?content=metadata&field=title&number=10', body] as const),
  ];
  return requests.flatMap(([request, body], at) => {
    const asked = request.replace(' /', ' /API/');
    const person = people[at % 2]!;
    return [by(asked, body), by(asked, body, json, person), by(asked, body, xml)];
  });
}

/** A deed of the rooms that the generator has none of, right or wrong. */
function otherDeed({ who, what, other }: Deed, { model, count }: Known): Sent {
  const as = who === 0 ? ann : admin;
  const items = model.names('item');
  const item = items[what % items.length] ?? 'VX-0';
  const field = [{ name: `x_${other}`, value: [{ value: `v ${what}` }] }];
  const [start, end] = [`${what}`, `${what + other}`];
  const requests: readonly (readonly [request: string, body?: Sent['body'], type?: string])[] = [
    [`PUT /metadata-field/x_${other}`, { type: ['string', 'string-exact', 'integer'][what % 3] }],
    [`PUT /item/${item}/metadata`, { timespan: [{ start, end, field }] }],
    [`PUT /item/${item}/metadata`, { timespan: [{ start: '-INF', end: '+INF', group: [{ name: 'none', field }] }] }],
    [`PUT /item/${item}/external-id/e${count}-${what}`],
    [`PUT /item/${item}/metadata`, '{"timespan": [', 'application/json'],
    [`PUT /item/${item}/metadata`, '<MetadataDocument><timespan/></Metadata>', 'application/xml'],
    ['POST /library?number=0', { name: `l ${what}` }],
    [
      'PUT /item?number=5',
      { field, sort: [{ field: `x_${other}`, order: 'ascending' }], facet: [{ field: `x_${other}` }] },
    ],
    [`PUT /group/g${other}`, { description: `d ${what}` }],
    [`PUT /group/g${other}/user/${as[0]}`],
    [`DELETE /group/g${other}`],
    [`PUT /user/${as[0]}/metadata/k${other}`, `v ${what}`, 'text/plain'],
    [`POST /item/${item}/access`, { permission: 'SOME', user: 'ann' }],
    [`GET /item/${item}?number=many`],
    ['PATCH /item'],
    ['GET /no/such/path'],
  ];
  const [request, body, type] = requests[(what + 6 * other + who) % requests.length]!;
  return by(request.replace(' /', ' /API/'), body, { ...json, ...(type && { 'content-type': type }) }, as);
}
