import type { EventTable } from '../core/events/event-kinds.ts';
import type { SettingTable } from '../core/settings/kinds.ts';
import type { Participant } from '../core/store/contract.ts';
import type { Migration } from '../core/store/migrations.ts';
import type { WorkKind } from '../core/work/work-kind.ts';
import type { RouteGroup } from '../http/route-group.ts';
import type { ComponentKinds, Components } from '../spi/index.ts';
import type { RoomCommands } from './command.ts';
import type { Check, Forgetters, ReleaseField, RoomContext, Services } from './context.ts';
import type { EntityKinds } from './entity.ts';
import type { Hooked } from './hook.ts';
import type { JobType } from './jobs/job-type.ts';
import type { KnownProperties } from './properties.ts';

declare global {
  /**
   * Whether this is a module that `portico bundle` wrote. It runs no command and writes no schema, so both are left out
   * of it: esbuild knows the value. Undefined elsewhere.
   */
  var isEdgeModule: true | undefined;
}

/** A room with its dependencies injected. */
export interface OpenRoom {
  readonly routes?: readonly RouteGroup[];
  /** Extends the commits of all rooms. */
  readonly participants?: readonly Participant[];
  /** Work of an extension for rooms of the core. */
  readonly hooks?: readonly Hooked[];
  /** Kinds of entities that other rooms attach data to. */
  readonly entities?: EntityKinds;
  /** Parts of the self-test. */
  readonly checks?: readonly Check[];
  readonly services?: Partial<Services>;
  /** Interface for commands and tests. */
  readonly provides?: object;
  /** Runs before the first request, when the database is ready. */
  start?(): Promise<void>;
  /** Statements for the commit that deletes an entity, also an entity of another room. */
  readonly onDelete?: Partial<Forgetters>;
  /** Kinds of background work. */
  readonly workers?: readonly WorkKind[];
  /** Types of jobs whose steps the room runs. */
  readonly jobTypes?: readonly JobType[];
  /** Ends whatever would delay a stop, such as waiting connections. */
  quiet?(): void;
  /** Finishes accepted work. Rooms close in the reverse order of their list. */
  close?(): Promise<void>;
}

/** Part of the service that an operator may leave out. */
export interface Extension {
  /** Sentence on what is missing without the extension. */
  readonly says: string;
  /** Extensions that it is built on. It is left out with each of them. */
  readonly needs?: readonly string[];
}

/** Contribution of a room. `service.ts` folds the list of rooms in `rooms.ts` and names none of them. */
export interface Room {
  readonly name: string;
  /** Undefined: a room of the core, which is always there. */
  readonly extension?: Extension;
  /** Set if a bundle has this value in the place of an extension that it leaves out. */
  readonly isLeftOut?: true;
  /** Modules with documents of the room, one for each root element. Their other exports are passed over. */
  readonly documents?: readonly Readonly<Record<string, unknown>>[];
  /** Tables of the room. A test compares them with the migrated database. */
  readonly tables?: Readonly<Record<string, unknown>>;
  /** Shipped components that the room lends to security.ini, because both may be left out. */
  readonly components?: { readonly [K in keyof ComponentKinds]?: Components<ComponentKinds[K]> };
  /** Statements after the creation of all tables: triggers, views and first rows. */
  readonly schema?: readonly string[];
  /** Changes of the schema since the first release. */
  readonly migrations?: readonly Migration[];
  /** Events of the room, by name. */
  readonly events?: EventTable;
  /** Settings for operators. */
  readonly settings?: SettingTable;
  /** Throws a SettingError for incompatible settings. */
  checkSettings?(settings: never): void;
  /** Properties that administrators set through the API. */
  readonly properties?: KnownProperties;
  /** Roles that initialisation creates. */
  readonly roles?: readonly string[];
  /** Metadata fields that initialisation creates. */
  readonly fields?: readonly ReleaseField[];
  /** Commands of the command line. */
  readonly commands?: RoomCommands;
  open?(context: RoomContext<never>): OpenRoom;
}

/** Checks the declaration of a room and keeps its type. */
export const defineRoom = <const R extends Room>(room: R): R => room;

/** Roles for reading and writing of each area: `_file_read`, `_file_write`. */
export const readAndWrite = (...areas: readonly string[]): readonly string[] =>
  areas.flatMap((area) => [`_${area}_read`, `_${area}_write`]);
