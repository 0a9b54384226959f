import { afterAll, beforeAll } from 'vitest';
import type { Settings } from '../../src/composition/settings.ts';
import type { Database } from '../../src/core/store/contract.ts';
import { type MemoryFolder, type MemoryStorage, memoryStorage } from '../../src/kit/testing/storage/memory-storage.ts';
import type { StorageScheme } from '../../src/spi/index.ts';
import { newGroup, newUser } from './cast.ts';
import { testClock } from './clock.ts';
import { type Entry, openBehind, openWorld, requestOf, type Sent, type World } from './matrix.ts';
import { copiesOf } from './migrated.ts';
import { by } from './requests.ts';
import { type Credentials, memoryPlugin, type ServiceOptions, startsAsUsual, type TestService } from './service.ts';

/** State of the service in which the tests of a room begin. */
interface Given {
  /** Another entry that comes before it. */
  readonly after?: string;
  /** Storages in memory: `VX-1` in `memory:///in/`, `VX-2` in `memory:///out/`, `VX-3` in `memory:///third/`. */
  readonly storages?: 1 | 2 | 3;
  readonly groups?: readonly Sent[];
  /** Their names and roles. The password of each is `password of NAME`. */
  readonly people?: Readonly<Record<string, readonly string[]>>;
  readonly sent?: readonly Sent[];
  readonly rows?: readonly string[];
  readonly settings?: Partial<Settings>;
}

const person = (name: string): Credentials => [name, `password of ${name}`];

export const [librarian, viewer, stranger, uploader, other] = [
  ...['librarian', 'viewer', 'stranger', 'uploader', 'other'].map(person),
] as [Credentials, Credentials, Credentials, Credentials, Credentials];
export const [importer, outsider, exporter, shaper, owner] = [
  ...['importer', 'outsider', 'exporter', 'shaper', 'owner'].map(person),
] as [Credentials, Credentials, Credentials, Credentials, Credentials];
export const [keeper, looker, worker, maker, definer] = [
  ...['keeper', 'looker', 'worker', 'maker', 'definer'].map(person),
] as [Credentials, Credentials, Credentials, Credentials, Credentials];
export const [ann, ben, cat] = ['ann', 'ben', 'cat'].map(person) as [Credentials, Credentials, Credentials];

const files = ['_file_write', '_file_read'];
const shapes = ['_item_shape_write', '_item_shape_read', '_shape_tag_write', '_shape_tag_read'];
const imports = ['_import', '_item_read', '_item_shape_read', '_item_shape_write', '_metadata_read', '_metadata_write'];
const assets = [
  ...['_collection_read', '_collection_write', '_import', '_item_read', '_item_search', '_item_write'],
  ...['_library_read', '_library_write', '_metadata_field_write', '_metadata_read', '_metadata_write'],
  ...['_item_shape_read', '_item_shape_write', '_deletion_lock_read', '_deletion_lock_write'],
];
const access = [
  ...['_accesscontrol_read', '_accesscontrol_write', '_collection_read', '_collection_write', '_import'],
  ...['_item_notification_write', '_item_read', '_item_uri', '_item_write', '_item_shape_read'],
  ...['_metadata_read', '_metadata_write', '_user_read'],
];
const fieldOf = (name: string, document: object = { type: 'string' }) =>
  by(`PUT /API/metadata-field/${name}`, document);
const itemRow = (serial: number) => `INSERT INTO item (id, serial, created_at) VALUES ('VX-${serial}', ${serial}, 0)`;
const ownedBy = (name: string, serial: number) =>
  `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
    SELECT 'item', 'VX-${serial}', 'O-VX-${serial}', ${serial}, id, 'OWNER', 0, '["all"]' FROM user WHERE name = '${name}'`;

/** A row for each room. Several rooms may be given together. */
const table = {
  files: { storages: 2, people: { librarian: files, viewer: ['_file_read'] } },
  uploads: { storages: 1, people: { uploader: files, other: files, viewer: ['_file_read'] } },
  /** Jobs that move and delete files. */
  transfers: {
    storages: 2,
    people: { librarian: files, stranger: [], viewer: ['_file_read', '_job_read', '_job_write'] },
  },
  imports: { after: 'transfers', people: { importer: [...imports, ...files], outsider: imports } },
  exports: {
    storages: 2,
    people: {
      exporter: [
        '_export',
        '_import',
        '_item_read',
        '_item_shape_read',
        '_item_shape_write',
        '_job_read',
        '_file_write',
      ],
      viewer: ['_job_read'],
    },
    settings: { minFreeBytes: 0 },
  },
  /** Items without shapes. */
  placement: { after: 'transfers', storages: 3, rows: [itemRow(100), itemRow(101)], settings: { deleteGraceHours: 0 } },
  /** Items of `shaper`. */
  shapes: {
    after: 'files',
    people: { shaper: shapes, stranger: shapes },
    sent: [by('PUT /API/shape-tag/lowres', {})],
    rows: [itemRow(1), ownedBy('shaper', 1), itemRow(2), ownedBy('shaper', 2)],
  },
  jobs: { people: { worker: ['_job_read', '_job_write', '_taskdefinition_read', '_taskdefinition_write'] } },
  schedules: {
    people: {
      maker: ['_collection_read', '_collection_write', '_item_read'],
      other: ['_collection_read', '_collection_write', '_item_read'],
    },
  },
  /** The two users may use every route; each sees what it made. */
  assets: { people: { owner: assets, stranger: assets } },
  /** `ann` and `cat` are in no group of their own; `ben` is in `crew`, which is in `staff`. */
  access: {
    groups: [newGroup('staff'), newGroup('crew', { parentGroupList: { group: [{ groupName: 'staff' }] } })],
    people: { ann: access, ben: [...access, 'crew'], cat: access },
  },
  definitions: {
    people: {
      definer: [
        '_metadata_field_read',
        '_metadata_field_write',
        '_metadata_field_group_read',
        '_metadata_field_group_write',
      ],
      viewer: ['_metadata_field_read', '_metadata_field_group_read'],
    },
  },
  /** Fields and groups, an item and a collection. */
  metadata: {
    rows: [itemRow(1), "INSERT INTO collection (id, serial, created_at) VALUES ('VX-1', 1, 0)"],
    sent: [
      ...['x_note', 'x_one', 'x_two', 'seg_title', 'seg_note'].map((name) => fieldOf(name)),
      fieldOf('x_number', { type: 'integer', integerRestriction: { minInclusive: 1 } }),
      fieldOf('x_time', { type: 'timeCode', defaultValue: '25@PAL' }),
      ...['Segment', 'Show', 'Film'].map((name) => by(`PUT /API/metadata-field/field-group/${name}`)),
    ],
  },
  storages: {
    people: {
      keeper: ['_storage_read', '_storage_write', '_storage_group_read', '_storage_group_write'],
      looker: ['_storage_read', '_storage_group_read', '_storage_rule_read'],
    },
  },
} satisfies Readonly<Record<string, Given>>;

export type Room = keyof typeof table;
type Rooms = Room | readonly Room[];

export interface RoomWorld extends World {
  readonly storage: MemoryStorage;
  /** Contents of the storages VX-1, VX-2 and VX-3. */
  readonly from: MemoryFolder;
  readonly to: MemoryFolder;
  readonly third: MemoryFolder;
}

export interface WorldOptions extends ServiceOptions {
  /** The storage in memory, as the service gets it. */
  scheme?(inner: StorageScheme): StorageScheme;
}

const entriesOf = (rooms: Rooms): readonly Given[] =>
  [rooms].flat().flatMap((room) => {
    const { after, ...given }: Given = table[room as Room];
    return after === undefined ? [given] : [...entriesOf(after as Room), given];
  });

/** The requests that make what is given to rooms. */
export function givenTo(rooms: Rooms): readonly Sent[] {
  const entries = entriesOf(rooms);
  const roles = new Map<string, Set<string>>();
  for (const { people = {} } of entries)
    for (const [name, more] of Object.entries(people)) roles.set(name, new Set([...(roles.get(name) ?? []), ...more]));
  const users = [...roles].map(([name, of]) => newUser(person(name), [...of]));
  return [...entries.flatMap(({ groups = [] }) => groups), ...users, ...entries.flatMap(({ sent = [] }) => sent)];
}

/** A service with all that is given to the rooms. It ends with the test, unless `open` says otherwise. */
export async function worldOf(
  rooms: Rooms,
  { scheme = (inner) => inner, ...options }: WorldOptions = {},
  open: Entry['open'] = (given) => openWorld('fetch', given),
): Promise<RoomWorld> {
  const clock = options.clock ?? testClock();
  const storage = memoryStorage(() => clock.now());
  const settings = Object.assign({}, ...entriesOf(rooms).map((given) => given.settings), options.settings);
  const plugins = [memoryPlugin(scheme(storage)), ...(options.plugins ?? [])];
  const isDefault = startsAsUsual({ ...options, clock }) && !options.database && !options.security;
  const world = await open({
    ...options,
    ...{ clock, plugins, settings },
    ...(isDefault && { database: await databaseOf(rooms) }),
  });
  if (!isDefault) await fill(world, rooms);
  const [from, to, third] = ['in', 'out', 'third'].map((name) => storage.place(`memory:///${name}/`));
  return { ...world, storage, from: from!, to: to!, third: third! };
}

/** The same for all tests of a block. */
export function sharedWorld(rooms: Rooms, options?: WorldOptions): () => RoomWorld {
  const ends: (() => Promise<unknown>)[] = [];
  let world: RoomWorld | undefined;
  beforeAll(async () => {
    world = await worldOf(rooms, options, (given = {}) => openBehind('fetch', given, (end) => ends.push(end)));
  });
  afterAll(async () => {
    for (const end of ends.splice(0)) await end();
    world = undefined;
  });
  return () => world!;
}

/** For `worldOf`: the test closes the service. */
export const untilClosed: Entry['open'] = (options = {}) => openBehind('fetch', options, () => undefined);

/** Copies of a database in which that was done once, because the requests take longer than most tests. */
export const databaseAfter = (done: (world: World) => Promise<unknown>): (() => Promise<Database>) =>
  copiesOf(async (database) => {
    const ends: (() => Promise<void>)[] = [];
    await done(await openBehind('fetch', { database }, (end) => ends.push(end)));
    for (const end of ends) await end();
  });

const databases = new Map<string, () => Promise<Database>>();

function databaseOf(rooms: Rooms): Promise<Database> {
  const key = [rooms].flat().join();
  const copy = databases.get(key) ?? databaseAfter((world) => fill(world, rooms));
  databases.set(key, copy);
  return copy();
}

/** Fills a service that is there, as `worldOf` does. */
export async function fill({ service }: Pick<TestService, 'service'>, rooms: Rooms): Promise<void> {
  const entries = entriesOf(rooms);
  const storages = Math.max(0, ...entries.map((given) => given.storages ?? 0));
  for (const [at, name] of ['in', 'out', 'third'].slice(0, storages).entries())
    await storageRows({ service }, { id: `VX-${at + 1}`, uri: `memory:///${name}/` });
  for (const sent of givenTo(rooms)) {
    const answer = await service.fetch(requestOf('http://portico.test', sent));
    if (answer.status >= 300) throw new Error(`${sent.request}: ${answer.status} ${await answer.text()}`);
  }
  const changes = entries.flatMap((given) => given.rows ?? []).map((sql) => ({ sql, args: [] }));
  if (changes.length > 0) await service.store.commit({ changes, events: [] }, { user: 'test' });
}

/** A storage with one method, by rows: for tests of what comes behind its routes. */
export async function storageRows(
  { service }: Pick<TestService, 'service'>,
  { id = 'VX-1', uri = 'memory:///in/', type = 'LOCAL', scanInterval = 60 } = {},
): Promise<string> {
  const serial = Number(id.slice(id.indexOf('-') + 1));
  const changes = [
    {
      sql: `INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark,
              scan_interval, show_importables, priority, rest, version, created_at)
            VALUES (?1, ?2, ?3, 'NONE', 1000000, 0, 100, 100, ?4, 1, 'MEDIUM', '{}', 1, 0)`,
      args: [id, serial, type, scanInterval],
    },
    {
      sql: `INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
            VALUES (?1, ?2, ?1, ?3, 1, 1, 1, 0, '', 1)`,
      args: [id, serial, uri],
    },
  ];
  await service.store.commit({ changes, events: [] }, { user: 'test' });
  return id;
}
