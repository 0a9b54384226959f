import type { Description } from '../core/documents/index.ts';
import * as sharedDocuments from '../core/documents/shared-documents.ts';
import { isRecord } from '../core/lib/checks.ts';
import type { ExtensionMigrations, Migration } from '../core/store/migrations.ts';
import { firstMigration, firstOfExtension } from '../core/store/migrations.ts';
import type { Forgetters, ReleaseField, Services } from './context.ts';
import type { OpenRoom, Room } from './define-room.ts';
import type { EntityKind, EntityKinds } from './entity.ts';

/** Intersection of the types that all rooms have under a key. */
type Folded<R extends readonly Room[], K extends keyof Room> = R extends readonly [infer First, ...infer Rest]
  ? (First extends { readonly [N in K]: infer T } ? T : unknown) & Folded<Rest extends readonly Room[] ? Rest : [], K>
  : unknown;

/** Merges the tables of all rooms. Throws if two rooms use the same name. */
export const mergeRooms = <R extends readonly Room[], K extends 'events' | 'settings' | 'properties'>(
  rooms: R,
  key: K,
): Folded<R, K> => join(rooms.map((room) => [room.name, room[key]])) as Folded<R, K>;

export const mergeRoles = (rooms: readonly Room[]): readonly string[] =>
  rooms.flatMap(({ roles = [] }) => [...roles]).sort();

/** All documents of the service, by name. */
export const mergeDocuments = (rooms: readonly Room[]): readonly Description[] =>
  [sharedDocuments, ...rooms.flatMap(({ documents = [] }) => documents)]
    .flatMap((module): unknown[] => Object.values(module))
    .filter(isDescription)
    .sort((a, b) => (a.name < b.name ? -1 : 1));

const isDescription = (value: unknown): value is Description => isRecord(value) && value['kind'] === 'document';

const migrationsOf = new WeakMap<readonly Room[], readonly Migration[]>();
const extensionsOf = new WeakMap<Room, ExtensionMigrations>();

/**
 * The first schema of the core, then later changes of it. Numbers are global, so a room's own may lie between those of others. Each
 * list of rooms has one result, because to write the schema and to hash it takes a quarter of the start of a service.
 */
export function mergeMigrations(rooms: readonly Room[]): readonly Migration[] {
  const cached = migrationsOf.get(rooms);
  if (cached) return cached;
  const core = rooms.filter(({ extension }) => extension === undefined);
  const changes = core.flatMap(({ migrations = [] }) => [...migrations]);
  const folded = [firstMigration(core), ...changes.sort((a, b) => a.number - b.number)];
  migrationsOf.set(rooms, folded);
  return folded;
}

/** Migrations of the tables of extensions, each chain made once. */
export const mergeExtensions = (rooms: readonly Room[]): readonly ExtensionMigrations[] =>
  rooms
    .filter(({ extension, tables }) => extension && tables)
    .map((room) => {
      const { name, migrations = [] } = room;
      const chain = extensionsOf.get(room) ?? {
        extension: name,
        migrations: [firstOfExtension(name, room), ...migrations],
      };
      extensionsOf.set(room, chain);
      return chain;
    });

export const mergeFields = (rooms: readonly Room[]): readonly ReleaseField[] =>
  rooms.flatMap(({ fields = [] }) => [...fields]);

/** Joins what open rooms bring under one name. */
const joinRooms = <T>(rooms: ReadonlyMap<string, OpenRoom>, key: 'entities' | 'services') =>
  join([...rooms].map(([name, room]) => [name, room[key]])) as T;

/** The kinds of entities of all rooms, each with a type of its own: two of one type would share their metadata. */
export function mergeEntities(rooms: ReadonlyMap<string, OpenRoom>): EntityKinds {
  const entities = joinRooms<EntityKinds>(rooms, 'entities');
  const kinds = new Map<string, EntityKind>();
  for (const [resource, kind] of Object.entries(entities)) {
    const other = kinds.get(kind.type);
    // A kind may belong to several resources.
    if (other && other !== kind)
      throw new Error(`The kind at ${resource} has the type ${kind.type}, as another one has`);
    kinds.set(kind.type, kind);
  }
  return entities;
}

/** Forgetters of all rooms, in the order of the list. */
export const mergeForgetters = (rooms: readonly OpenRoom[]): Forgetters => ({
  user: (user) => rooms.flatMap(({ onDelete }) => onDelete?.user?.(user) ?? []),
  login: (id, by) => rooms.flatMap(({ onDelete }) => onDelete?.login?.(id, by) ?? []),
});

/** The services, each of which has to be held. */
export function mergeServices(rooms: ReadonlyMap<string, OpenRoom>): Services {
  const services = joinRooms<Partial<Services>>(rooms, 'services');
  const missing = (Object.keys(everyService) as (keyof Services)[]).filter((name) => services[name] === undefined);
  if (missing.length > 0)
    throw new Error(`Expected a room that provides each service: none provides ${missing.join(', ')}`);
  return services as Services;
}

const everyService: Readonly<Record<keyof Services, true>> = {
  directory: true,
  passwords: true,
  oauth2: true,
  cors: true,
  secrets: true,
  explainLevel: true,
  retention: true,
  retentionDays: true,
  kindsOff: true,
  answered: true,
  welcome: true,
  jobNotification: true,
  mailGiven: true,
  startJob: true,
  requestKeys: true,
  depthOf: true,
  depthHeaders: true,
  scheduled: true,
  prepare: true,
};

function join(tables: readonly (readonly [room: string, table: object | undefined])[]): object {
  const all: Record<string, unknown> = {};
  for (const [room, table] of tables) {
    for (const [name, row] of Object.entries(table ?? {})) {
      if (Object.hasOwn(all, name)) throw new Error(`The room ${room} declares ${name}, which another room has`);
      all[name] = row;
    }
  }
  return all;
}
