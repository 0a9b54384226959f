import { exactKey, fieldKey, fieldNumber } from '../../../src/assets/search/index/keys.ts';
import { cursorText } from '../../../src/assets/search/query/sorting.ts';
import { commonWord, rareWord, wordAt } from './content.ts';
import { type DataSet, firstItem, readers } from './data-set.ts';

/** Question to the service, and the statements that answer it on the same file. */
export interface Question {
  readonly name: string;
  readonly user: string;
  /** Path of `PUT`, without a number of entries. */
  readonly path: string;
  readonly document: object;
  /** Hits, then a page of ids, then what is beside them. */
  readonly sql: readonly Spoken[];
  /** Answered in under 50 ms, whatever the number of items. */
  readonly narrow: boolean;
}

export interface Spoken {
  readonly gives: 'hits' | 'ids' | 'facet' | 'words';
  readonly sql: string;
  readonly args: readonly (string | number)[];
}

export const page = 100;
const below = 2 ** 50;
const text = (value: string) => ({ text: [{ value }] });
const field = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });

const hits = (sql: string, ...args: (string | number)[]): Spoken => ({ gives: 'hits', sql, args });
const ids = (sql: string, ...args: (string | number)[]): Spoken => ({ gives: 'ids', sql, args });

/** Statements for the hits of the text index, the newest first. */
const found = (match: string): readonly Spoken[] => [
  hits(`SELECT count(*) FROM search_text WHERE search_text MATCH ? AND rowid < ${below}`, match),
  ids(
    `SELECT e.entity_id FROM search_text CROSS JOIN search_entity AS e ON e.id = search_text.rowid
      WHERE search_text MATCH ? AND search_text.rowid < ${below} ORDER BY search_text.rowid DESC LIMIT ${page}`,
    match,
  ),
];

/** The contexts in which a reader may read, by entries on collections. */
const contexts = `down (id) AS (
    SELECT entity_id FROM access_entry WHERE user_id = (SELECT id FROM user WHERE name = ?)
      AND entity_type = 'collection' AND permission <> 'NONE'
    UNION SELECT member_id FROM down CROSS JOIN collection_member
      ON collection_id = down.id AND member_type = 'collection'
  ), allowed (context) AS MATERIALIZED (
    SELECT context FROM down CROSS JOIN access_context_parent ON collection_id = down.id)`;

const common = `gw : "${commonWord}"`;

/**
 * The two sides tell the same hits, ids and words, of items alone. The hand-written one knows its data: each item has one value
 * of a field, nobody has an entry but on collections, nothing is timed. It keeps no history, and asks nobody whether a field is closed.
 */
export function questionsOf(set: DataSet): readonly Question[] {
  const admin = { user: 'admin', path: '/item' };
  const exact = `set ${Math.floor(set.items / 400)}`;
  const exactMatch = `gk : "${exactKey(fieldKey('b_exact2'), exact)}"`;
  const [low, high] = [400_000, 409_999];
  const number = fieldNumber('b_number0');
  const date = fieldNumber('b_date0');
  const facet = fieldNumber('b_exact1');
  const beginning = wordAt(3000).slice(0, 4);
  const deep = firstItem + Math.floor(set.items / 10);
  const inShape = `EXISTS (SELECT 1 FROM shape CROSS JOIN shape_tagged ON shape_tagged.shape_id = shape.id
    WHERE shape.item_id = e.entity_id AND tag = 'lowres')`;
  return [
    { name: 'text, 100 hits', ...admin, document: text(rareWord), sql: found(`gw : "${rareWord}"`), narrow: true },
    { name: 'text, a tenth of all', ...admin, document: text(commonWord), sql: found(common), narrow: false },
    { name: 'exact', ...admin, document: field('b_exact2', exact), sql: found(exactMatch), narrow: true },
    {
      name: 'range',
      ...admin,
      document: { field: [{ name: 'b_number0', range: [{ value: [{ value: low }, { value: high }] }] }] },
      sql: [
        hits(
          'SELECT count(*) FROM search_order WHERE field = ? AND tie < 0 AND key BETWEEN ? AND ?',
          number,
          low,
          high,
        ),
        ids(
          `SELECT entity_id FROM search_entity WHERE id IN (
            SELECT -tie FROM search_order WHERE field = ? AND tie < 0 AND key BETWEEN ? AND ?
              ORDER BY tie LIMIT ${page}) ORDER BY id DESC`,
          ...[number, low, high],
        ),
      ],
      narrow: true,
    },
    {
      name: 'sort by date',
      ...admin,
      document: { ...text(commonWord), sort: [{ field: 'b_date0', order: 'descending' }] },
      sql: [
        found(common)[0]!,
        ids(
          `SELECT e.entity_id FROM search_order AS place CROSS JOIN search_entity AS e ON e.id = place.tie
            WHERE place.field = ? AND place.tie > 0
              AND +place.tie IN (SELECT rowid FROM search_text WHERE search_text MATCH ?)
            ORDER BY place.key DESC, place.tie DESC LIMIT ${page}`,
          date,
          common,
        ),
      ],
      narrow: false,
    },
    {
      name: 'facet',
      ...admin,
      document: { ...text(commonWord), facet: [{ field: 'b_exact1', maxResults: 100 }] },
      sql: [
        ...found(common),
        {
          gives: 'facet',
          sql: `SELECT json_group_array(v.val) FROM search_text CROSS JOIN search_value AS v
              ON v.field = ? AND v.entity = search_text.rowid
            WHERE search_text MATCH ? AND search_text.rowid < ${below}`,
          args: [facet, common],
        },
      ],
      narrow: false,
    },
    {
      name: 'join with shape',
      ...admin,
      document: { ...text(commonWord), shape: { field: [{ name: 'tag', value: [{ value: 'lowres' }] }] } },
      sql: [
        hits(
          `SELECT count(*) FROM search_text CROSS JOIN search_entity AS e ON e.id = search_text.rowid
            WHERE search_text MATCH ? AND ${inShape}`,
          common,
        ),
        ids(
          `SELECT e.entity_id FROM search_text CROSS JOIN search_entity AS e ON e.id = search_text.rowid
            WHERE search_text MATCH ? AND ${inShape} ORDER BY search_text.rowid DESC LIMIT ${page}`,
          common,
        ),
      ],
      narrow: false,
    },
    ...(['one', 'half'] as const).map((share): Question => {
      const among =
        '+search_text.rowid IN (SELECT item.serial FROM allowed CROSS JOIN item ON item.context = allowed.context)';
      return {
        name: share === 'one' ? 'text for a reader of 1 percent' : 'text for a reader of half',
        user: readers[share],
        path: '/item',
        document: text(commonWord),
        sql: [
          hits(
            `WITH RECURSIVE ${contexts} SELECT count(*) FROM search_text WHERE search_text MATCH ? AND ${among}`,
            readers[share],
            common,
          ),
          ids(
            `WITH RECURSIVE ${contexts} SELECT e.entity_id FROM search_text
              CROSS JOIN search_entity AS e ON e.id = search_text.rowid
              WHERE search_text MATCH ? AND ${among} ORDER BY search_text.rowid DESC LIMIT ${page}`,
            readers[share],
            common,
          ),
        ],
        narrow: false,
      };
    }),
    {
      name: 'deep cursor',
      user: 'admin',
      path: `/item?count=false&cursor=${cursorText({ terms: [], ascending: false, signature: '[]' }, { keys: [], number: deep, place: undefined })}`,
      document: text(commonWord),
      sql: [
        ids(
          `SELECT e.entity_id FROM search_text CROSS JOIN search_entity AS e ON e.id = search_text.rowid
            WHERE search_text MATCH ? AND search_text.rowid < ? ORDER BY search_text.rowid DESC LIMIT ${page}`,
          ...[common, deep],
        ),
      ],
      narrow: true,
    },
    {
      name: 'autocomplete',
      user: 'admin',
      path: '/search/autocomplete',
      document: { text: beginning, maximumSuggestions: 10 },
      sql: [
        {
          gives: 'words',
          sql: `SELECT word, (SELECT count(*) FROM
                (SELECT 1 FROM search_text WHERE search_text MATCH '{gw tw} : ' || word AND rowid < ${below} LIMIT 1000)) AS hits
              FROM search_term WHERE word >= ? AND word < ? ORDER BY hits DESC, word LIMIT 10`,
          args: [beginning, `${beginning}{`],
        },
      ],
      narrow: true,
    },
  ];
}
