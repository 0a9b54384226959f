import type { Description } from '../documents/index.ts';
import type { EventTable } from '../events/define.ts';
import type { RouteGroup } from '../http/route-group.ts';
import type { JobType } from '../jobs/job-type.ts';
import type { SettingTable } from '../settings/kinds.ts';
import type { Participant } from '../store/contract.ts';
import type { Migration } from '../store/migrations/migration.ts';
import type { WorkKind } from '../work/kind.ts';
import type { RoomCommands } from './command.ts';
import type { EntityKinds } from './entity.ts';
import type { Check, Forgetters, House, Offices, ReleaseField } from './house.ts';
import type { PropertyTable } from './properties.ts';

/** A room whose parts are lent to it. */
export interface OpenRoom {
  readonly routes?: readonly RouteGroup[];
  /** What it adds to the commits of all rooms. */
  readonly participants?: readonly Participant[];
  /** The kinds of entities that other rooms keep something about. */
  readonly entities?: EntityKinds;
  /** Parts of the self-test. */
  readonly checks?: readonly Check[];
  readonly offices?: Partial<Offices>;
  /** What commands and tests ask it for. */
  readonly offers?: object;
  /** What it does before the first request, when the database is ready. */
  start?(): Promise<void>;
  /** What it forgets in the commit that deletes an entity, also one of another room. */
  readonly onDelete?: Partial<Forgetters>;
  /** Its kinds of work beside requests. */
  readonly workers?: readonly WorkKind[];
  /** The types of jobs whose steps it takes. */
  readonly jobTypes?: readonly JobType[];
  /** Ends what would hold up a stop, such as connections that wait. */
  quiet?(): void;
  /** Finishes what was accepted. Rooms close in the reverse order of their list. */
  close?(): Promise<void>;
}

/** All that a room brings to the house. `service.ts` folds the list of rooms in `rooms.ts` and names none of them. */
export interface Room {
  readonly name: string;
  /** Its documents, one per root element. */
  readonly documents?: readonly Description[];
  /** Its part of the schema; a test compares it with the migrated database. */
  readonly tables?: Readonly<Record<string, unknown>>;
  readonly migrations?: readonly Migration[];
  /** Everything that can happen in it, by name. */
  readonly events?: EventTable;
  /** What an operator sets. */
  readonly settings?: SettingTable;
  /** Throws a SettingError where settings do not go together. */
  checkSettings?(settings: never): void;
  /** What administrators set through the API. */
  readonly properties?: PropertyTable;
  /** Roles that initialisation creates. */
  readonly roles?: readonly string[];
  /** Metadata fields that initialisation creates. */
  readonly fields?: readonly ReleaseField[];
  /** Of the command line. */
  readonly commands?: RoomCommands;
  open?(house: House<never>): OpenRoom;
}

/** Keeps the type of what a room declares, and checks it. */
export const defineRoom = <const R extends Room>(room: R): R => room;

/** The two roles of each area: `_file_read`, `_file_write`. */
export const readAndWrite = (...areas: readonly string[]): readonly string[] =>
  areas.flatMap((area) => [`_${area}_read`, `_${area}_write`]);
