import type { Sent } from '../../support/matrix.ts';
import { assetRowsOf, numberOf } from '../roles/assets.ts';
import { attachmentRowsOf } from '../roles/attachments.ts';
import { fileOf } from '../roles/files.ts';
import type { Rule } from '../roles/rule.ts';
import { shapeRowsOf, tagOf } from '../roles/shapes.ts';
import { canary, type Named, type Narrow } from './case.ts';
import { change, inOrder, library, one, other, type Rows } from './rows.ts';

/** An answer that leaves out what its caller may not read. */
export interface Told {
  readonly name: string;
  readonly rule: Required<Pick<Rule, 'rows' | 'request'>>;
  /** Entities that the caller may read, and the one that it may not read at first. */
  readonly open: (who: string) => readonly Named[];
  readonly closed: (who: string) => Named;
  /** Words that only a reader of the closed one is told. */
  readonly words: (who: string) => string;
  /** Instead of no entry at all: an entry for some of it that says no. */
  readonly narrow?: (who: string) => Narrow | readonly Narrow[];
}

const item = (id: string): Named => ({ type: 'item', id, level: 'READ' });
const collection = (id: string): Named => ({ type: 'collection', id, level: 'READ' });

type Row = readonly [
  route: string,
  rows: Rows,
  request: (who: string) => string,
  open: Told['open'],
  closed: Told['closed'],
  words: Told['words'],
  narrow?: NonNullable<Told['narrow']>,
];

const marked = change(
  `INSERT INTO key_value (entity_type, entity_id, key, position, value)
  VALUES ('deletion-lock', 'VX-' || ?1, 'mark', 0, 'mark-' || ?1)`,
  numberOf,
);
const markedOfFile = change(
  `INSERT INTO key_value (entity_type, entity_id, key, position, value)
  VALUES ('deletion-lock', 'F-' || ?1, 'mark', 0, 'mark-' || ?1)`,
  numberOf,
);
const rarely = change(`UPDATE library SET update_frequency = ?1 WHERE id = 'VX*' || ?1`, numberOf);
/** The first item is below the collection, and the other one is, too. */
const alsoMember = change(
  `INSERT INTO collection_member (collection_id, member_type, member_id, position, reference)
  VALUES ('VX-' || ?1, 'item', 'VX-' || (?1 + 1), 2, 'S-' || ?1)`,
  numberOf,
);

const inVersion = change('UPDATE shape SET essence_version = 3 WHERE id = ?', fileOf);

/** The item shows another one. Nothing else has a name. */
const sequenceOfAsset = inOrder(
  change(
    `UPDATE attachment SET content = CAST(? AS BLOB) WHERE owner_id = ? AND name = 'vidispine'`,
    (who) => {
      const time = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
      const times = { in: time(0), out: time(1), sourceIn: time(0), sourceOut: time(1) };
      return JSON.stringify({ track: [{ segment: [{ item: one(who), sourceTrack: 1, ...times }] }] });
    },
    fileOf,
  ),
  change(
    `INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
      VALUES ('item', ?, 1, 0, 0, '{"c":[],"s":[]}')`,
    fileOf,
  ),
);

const itemAt = (who: string): string => `/item/${fileOf(who)}`;
const noShape = (who: string): Narrow => ({ operation: 'SHAPE', extradata: tagOf(who), level: 'NONE' });
const noUri = (): Narrow => ({ operation: 'URI', extradata: null, level: 'NONE' });
const none = (): Named[] => [];
const ofShape = (who: string): Named => item(fileOf(who));

const table: readonly Row[] = [
  [
    'GET /collection/:collection',
    inOrder(assetRowsOf, alsoMember),
    (who) => `/collection/${one(who)}`,
    (who) => [collection(one(who))],
    (who) => item(other(who)),
    other,
  ],
  [
    'GET /item/:item/collections',
    assetRowsOf,
    (who) => `/item/${one(who)}/collections`,
    (who) => [item(one(who))],
    (who) => collection(one(who)),
    one,
  ],
  [
    'GET /item/:item/library',
    assetRowsOf,
    (who) => `/item/${one(who)}/library`,
    (who) => [item(one(who))],
    (who) => ({ type: 'library', id: library(who), level: 'READ' }),
    library,
  ],
  [
    'GET /item/:item/relation',
    assetRowsOf,
    (who) => `/item/${one(who)}/relation`,
    (who) => [item(one(who))],
    (who) => item(other(who)),
    other,
  ],
  [
    'GET /library/:library',
    assetRowsOf,
    (who) => `/library/${library(who)}`,
    (who) => [{ type: 'library', id: library(who), level: 'READ' }],
    (who) => item(one(who)),
    one,
  ],
  [
    'GET /library',
    inOrder(assetRowsOf, rarely),
    (who) => `/library?frequencyFrom=${numberOf(who)}&frequencyTo=${numberOf(who)}`,
    none,
    (who) => ({ type: 'library', id: library(who), level: 'READ' }),
    library,
  ],
  [
    'GET /deletion-lock',
    inOrder(assetRowsOf, marked),
    (who) => `/deletion-lock?metadata=mark%3Dmark-${numberOf(who)}`,
    none,
    (who) => item(one(who)),
    one,
  ],
  [
    'GET /deletion-lock, of a file',
    inOrder(assetRowsOf, markedOfFile),
    (who) => `/deletion-lock?metadata=mark%3Dmark-${numberOf(who)}`,
    none,
    (who) => item(one(who)),
    (who) => `F-${numberOf(who)}`,
  ],
  ['GET /file/:file/item', shapeRowsOf, (who) => `/file/${fileOf(who)}/item`, none, ofShape, fileOf],
  ['GET /file/:file/shape', shapeRowsOf, (who) => `/file/${fileOf(who)}/shape`, none, ofShape, tagOf],
  [
    'GET /item/:item/shape',
    shapeRowsOf,
    (who) => `${itemAt(who)}/shape`,
    none,
    ofShape,
    (who) => `${fileOf(who)}<`,
    noShape,
  ],
  [
    'GET /item/:item/shape/version',
    inOrder(shapeRowsOf, inVersion),
    (who) => `${itemAt(who)}/shape/version`,
    none,
    ofShape,
    () => 'version/3',
    noShape,
  ],
  [
    'GET /item/:item/shape/version/:version',
    shapeRowsOf,
    (who) => `${itemAt(who)}/shape/version/0`,
    none,
    ofShape,
    (who) => tagOf(who),
    noShape,
  ],
  [
    'GET /item/:item, with shapes',
    shapeRowsOf,
    (who) => `${itemAt(who)}?content=shape`,
    none,
    ofShape,
    (who) => tagOf(who),
    noShape,
  ],
  [
    'GET /item/:item, with addresses',
    shapeRowsOf,
    (who) => `${itemAt(who)}?content=uri`,
    none,
    ofShape,
    () => 'a.mov',
    noUri,
  ],
  ['GET /item/:item/uri', shapeRowsOf, (who) => `${itemAt(who)}/uri`, none, ofShape, () => 'a.mov', noUri],
  [
    'GET /item/:item/uri, of one type alone',
    shapeRowsOf,
    (who) => `${itemAt(who)}/uri`,
    none,
    ofShape,
    () => 'a.mov',
    () => [noUri(), { operation: 'URI', extradata: 'mxf', level: 'READ' }],
  ],
  [
    'GET /item/:item/sequence/export',
    inOrder(attachmentRowsOf, sequenceOfAsset),
    (who) => `${itemAt(who)}/sequence/export?type=fcp`,
    (who) => [item(fileOf(who))],
    (who) => item(one(who)),
    () => canary,
  ],
  [
    'GET /collection/:collection/sequence-document',
    inOrder(
      attachmentRowsOf,
      change(
        `UPDATE attachment SET content = CAST('{"sequence":[{"track":[{"segment":[{"item":"VX-' || ?1 || '","sourceTrack":1,"in":{"samples":0,"timeBase":{"numerator":1,"denominator":25}},"out":{"samples":1,"timeBase":{"numerator":1,"denominator":25}}}]}]}]}' AS BLOB) WHERE owner_id = 'VX-' || ?1 AND kind = 'version-sequences'`,
        numberOf,
      ),
    ),
    (who) => `/collection/${one(who)}/sequence-document`,
    (who) => [collection(one(who))],
    (who) => item(one(who)),
    one,
  ],
  [
    'GET /collection/:collection/version/export',
    attachmentRowsOf,
    (who) => `/collection/${one(who)}/version/export`,
    (who) => [collection(one(who))],
    (who) => item(one(who)),
    () => '<item>',
  ],
];

export const told: readonly Told[] = table.map(([name, rows, target, open, closed, words, narrow]) => ({
  name,
  rule: {
    rows,
    request: (who): Omit<Sent, 'as'> => ({
      request: `GET /API${target(who)}`,
      headers: { accept: 'application/xml, */*' },
    }),
  },
  open,
  closed,
  words,
  ...(narrow && { narrow }),
}));
