import { sql } from 'drizzle-orm';
import type { ServiceError } from '../lib/errors.ts';
import type { Statement } from './contract.ts';
import { guard } from './guard.ts';
import { statement, value, writes } from './statement.ts';

/** Gaps among the serials of an entity type: ranges below the next serial that no instance has. */

/** Bound of serials, so that an old id cannot use them up. */
export const largestSerial = 999_999_999_999;

const next = sql`coalesce((SELECT next FROM serial WHERE entity = ${value('entity')}), 1)`;

/** The gap with the highest first serial up to `at` is the only one that can contain `at`: gaps do not overlap. */
const gapBelow = (column: string, at: ReturnType<typeof sql>, only = sql`true`) =>
  sql`(SELECT ${sql.identifier(column)} FROM serial_gap WHERE entity = ${value('entity')} AND first <= ${at}
    AND ${only} ORDER BY first DESC LIMIT 1)`;

/** Guard: no instance has given the serial, or has reserved it. */
const isFree = guard<{ entity: string; serial: number }>(
  sql`${value('serial')} >= ${next} OR ${gapBelow('ends', sql`${value('serial')}`)} > ${value('serial')}`,
);

/** Bounds of the gap that a skip lets grow: one that instances do not take. */
const growing = (column: string) => gapBelow(column, next, sql`free = 0`);

/** Skips the serials below `ends` if no instance has taken `from`. A gap that ends at the next serial grows. */
const skip = [
  sql`INSERT INTO ${writes('serial_gap')} (entity, first, ends)
    SELECT ${value('entity')}, CASE WHEN ${growing('ends')} = ${next} THEN ${growing('first')} ELSE ${next} END,
      ${value('ends')} WHERE ${next} <= ${value('from')}
    ON CONFLICT (entity, first) DO UPDATE SET ends = excluded.ends`,
  sql`INSERT INTO ${writes('serial')} (entity, next) SELECT ${value('entity')}, ${value('ends')} WHERE ${next} <= ${value('from')}
    ON CONFLICT (entity) DO UPDATE SET next = excluded.next`,
].map((template) => statement<{ entity: string; from: number; ends: number }>(template));

/** Skips all serials below `ends` that no instance has taken. */
export const skipBelow = (entity: string, ends: number): readonly Statement[] =>
  skip.map((each) => each({ entity, from: ends - 1, ends }));

/** Old ids come by the thousand: new serials continue far above the first one, so that they do not meet the others. */
const farAbove = (serial: number): number => Math.max(1_000_000, 10 ** String(serial).length);

/** Takes a serial out of a gap that instances take: it becomes a gap of its own, between two others. */
const split = [
  sql`INSERT INTO ${writes('serial_gap')} (entity, first, ends, free)
    SELECT entity, ${value('serial')} + 1, ends, 1 FROM serial_gap
    WHERE entity = ${value('entity')} AND free = 1 AND first <= ${value('serial')} AND ends > ${value('serial')} + 1`,
  sql`INSERT INTO ${writes('serial_gap')} (entity, first, ends, free)
    SELECT entity, ${value('serial')}, ${value('serial')} + 1, 0 FROM serial_gap
    WHERE entity = ${value('entity')} AND free = 1 AND first <= ${value('serial')} AND ends > ${value('serial')}
    ON CONFLICT (entity, first) DO UPDATE SET ends = excluded.ends, free = 0`,
  sql`UPDATE ${writes('serial_gap')} SET ends = ${value('serial')}
    WHERE entity = ${value('entity')} AND free = 1 AND first < ${value('serial')} AND ends > ${value('serial')}`,
].map((template) => statement<{ entity: string; serial: number }>(template));

/** Withholds a serial that nobody has had. Fails with the refusal if an instance has given or reserved it. */
export const withheld = (entity: string, serial: number, refusal: ServiceError): readonly Statement[] => [
  isFree({ entity, serial }, refusal),
  ...split.map((each) => each({ entity, serial })),
  ...skip.map((each) => each({ entity, from: serial, ends: farAbove(serial) })),
];

/** Notes reserved serials that their instance will not give out. Those from the next serial on are no gap. */
export const noteGap = statement<{ entity: string; first: number; ends: number; free: number }>(
  sql`INSERT INTO ${writes('serial_gap')} (entity, first, ends, free)
    SELECT ${value('entity')}, ${value('first')}, ${value('ends')}, ${value('free')} WHERE ${next} >= ${value('ends')}
    ON CONFLICT DO NOTHING`,
);

/** The serial of an id of this site, such as 7 of `VX-7` and `VX*7`. Undefined: the id is of another site. */
export function serialAtSite(site: string, id: string): number | undefined {
  const digits = /^[-*]([1-9]\d*)$/.exec(id.startsWith(site) ? id.slice(site.length) : '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
