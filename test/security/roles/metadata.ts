import { uuidOf } from '../../../src/assets/metadata/merge/uuid.ts';
import type { Statement } from '../../../src/core/store/contract.ts';
import type { World } from '../../support/matrix.ts';
import type { Rule } from './rule.ts';

/** Serials that no id reaches, ten for each caller. */
const numbers = new Map<string, number>();

function numberOf(who: string): number {
  const number = numbers.get(who) ?? 3_000_000 + 10 * numbers.size;
  numbers.set(who, number);
  return number;
}

const kinds = ['item', 'collection', 'document', 'global'] as const;
type Kind = (typeof kinds)[number];

export const ownerOf = (kind: Kind, who: string): string => (kind === 'global' ? 'global' : `VX-${numberOf(who)}`);
/** The first of two change sets that a caller has in the metadata of each kind. */
const setOf = (kind: Kind, who: string): number => numberOf(who) + 2 * kinds.indexOf(kind);
/** All callers share the global metadata, and this field in it. */
const shared = 2_999_999;
/** Uuid of what the first change set made: the field, or what a test adds to the state. */
export const entryOf = (kind: Kind, who: string, ordinal = 0): string =>
  uuidOf({ change: `VX-${kind === 'global' ? shared : setOf(kind, who)}`, ordinal });

const wish = (name: string, text: string): string =>
  JSON.stringify({
    spans: [{ start: '-INF', end: '+INF', fields: [{ n: 0, name, values: [{ n: 1, text }] }], groups: [] }],
  });

const insertSet = (serial: number, kind: Kind, owner: string, delta: string): Statement => ({
  sql: `INSERT INTO metadata_change_set (serial, id, owner_type, owner_id, user, at, delta)
    VALUES (?1, 'VX-' || ?1, ?2, ?3, 'ann', 0, ?4) ON CONFLICT DO NOTHING`,
  args: [serial, kind, owner, delta],
});

const insertState = (kind: Kind, owner: string, name: string, serial: number): Statement => ({
  sql: `INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc) VALUES (?, ?, 1, 0, 0, ?)
    ON CONFLICT DO NOTHING`,
  args: [
    kind,
    owner,
    JSON.stringify({
      c: [[`VX-${serial}`, 'ann', 0]],
      s: [[0, [[name, 0, ['a']]]]],
    }),
  ],
});

/** An item and a collection of the caller with two change sets and a lock, and the same in the global metadata. */
export async function metadataRowsOf(world: World, who: string, caller = ''): Promise<void> {
  const number = numberOf(who);
  const entities = (['item', 'collection'] as const).flatMap((kind): Statement[] => [
    { sql: `INSERT INTO ${kind} (id, serial, created_at) VALUES ('VX-' || ?1, ?1, 0)`, args: [number] },
    {
      sql: `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
        SELECT '${kind}', 'VX-' || ?1, '${kind}-' || ?1, ?1, user.id, 'OWNER', 0, '["all"]' FROM user WHERE name = ?2`,
      args: [number, caller],
    },
    insertState(kind, `VX-${number}`, 'title', setOf(kind, who)),
  ]);
  const changes = [
    ...entities,
    { sql: `INSERT INTO metadata_field_group VALUES ('main-' || ?1, 'main-' || ?1, '{}', 1)`, args: [number] },
    { sql: `INSERT INTO metadata_document (id, created_at) VALUES ('VX-' || ?1, 0)`, args: [number] },
    insertState('document', `VX-${number}`, 'title', setOf('document', who)),
    insertState('global', 'global', 'fieldValidationError', shared),
    insertSet(shared, 'global', 'global', wish('fieldValidationError', 'a')),
    ...kinds.flatMap((kind): Statement[] => [
      insertSet(setOf(kind, who), kind, ownerOf(kind, who), wish('title', 'a')),
      insertSet(setOf(kind, who) + 1, kind, ownerOf(kind, who), wish('title', 'a')),
      {
        sql: `INSERT INTO metadata_lock (id, owner_type, owner_id, user, expires_at, fields)
          VALUES (?, ?, ?, ?, 8e15, ?)`,
        args: [`${kind}-${number}`, kind, ownerOf(kind, who), caller, JSON.stringify([`held_${number}`])],
      },
    ]),
  ];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

type Row = readonly [route: string, request: (who: string) => string, body?: object];

const paths = {
  item: '/item/:item',
  collection: '/collection/:collection',
  document: '/document/:document',
  global: '',
} as const;
const at = (kind: Kind, who: string): string => (kind === 'global' ? '' : `/${kind}/${ownerOf(kind, who)}`);
/** Metadata of a document is at the path of the document. */
const below = (kind: Kind): string => (kind === 'document' ? '' : '/metadata');

const captions = ['export/ttml', 'export/scc'] as const;

const readsOf = (kind: Kind): readonly Row[] => {
  const path = `${paths[kind]}${below(kind)}`;
  const of = (rest: (who: string) => string) => (who: string) => `${at(kind, who)}${below(kind)}${rest(who)}`;
  const first = (who: string) => `/changes/VX-${setOf(kind, who)}`;
  return [
    [`GET ${path}`, of(() => '')],
    [`GET ${path}/changes`, of(() => '/changes')],
    ...(kind === 'item' || kind === 'collection'
      ? (['graph', 'graph/dot'] as const).map((form): Row => [`GET ${path}/${form}`, of(() => `/${form}`)])
      : []),
    ...(kind === 'item' ? captions.map((form): Row => [`GET ${path}/${form}`, of(() => `/${form}`)]) : []),
    [`GET ${path}/changes/:change`, of(first)],
    [`GET ${path}/changes/:change/compareTo/previous`, of((who) => `${first(who)}/compareTo/previous`)],
    [
      `GET ${path}/changes/:change/compareTo/:older`,
      of((who) => `/changes/VX-${setOf(kind, who) + 1}/compareTo/VX-${setOf(kind, who)}`),
    ],
  ];
};

const document = { timespan: [{ field: [{ name: 'originalUri', value: [{ value: 'a' }] }] }] };

const writesOf = (kind: Kind): readonly Row[] => {
  const path = `${paths[kind]}${below(kind)}`;
  const of = (rest: (who: string) => string) => (who: string) => `${at(kind, who)}${below(kind)}${rest(who)}`;
  const first = (who: string) => `/changes/VX-${setOf(kind, who)}`;
  const uuid = (who: string) => entryOf(kind, who);
  return [
    [`PUT ${path}`, of(() => ''), document],
    [`PUT ${path}/move`, of((who) => `/move?uuid=${uuid(who)}&start=${numberOf(who)}`)],
    [`PUT ${path}/entry`, of(() => '/entry'), { entry: [] }],
    [`PUT ${path}/entry/:uuid`, of((who) => `/entry/${uuid(who)}`), { field: { value: [{ value: 'b' }] } }],
    [`PUT ${path}/changes`, of(() => '/changes'), { changeSet: [] }],
    [`PUT ${path}/changes/:change`, of(first), document],
    [`DELETE ${path}/changes/:change`, of(first)],
    [`PUT ${path}/changes/trim`, of(() => '/changes/trim')],
    [`PUT ${path}/changes/:change/trim`, of((who) => `${first(who)}/trim`)],
  ];
};

const locksOf = (kind: Kind) => {
  const path = `${paths[kind]}/metadata-lock`;
  const all = (who: string) => `${at(kind, who)}/metadata-lock`;
  const one = (who: string) => `${all(who)}/${kind}-${numberOf(who)}`;
  const reads: readonly Row[] = [
    [`GET ${path}`, all],
    [`GET ${path}/:lock`, one],
  ];
  const writes: readonly Row[] = [
    [`POST ${path}`, (who) => `${all(who)}?field=new_${numberOf(who)}`],
    [`PUT ${path}/:lock`, one],
    [`DELETE ${path}/:lock`, one],
  ];
  return { reads, writes };
};

const ruleOf =
  (needs: Rule['needs']) =>
  ([route, target, body]: Row): Rule => ({
    route,
    needs,
    rows: metadataRowsOf,
    request: (who) => ({
      request: `${route.slice(0, route.indexOf(' '))} /API${target(who)}`,
      ...(body !== undefined && { body }),
    }),
  });

const entry = (who: string) => `/metadata/${entryOf('item', who)}`;

export const metadataRules: readonly Rule[] = [
  ...[...readsOf('item'), ...readsOf('collection')].map(ruleOf('_metadata_read')),
  ...[...writesOf('item'), ...writesOf('collection')].map(ruleOf('_metadata_write')),
  ...readsOf('document').map(ruleOf('_document_read')),
  ...[...writesOf('document'), ['DELETE /document/:document', (who: string) => at('document', who)] as const].map(
    ruleOf('_document_write'),
  ),
  ...(['item', 'collection'] as const).flatMap((kind) => {
    const path = (who: string) => `${at(kind, who)}/field-group`;
    const one = (who: string) => `${path(who)}/main-${numberOf(who)}`;
    const writes = ['PUT', 'DELETE'].map((method) => [`${method} /${kind}/:${kind}/field-group/:group`, one] as const);
    return [
      ruleOf('_metadata_read')([`GET /${kind}/:${kind}/field-group`, path]),
      ...writes.map(ruleOf('_metadata_write')),
    ];
  }),
  ruleOf('_metadata_write')([
    'PUT /item/:item/metadata/validate',
    (who: string) => `${at('item', who)}/metadata/validate`,
    {},
  ]),
  ...[...readsOf('global'), ['GET /metadata/:uuid', entry] as const].map(ruleOf('_metadata_global_read')),
  ...[...writesOf('global'), ['DELETE /metadata/:uuid', entry] as const].map(ruleOf('_metadata_global_write')),
  ...kinds.flatMap((kind) => locksOf(kind).reads).map(ruleOf('_metadata_lock_read')),
  ...kinds.flatMap((kind) => locksOf(kind).writes).map(ruleOf('_metadata_lock_write')),
];
