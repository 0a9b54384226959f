import type Database from 'libsql';
import type { SqlValue } from '../../../src/core/store/contract.ts';

/** The rows of an item that the service made, as patterns for those of other items: nobody spells the tables again. */

/** Values that differ between two items. */
export interface ItemMarks {
  readonly id: string;
  readonly serial: number;
  /** Values of the fields, one for each field. */
  readonly values: readonly string[];
  /** Ids of the owner's entry, the shape, its component and the change sets, in this order. */
  readonly ids: readonly string[];
  readonly owner: string;
  readonly collection: string;
  readonly time: number;
  /** Among the members of the collection. */
  readonly position: number;
}

type Slot = (marks: ItemMarks) => SqlValue;
type Part = string | Slot;

/** The tables of an item, and how its rows are found by its id. A row comes ahead of those that need it. */
const tables = [
  ['collection_member', `member_type = 'item' AND member_id = ?`, []],
  ['item', 'id = ?', ['context']],
  ['access_entry', `entity_type = 'item' AND entity_id = ?`, []],
  ['metadata_state', `owner_type = 'item' AND owner_id = ?`, []],
  ['metadata_change_set', `owner_type = 'item' AND owner_id = ?`, []],
  ['shape', 'item_id = ?', []],
  ['shape_tagged', 'item_id = ?', []],
  ['component', 'shape_id = (SELECT id FROM shape WHERE item_id = ?)', []],
] as const;

/** A time of these years, in milliseconds. */
const isTime = (value: unknown): boolean => typeof value === 'number' && value > 1.6e12 && value < 4e12;
const times = '\\b[12]\\d{12}\\b';
const numberIn = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

export interface RowTemplate {
  readonly table: string;
  readonly columns: readonly string[];
  readonly slots: readonly Slot[];
}

/** The rows of one item that is there. `marks`: what is its own in them. */
export function rowTemplatesOf(database: Database.Database, marks: ItemMarks): readonly RowTemplate[] {
  return tables.flatMap(([table, where, left]) => {
    const rows = database.prepare(`SELECT * FROM ${table} WHERE ${where} ORDER BY 1, 2`).all([marks.id]);
    return (rows as Readonly<Record<string, SqlValue>>[]).map((row) => {
      const columns = Object.keys(row).filter((name) => !(left as readonly string[]).includes(name) && name[0] !== '_');
      return { table, columns, slots: columns.map((name) => slotOf(name, row[name]!, marks)) };
    });
  });
}

function slotOf(column: string, value: SqlValue, marks: ItemMarks): Slot {
  if (column === 'position' && typeof value === 'number' && value > 1000) return ({ position }) => position;
  if (typeof value === 'number') {
    if (isTime(value)) return ({ time }) => time;
    if (value === marks.serial) return ({ serial }) => serial;
    const id = marks.ids.findIndex((each) => numberIn(each) === value);
    return id < 0 ? () => value : ({ ids }) => numberIn(ids[id]!);
  }
  if (typeof value !== 'string') return () => value;
  if (column === 'user_id') return ({ owner }) => owner;
  if (column === 'collection_id') return ({ collection }) => collection;
  const parts = partsOf(value, marks);
  if (parts.every((part) => typeof part === 'string')) return () => value;
  return (other) => parts.map((part) => (typeof part === 'string' ? part : part(other))).join('');
}

/** A text cut at what differs. Markers are distinct, and none begins with another one that comes first. */
function partsOf(text: string, { id, ids, values, time }: ItemMarks): readonly Part[] {
  const slots = new Map<string, Slot>([
    ...values.map((value, at): [string, Slot] => [value, (other) => other.values[at]!]),
    ...ids.map((each, at): [string, Slot] => [each, (other) => other.ids[at]!]),
    [id, (other) => other.id],
    [new Date(time).toISOString(), (other) => new Date(other.time).toISOString()],
  ]);
  const markers = [...slots.keys()].toSorted((one, other) => other.length - one.length);
  const cut = new RegExp(`(${markers.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')}|${times})`);
  return text
    .split(new RegExp(cut.source))
    .map((part, index) => (index % 2 === 0 ? part : (slots.get(part) ?? ((other: ItemMarks) => other.time))));
}
