import { deleted, goesWith, inserted, triggers, updated } from '../../core/store/triggers-sql.ts';

const isRuled = 'EXISTS (SELECT 1 FROM storage_rule)';

/** Queues components as new rows: the serial shows whether a decision is still valid. */
const due = (components: string): readonly string[] => [
  `DELETE FROM placing_due WHERE component_id IN (${components})`,
  `INSERT INTO placing_due (component_id, due) SELECT DISTINCT id, 0 FROM
    (${components.replace('SELECT component_id', 'SELECT component_id AS id')})`,
];

const ofUse = (row: string) => due(`SELECT ${row}.component_id AS id`);
const ofFile = () => due('SELECT component_id FROM file_use WHERE file_id = NEW.id');
const ofShape = (row: string) => due(`SELECT id FROM component WHERE shape_id = ${row}.shape_id`);
const ofCopy = () => due('SELECT component_id FROM placing_copy WHERE job_id = OLD.job_id');

const walk = (kind: string, id: string): readonly string[] => [
  `DELETE FROM placing_walk WHERE kind = ${kind} AND id = ${id}`,
  `INSERT INTO placing_walk (kind, id, cursor) VALUES (${kind}, ${id}, '')`,
];

const walkOfRule = (row: string) =>
  walk(
    `CASE WHEN ${row}.entity_type <> 'GENERIC' THEN ${row}.entity_type WHEN ${row}.tag = '' THEN 'ALL' ELSE 'TAG' END`,
    `CASE WHEN ${row}.entity_type <> 'GENERIC' THEN ${row}.entity_id ELSE ${row}.tag END`,
  );
const walkOfAll = () => walk("'ALL'", "''");
const walkOfMember = (row: string) => walk(`upper(${row}.member_type)`, `${row}.member_id`);
const walkOfShape = (row: string) => walk("'SHAPE'", `${row}.shape_id`);

const closed = `IN ('CLOSED', 'BEING_READ', 'ARCHIVED')`;
const opensOrMoves = `((OLD.state ${closed}) <> (NEW.state ${closed}) OR OLD.storage_id <> NEW.storage_id)`;
const becomesClosed = `NEW.state = 'CLOSED' AND OLD.state NOT IN ('CLOSED', 'BEING_READ')`;
const isOfCollection = `EXISTS (SELECT 1 FROM storage_rule WHERE entity_type = 'COLLECTION')`;

const rules = (type: string) => ({ storage_rule: { entity_type: `'${type}'`, entity_id: 'OLD.id' } });

/** Triggers that queue components. Without storage rules they write nothing. */
export const placingTriggers = (): readonly string[] =>
  triggers({
    placing_file_used: inserted('file_use', ofUse, isRuled),
    placing_file_unused: deleted('file_use', ofUse, isRuled),
    placing_use_moved: updated('file_use', 'item_id, shape_id', ofUse, isRuled),
    placing_file_closed: updated('file', 'state, storage_id', ofFile, `${opensOrMoves} AND ${isRuled}`),
    placing_tagged: inserted('shape_tagged', ofShape, isRuled),
    placing_untagged: deleted('shape_tagged', ofShape, isRuled),
    placing_copy_ended: deleted('file_job', ofCopy, 'EXISTS (SELECT 1 FROM placing_copy WHERE job_id = OLD.job_id)'),
    placing_component_gone: deleted(
      'component',
      goesWith({ placing_due: 'component_id', placing_copy: 'component_id' }),
    ),
    placing_rule_made: inserted('storage_rule', walkOfRule),
    placing_rule_changed: updated('storage_rule', '', walkOfRule),
    placing_rule_gone: deleted('storage_rule', walkOfRule, isRuled),
    placing_group_joined: inserted('storage_group_member', walkOfAll, isRuled),
    placing_group_left: deleted('storage_group_member', walkOfAll, isRuled),
    placing_member_added: inserted('collection_member', walkOfMember, isOfCollection),
    placing_member_removed: deleted('collection_member', walkOfMember, isOfCollection),
    placing_item_gone: deleted('item', goesWith(rules('ITEM'))),
    placing_collection_gone: deleted('collection', goesWith(rules('COLLECTION'))),
  });

const hasFolders = 'EXISTS (SELECT 1 FROM collection_folder)';
const inFolder = (row: string): string =>
  `EXISTS (SELECT 1 FROM collection_folder WHERE collection_id = ${row}.collection_id AND mapped = 1)`;
const walkOfFolder = () => walk("'COLLECTION'", 'NEW.collection_id');

/** Items in mapped folders that use a file. */
const itemsInFolders = (file: string): string => `SELECT DISTINCT used.item_id FROM file_use AS used
      CROSS JOIN collection_member AS m ON m.member_type = 'item' AND m.member_id = used.item_id
      CROSS JOIN collection_folder AS f ON f.collection_id = m.collection_id AND f.mapped = 1
      WHERE used.file_id = ${file}`;

const walkOfItems = (file: string): readonly string[] => [
  `DELETE FROM placing_walk WHERE kind = 'ITEM' AND id IN (${itemsInFolders(file)})`,
  `INSERT INTO placing_walk (kind, id, cursor) SELECT 'ITEM', item_id, '' FROM (${itemsInFolders(file)})`,
];
const walkOfUse = (row: string) => walkOfItems(`${row}.file_id`);

/** Triggers for collections as folders: files that may have to move are queued for the storage rules. */
export const folderTriggers = (): readonly string[] =>
  triggers({
    folder_made: inserted('collection_folder', walkOfFolder, 'NEW.mapped = 1'),
    folder_changed: updated('collection_folder', '', walkOfFolder, 'NEW.mapped = 1 OR OLD.mapped = 1'),
    folder_member_added: inserted('collection_member', walkOfMember, inFolder),
    folder_member_removed: deleted('collection_member', walkOfMember, inFolder),
    folder_file_used: inserted('file_use', walkOfUse, hasFolders),
    // A file may now follow the folder of another item.
    folder_use_moved: updated('file_use', 'item_id', walkOfUse, `NEW.item_id <> OLD.item_id AND ${hasFolders}`),
    folder_file_unused: deleted('file_use', walkOfUse, hasFolders),
    // While a shape named the file, no folder could.
    folder_name_gone: deleted(
      'shape_filename',
      walkOfShape,
      `${hasFolders} AND EXISTS (SELECT 1 FROM shape WHERE id = OLD.shape_id)`,
    ),
    folder_file_closed: updated('file', 'state', walkOfItems('NEW.id'), `${becomesClosed} AND ${hasFolders}`),
  });

const isOfLibrary = (row: string): string =>
  `EXISTS (SELECT 1 FROM storage_rule WHERE entity_type = 'LIBRARY' AND entity_id = ${row}.library_id)`;
const walkOfItem = (row: string) => walk("'ITEM'", `${row}.item_id`);

/** Triggers for rules about shapes and libraries, and for file names given by shapes. */
export const shapeRuleTriggers = (): readonly string[] =>
  triggers({
    placing_name_made: inserted('shape_filename', walkOfShape),
    placing_named_file: inserted(
      'file_use',
      walkOfShape,
      'EXISTS (SELECT 1 FROM shape_filename WHERE shape_id = NEW.shape_id)',
    ),
    placing_named_closed: updated(
      'file',
      'state',
      [
        `DELETE FROM placing_walk WHERE kind = 'SHAPE'
          AND id IN (SELECT shape_id FROM file_use WHERE file_id = NEW.id)`,
        `INSERT INTO placing_walk (kind, id, cursor)
          SELECT DISTINCT 'SHAPE', shape_id, '' FROM file_use WHERE file_id = NEW.id`,
      ],
      `${becomesClosed} AND EXISTS (SELECT 1 FROM shape_filename WHERE storage_id = NEW.storage_id)`,
    ),
    shape_rules_gone: deleted('shape', goesWith({ shape_filename: 'shape_id', ...rules('SHAPE') })),
    storage_filenames_gone: updated(
      'storage',
      'deleted_at',
      goesWith({ shape_filename: 'storage_id' }),
      'NEW.deleted_at IS NOT NULL',
    ),
    placing_library_joined: inserted('library_item', walkOfItem, isOfLibrary),
    placing_library_left: deleted('library_item', walkOfItem, isOfLibrary),
    placing_library_gone: deleted('library', goesWith(rules('LIBRARY'))),
  });
