import { beforeAll } from 'vitest';
import { field, fieldsOf, item, join, newCollection, openSharedAssets } from '../../../support/assets.ts';
import { newUser } from '../../../support/cast.ts';
import type { Sent } from '../../../support/matrix.ts';
import { by, json, send } from '../../../support/requests.ts';
import { admin, type Credentials } from '../../../support/service.ts';
import { givenTo } from '../../../support/world.ts';

/** Service shared by the scenarios of the chapter on searches, with a few items. */

export const reader: Credentials = ['reader', 'password of reader'];

interface Result {
  readonly hits?: number;
  readonly item?: readonly {
    readonly id: string;
    readonly start: string;
    readonly end: string;
    readonly timespan?: unknown;
    readonly metadata?: unknown;
  }[];
  readonly entry?: readonly { readonly id: string; readonly type: string }[];
  readonly collection?: readonly { readonly id: string }[];
  readonly shape?: readonly { readonly id: string; readonly item: readonly { readonly id: string }[] }[];
  readonly facet?: readonly {
    readonly field: string;
    readonly count?: readonly { readonly fieldValue: string; readonly value: number }[];
    readonly range?: unknown;
  }[];
  readonly suggestion?: unknown;
  readonly autocomplete?: unknown;
  readonly nextCursor?: string;
}

/** Fields, items VX-1 to VX-5, and two collections. */
export const made: readonly Sent[] = [
  newUser(reader, ['_item_search', '_item_read', '_collection_read', '_item_shape_read', '_import', '_metadata_read']),
  ...givenTo('assets'),
  field('x_tag', 'string-exact'),
  field('x_count', 'integer'),
  field('x_day', 'date'),
  field('x_ratio', 'float'),
  field('x_done', 'boolean'),
  field('x_at', 'timeCode'),
  field('x_hidden', 'string', { index: 'noindex' }),
  field('x_fold', 'string-sortable', { caseSensitiveSorting: false }),
  field('x_actor', 'string'),
  field('x_role', 'string'),
  by('PUT /API/metadata-field/field-group/Scene', { field: [{ name: 'x_role' }] }),
  by('PUT /API/metadata-field/field-group/Film', {
    field: [{ name: 'x_actor' }, { name: 'x_role' }],
    group: [{ name: 'Scene' }],
  }),
  // VX-1 to VX-5
  item({
    title: 'Harbour at night',
    x_tag: 'sea',
    x_count: '3',
    x_day: '2026-01-10',
    x_ratio: '0.5',
    x_done: 'true',
    x_at: '25@PAL',
    x_fold: 'b',
  }),
  item({
    title: 'The old harbour',
    x_tag: ['sea', 'old'],
    x_count: '10',
    x_day: '2026-02-01T12:00:00+01:00',
    x_fold: 'A',
  }),
  item({
    title: 'Wälder im Süden',
    x_count: '7',
    x_ratio: '-2.5',
    x_done: 'false',
    x_hidden: 'secret',
    x_fold: 'C',
  }),
  item({}, { group: [filmGroup('Ann', 'lead'), filmGroup('Bob', 'extra')] }),
  item({ title: 'Interview 東京タワー' }),
  by('PUT /API/item/VX-5/metadata', {
    timespan: [
      { start: '10@PAL', end: '20@PAL', field: fieldsOf({ x_actor: 'Carla speaks' }) },
      { start: '30@PAL', end: '40@PAL', field: fieldsOf({ x_actor: 'Carla sings', x_role: 'singer' }) },
    ],
  }),
  newCollection('?name=Harbours'),
  newCollection('?name=Nothing'),
  join('VX-1', 'VX-2'),
  join('VX-1', 'VX-1'),
];

function filmGroup(actor: string, role: string) {
  return {
    name: 'Film',
    mode: 'add',
    field: fieldsOf({ x_actor: actor, x_role: role }),
    group: [{ name: 'Scene', mode: 'add', field: fieldsOf({ x_role: `${role} scene` }) }],
  };
}

export const values = (...given: string[]) => given.map((value) => ({ value }));
export const named = (name: string, ...given: string[]) => ({ field: [{ name, value: values(...given) }] });
export const text = (value: string, noescape = false) => ({ text: [{ value, noescape }] });

export function openScenarios() {
  const opened = openSharedAssets();
  beforeAll(async () => {
    for (const sent of made) await send(opened(), sent);
  });

  async function search(body: object | undefined, target = '/item', as = admin): Promise<Result> {
    return JSON.parse((await send(opened(), by(`PUT /API${target}`, body, json, as))).body) as Result;
  }
  return {
    search,
    store: () => opened().service.store,
    /** Sends a request, whose answer may be a refusal. */
    answer: (sent: Sent) => opened().send(sent),
    /** The same where nothing but success is expected. */
    done: (sent: Sent) => send(opened(), sent),
    async ids(body: object, target?: string, as?: Credentials) {
      const found = await search(body, target, as);
      return (found.item ?? found.collection ?? found.shape ?? []).map(({ id }) => id);
    },
    async status(body: object | string, target = '/item') {
      const headers = typeof body === 'string' ? { 'content-type': 'application/xml' } : json;
      return (await opened().send(by(`PUT /API${target}`, body, headers))).status;
    },
  };
}
