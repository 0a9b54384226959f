import { sql } from '../../core/store/statement.ts';
import { before, deleted, triggers, updated } from '../../core/store/triggers-sql.ts';

/**
 * Text of a change set that the state of its entity tells: `+`, its place in the list of change sets of the state, and
 * `s` if it is the service's own. Values of entities that never changed are so stored once. When the state changes or
 * goes, triggers write the text itself.
 */
export const toldByState = (place: number, isSystem: boolean): string => `+${place}${isSystem ? 's' : ''}`;

const ofSystem = '{"system":true}';

/** End of a text, behind its timespans. */
export const endOfText = (isSystem: boolean): string => (isSystem ? `,${ofSystem}]` : ']');

const isTold = (delta: string): string => `substr(${delta}, 1, 1) = '+'`;

/** The whole text, from the document of the state: see `logTextIn`. */
function textFrom(delta: string, doc: string): string {
  const ofChangeSet = `(field.value ->> 1) % json_array_length(${doc}, '$.c') = CAST(substr(${delta}, 2, 1) AS INTEGER)`;
  const fields = `(SELECT json_group_array(json_array(field.value -> 0, field.value -> 2))
      FROM json_each(${doc}, '$.s[0][1]') AS field WHERE ${ofChangeSet})`;
  const spans = `json_array(json_array(0, json(${fields})))`;
  return `CASE substr(${delta}, 3) WHEN 's' THEN json_array(${spans}, json('${ofSystem}')) ELSE json_array(${spans}) END`;
}

/** Text of a row of `metadata_change_set`. */
export const logText = sql<string>`CASE WHEN ${sql.raw(isTold('metadata_change_set.delta'))} THEN (
    SELECT ${sql.raw(textFrom('metadata_change_set.delta', 'told.doc'))} FROM metadata_state AS told
    WHERE told.owner_type = metadata_change_set.owner_type AND told.owner_id = metadata_change_set.owner_id)
  ELSE metadata_change_set.delta END`;

/** A state of version 1 is as the first commit wrote it, and later ones have written the texts. */
const written = () => `UPDATE metadata_change_set SET delta = ${textFrom('delta', 'OLD.doc')}
  WHERE owner_type = OLD.owner_type AND owner_id = OLD.owner_id AND ${isTold('delta')}`;

export const logTextTriggers = (): readonly string[] =>
  triggers({
    metadata_state_changed: before(updated('metadata_state', 'doc', written, 'OLD.version = 1')),
    metadata_state_gone: before(deleted('metadata_state', written, 'OLD.version = 1')),
  });
