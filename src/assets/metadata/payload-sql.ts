import type { Statement } from '../../core/store/contract.ts';
import { event } from '../../core/store/schema.ts';
import { sql, statement, value, writes } from '../../core/store/statement.ts';
import { logText } from './log-text-sql.ts';

/**
 * Payloads of events that refer to their change set: see `merge/payload.ts`. A change set that goes or changes is kept for
 * its event, as it was, with the kind of owner `gone`. Its number is negative if it is still in the log.
 */

const isReference = sql`substr(${event.payload}, 1, 1) = '['`;

/** Id and text of the change set that the payload of an event refers to. */
export const changeSetOfEvent = sql<string | null>`CASE WHEN ${isReference} THEN (
    SELECT id || ' ' || ${logText} FROM metadata_change_set
    WHERE serial IN (${event.payload} ->> 0, -(${event.payload} ->> 0)) ORDER BY serial LIMIT 1) END`;

export const payloadBytes = sql<number>`CASE WHEN ${isReference} THEN ${event.payload} ->> 1
    ELSE octet_length(${event.payload}) END`;

/** Texts in the order of the numbers. */
const padded = (number: ReturnType<typeof sql>) => sql`printf('%020d', ${number})`;

/** No event that refers to it comes later. */
const newest = padded(sql`(SELECT max(sequence) FROM event)`);

/** Milliseconds from the change to the event beyond doubt: clocks of instances differ. */
const margin = 24 * 60 * 60_000;
const hasEvent = sql`at > (SELECT at FROM event ORDER BY sequence LIMIT 1) - ${sql.raw(String(margin))}`;

const keepAll = statement(
  sql`UPDATE ${writes('metadata_change_set')} SET owner_type = 'gone', owner_id = ${newest}, delta = ${logText}
    WHERE owner_type = ${value('kind')} AND owner_id = ${value('id')} AND ${hasEvent}`,
);
const keepOne = statement(
  sql`UPDATE ${writes('metadata_change_set')} SET owner_type = 'gone', owner_id = ${newest}, delta = ${logText}
    WHERE serial = ${value('serial')} AND ${hasEvent}`,
);
const keepAsItWas = statement(
  sql`INSERT OR IGNORE INTO ${writes('metadata_change_set')} (serial, id, owner_type, owner_id, user, at, delta, epoch)
    SELECT -serial, id, 'gone', ${newest}, user, at, ${logText}, epoch FROM metadata_change_set
    WHERE serial = ${value('serial')} AND ${hasEvent}`,
);
const forgetKept = statement(
  sql`DELETE FROM ${writes('metadata_change_set')}
    WHERE owner_type = 'gone' AND owner_id <= ${padded(sql`${value('last')}`)}`,
);

/** Before the change sets of an entity are removed. */
export const keepForEvents = (owner: { readonly kind: string; readonly id: string }): Statement => keepAll(owner);

/** Before a change set is removed. */
export const keepOneForEvents = (serial: number): Statement => keepOne({ serial });

/** Before a change set is changed. Later changes keep the first text. */
export const keepTextForEvents = (serial: number): Statement => keepAsItWas({ serial });

/** Change sets that only events up to that one refer to. */
export const forgetKeptSets = (last: number): Statement => forgetKept({ last });
