import { expect, it } from 'vitest';
import {
  type MetadataDocumentValue,
  type MetadataGroup,
  metadataDocument,
} from '../../../src/assets/metadata/documents.ts';
import { uuidOf } from '../../../src/assets/metadata/merge/uuid.ts';
import { writeXml } from '../../../src/core/documents/index.ts';
import { shareOfTries } from '../../support/long.ts';
import type { World } from '../../support/matrix.ts';
import { type Dice, dice, seedOfRun, tellSeed } from '../../support/random.ts';
import {
  type DocField,
  type DocGroup,
  type DocSpan,
  differences,
  type Entry,
  keyOf,
  type ModelSpan,
  numbered,
  plainOf,
  play,
  Refused,
  trimmed,
} from './model.ts';
import { by, documentIn, entityRows, getItem, openMetadata, sendWell } from './support.ts';

/** Each number of sequences is a new item. `PORTICO_SEQUENCES` plays more of them. */
const sequences = Number(process.env['PORTICO_SEQUENCES'] ?? shareOfTries(4, 8));
const steps = 12;

const pick = <T>(roll: Dice, ...choices: readonly T[]): T => choices[roll(choices.length)]!;
const some = <T>(roll: Dice, max: number, make: () => T): readonly T[] => Array.from({ length: roll(max + 1) }, make);
const given = <K extends string>(key: K, value: string | undefined) => (value === undefined ? {} : { [key]: value });

const fieldOf = (roll: Dice): DocField => ({
  name: pick(roll, 'title', 'x_note'),
  ...given('track', pick(roll, undefined, undefined, 'A1')),
  ...given('mode', pick(roll, undefined, undefined, undefined, 'add', 'remove')),
  value: some(roll, 3, () => ({
    value: pick(roll, 'a', 'b', ''),
    ...given('lang', pick(roll, undefined, undefined, 'en', 'de_DE')),
    ...given('mode', pick(roll, undefined, undefined, undefined, 'add', 'remove')),
  })),
});

const groupOf = (roll: Dice, depth: number): DocGroup => ({
  name: pick(roll, 'Segment', 'Show'),
  ...given('mode', pick(roll, undefined, undefined, undefined, 'add', 'remove')),
  field: some(roll, 2, () => fieldOf(roll)),
  group: depth === 0 ? [] : some(roll, 2, () => groupOf(roll, depth - 1)),
});

const times: readonly (readonly [start: string, end: string])[] = [
  ['-INF', '+INF'],
  ['-INF', '+INF'],
  ['25@PAL', '50@PAL'],
  ['1', '2'],
  ['50@PAL', '+INF'],
];

function spanOf(roll: Dice): DocSpan {
  const [start, end] = pick(roll, ...times);
  return { start, end, field: some(roll, 2, () => fieldOf(roll)), group: some(roll, 2, () => groupOf(roll, 1)) };
}

/** Spans of different times: two with the same time would be one place. */
function spansOf(roll: Dice): readonly DocSpan[] {
  const spans = [spanOf(roll), ...some(roll, 1, () => spanOf(roll))];
  return numbered(spans.filter((span, index) => spans.findIndex((other) => keyOf(other) === keyOf(span)) === index));
}

/** An answer in the form of `plainOf`. */
function plainAnswer({ timespan = [] }: MetadataDocumentValue): unknown {
  const place = ({ field = [], group = [] }: MetadataGroup): unknown => ({
    fields: field
      .map(({ name, track = '', value = [] }) => [
        name,
        track,
        ...value.map((each) => [each.value, each.lang ?? '', each.conflict === true]),
      ])
      .map((each) => JSON.stringify(each))
      .toSorted(),
    groups: group.map((each) => [each.name, place(each)]),
  });
  const full = timespan.filter(({ field = [], group = [] }) => field.length + group.length > 0);
  const entries = full.map((span) => [keyOf(span as DocSpan), place(span)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

class Sequence {
  readonly #world: World;
  readonly #item: string;
  readonly #roll: Dice;
  #log: readonly Entry[] = [];
  #sequence = 0;
  #turn = 0;

  constructor(world: World, item: string, roll: Dice) {
    this.#world = world;
    this.#item = item;
    this.#roll = roll;
  }

  async step(): Promise<void> {
    const roll = this.#roll;
    this.#sequence = (await this.#world.events()).at(-1)?.sequence ?? 0;
    const before = play(this.#log);
    const kind = pick(roll, 'put', 'put', 'put', 'put', 'undo', 'trim', 'move', 'forget');
    if (kind === 'put') await this.#put(before);
    else if (kind === 'move') await this.#move(before);
    else if (kind === 'undo') await this.#undo(before);
    else if (kind === 'forget') await this.#forget();
    else {
      await this.#send('PUT', '/changes/trim', undefined, 200);
      this.#log = trimmed(this.#log);
      expect(await this.#world.events(this.#sequence)).toEqual([]);
    }
    const query = '?includeTransientMetadata=false';
    const { item } = await documentIn<{ item: { metadata: MetadataDocumentValue }[] }>(
      this.#world,
      by(`GET /item/${this.#item}/metadata${query}`),
    );
    expect(plainAnswer(item[0]!.metadata)).toEqual(plainOf(play(this.#log)));
    const { changeSet } = await documentIn<{ changeSet: { id: string }[] }>(
      this.#world,
      by(`GET /item/${this.#item}/metadata/changes`),
    );
    expect(changeSet.map(({ id }) => Number(id.slice(3)))).toEqual(this.#sets.map(({ id }) => id));
  }

  get #sets(): readonly Entry[] {
    return this.#log.filter(({ gone }) => gone === undefined);
  }

  async #forget(): Promise<void> {
    const gone = 'x_note';
    await sendWell(this.#world, by(`DELETE /metadata-field/${gone}`));
    await sendWell(this.#world, by(`PUT /metadata-field/${gone}`, { type: 'string' }));
    this.#log = [...this.#log, { id: 0, spans: [], gone }];
    expect(await this.#world.events(this.#sequence)).toEqual([]);
  }

  async #put(before: readonly ModelSpan[]): Promise<void> {
    const roll = this.#roll;
    const spans = spansOf(roll);
    const known = this.#sets.map(({ id }) => id).filter(() => roll(2) === 0);
    const revision = roll(4) === 0 && known.length > 0 ? known : undefined;
    const document = { ...(revision && { revision: revision.map((id) => `VX-${id}`).join() }), timespan: spans };
    const isXml = this.#turn++ % 2 === 0;
    const body = isXml ? writeXml(metadataDocument, document, 'urn:portico:schema') : document;
    await this.#change(before, { spans, revision }, (status) => this.#send('PUT', '', body, status));
  }

  async #move(before: readonly ModelSpan[]): Promise<void> {
    const movable = before.flatMap((span) => [...span.fields, ...span.groups]);
    if (movable.length === 0) return;
    const { born } = pick(this.#roll, ...movable);
    const [start, end] = pick(this.#roll, ...times);
    const [id, number] = born.split('.').map(Number);
    const uuid = uuidOf({ change: `VX-${id}`, ordinal: number! });
    const target = `/move?uuid=${uuid}&start=${encodeURIComponent(start)}&end=${encodeURIComponent(end)}`;
    await this.#change(before, { spans: [], move: { born, start, end } }, (status) =>
      this.#send('PUT', target, undefined, status),
    );
  }

  /** Whether the model takes it, the service says so, and the new change set is the one that the event names. */
  async #change(
    before: readonly ModelSpan[],
    entry: Omit<Entry, 'id'>,
    send: (status: number) => Promise<void>,
  ): Promise<void> {
    const newest = Number.MAX_SAFE_INTEGER;
    let after: readonly ModelSpan[];
    try {
      after = play([...this.#log, { ...entry, id: newest }], true);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await send(400);
      return;
    }
    await send(200);
    const events = await this.#world.events(this.#sequence);
    if (JSON.stringify(after) === JSON.stringify(before)) {
      expect(events).toEqual([]);
      return;
    }
    expect(events).toHaveLength(1);
    const id = Number(String(events[0]!.payload['changeSetId']).slice(3));
    this.#log = [...this.#log, { ...entry, id }];
    this.#expectChanges(events[0]!.payload, before);
  }

  async #undo(before: readonly ModelSpan[]): Promise<void> {
    if (this.#sets.length === 0) return;
    const { id } = pick(this.#roll, ...this.#sets);
    await this.#send('DELETE', `/changes/VX-${id}`, undefined, 200);
    this.#log = this.#log.filter((entry) => entry.id !== id);
    const [event] = await this.#world.events(this.#sequence);
    if (event) this.#expectChanges(event.payload, before);
    else expect(differences(before, play(this.#log))).toEqual([]);
  }

  #expectChanges(payload: Readonly<Record<string, unknown>>, before: readonly ModelSpan[]): void {
    type Told = { field: string; values: string[]; language?: string; track?: string; start: string; end: string };
    const told = (payload['changes'] as readonly Told[]).map(({ field, values, language = '', track = '', ...span }) =>
      JSON.stringify([keyOf(span), field, track, language, values]),
    );
    expect(told.toSorted()).toEqual([...differences(before, play(this.#log))].toSorted());
  }

  async #send(method: string, rest: string, body: string | object | undefined, status: number): Promise<void> {
    const sent = by(`${method} /item/${this.#item}/metadata${rest}`, body);
    const headers = { ...sent.headers, ...(typeof body === 'string' && { 'content-type': 'application/xml' }) };
    const answer = await this.#world.send({ ...sent, headers });
    expect(answer.status, `${method} ${rest} ${JSON.stringify(body)} ${answer.body}`).toBe(status);
  }
}

it('any sequence of PUT, undo, trim, move and deletions of a field leaves states, change sets and events as the rules say', {
  timeout: 600_000,
}, async () => {
  tellSeed();
  const world = await openMetadata();
  const roll = dice(seedOfRun);
  for (let number = 1; number <= sequences; number++) {
    if (number > 1) await entityRows(world, number);
    const sequence = new Sequence(world, `VX-${number}`, roll);
    for (let step = 0; step < steps; step++) await sequence.step();
  }
  expect(await getItem(world)).toBeDefined();
});
