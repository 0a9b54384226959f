import { existing } from '../../core/lib/checks.ts';
import type { CoreSettings } from '../../core/settings/core.ts';
import type { Reader } from '../../core/store/statement.ts';
import { answer } from '../../http/answers.ts';
import { date, page, pageOf } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Access, type Route, role, route } from '../../http/route.ts';
import type { RoomContext } from '../../room/context.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import type { Entity } from '../../room/entity.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { type AccessTarget, askingOf, isAtLeast, levelsOn, type RequiredLevel } from '../access/public-reading.ts';
import { collectionAt, itemAt, readCollections, readItems } from '../items/contract/entities.ts';
import { termsOf, type UsageDocument, usageDocument, usageFrom, usageListDocument } from './documents.ts';
import { noSuchTerms, removeTerms, setTerms, termsFrom, usageOf } from './rules.ts';
import { findTerms, type TermsSeen, termsEnding } from './store.ts';
import type { TermedType } from './tables.ts';
import { termsOfMedia } from './use.ts';

export type UsageContext = RoomContext<Pick<CoreSettings, 'maxPage' | 'maxPageValues'>>;

/** An entity that has terms. `itemId`: of a shape. */
type Termed = Entity & { readonly itemId?: string };

interface UsagePlace {
  readonly type: TermedType;
  /** Path of the entity, whose last segment has the name of its kind. */
  readonly path: `/${string}`;
  readonly read: Access;
  at(level: RequiredLevel): Readonly<Record<string, PathEntity>>;
}

const forEver = Number.MAX_SAFE_INTEGER;

/** Roles for reading of entities. */
const readers = { item: '_item_read', collection: '_collection_read', shape: '_item_shape_read' } as const;

/** Terms of entities that the caller may read, by roles and entries. Of shapes: where no tag of the item is closed. */
async function readableTerms<T extends TermsSeen>(reader: Reader, caller: Caller, rows: readonly T[]) {
  const placeOf = ({ entityType, entityId, itemId }: TermsSeen): AccessTarget =>
    entityType === 'collection' ? { type: 'collection', id: entityId } : { type: 'item', id: itemId ?? entityId };
  const [subject, asking] = [subjectOf(caller), await askingOf(caller)];
  const { levelOf, leastOf } = await levelsOn(reader, asking, rows.map(placeOf));
  const readable: T[] = [];
  for (const row of rows) {
    const level = row.entityType === 'shape' ? leastOf(placeOf(row), 'SHAPE') : levelOf(placeOf(row));
    if (isAtLeast(level, 'READ') && (await subject.has(readers[row.entityType]))) readable.push(row);
  }
  return readable;
}

/** Routes for the terms of one kind of entity. */
export function usageRoutesAt({ store, clock }: UsageContext, { type, path, read, at }: UsagePlace): readonly Route[] {
  const words = type === 'item' ? 'an item' : `a ${type}`;
  const entityIn = (segments: Readonly<Record<string, unknown>>) => segments[type] as Termed;
  const writing = {
    path: `${path}/usage`,
    entities: at('WRITE'),
    access: role('_usage_write'),
    acting: 'allowed',
  } as const;

  async function documentOf(reader: Reader, caller: Caller, { id, itemId }: Termed): Promise<UsageDocument> {
    const rows = await termsOfMedia(reader, [{ type, id, itemId }]);
    const isOwn = (row: TermsSeen) => row.entityType === type && row.entityId === id;
    const inherited = rows.filter((row) => !isOwn(row));
    const open = new Set(inherited.length === 0 ? [] : await readableTerms(reader, caller, inherited));
    return usageFrom(
      rows.find(isOwn),
      inherited.map((row) => termsOf(row, open.has(row))),
      rows.length === 0 ? undefined : usageOf(rows, clock.now()).state,
    );
  }

  return [
    route({
      method: 'GET',
      path: `${path}/usage`,
      says: `The terms of use of ${words}, and those of what holds it.`,
      entities: at('READ'),
      answers: usageDocument,
      access: read,
      handle: (call, segments) => documentOf(call.reader, call, entityIn(segments)),
    }),
    route({
      ...writing,
      method: 'PUT',
      says: `Sets from when until when the media of ${words} may leave the service, and why. It replaces earlier terms.`,
      reads: usageDocument,
      answers: usageDocument,
      async handle(call, segments) {
        const entity = entityIn(segments);
        const key = { entityType: type, entityId: entity.id };
        const { user, name } = subjectOf(call);
        const terms = { ...termsFrom(call.body), userId: user?.id ?? '', user: name };
        await call.change(async () => {
          const now = clock.now();
          const before = await findTerms(store, key);
          return setTerms(before, { ...key, itemId: entity.itemId ?? null, ...terms, modifiedAt: now }, now);
        });
        return documentOf(store, call, entity);
      },
    }),
    route({
      ...writing,
      method: 'DELETE',
      says: `Removes the terms of use of ${words}. Those of what holds it stay.`,
      async handle(call, segments) {
        const { id } = entityIn(segments);
        const row = existing(await findTerms(store, { entityType: type, entityId: id }), noSuchTerms, id);
        await call.commit(removeTerms(row));
      },
    }),
  ];
}

/** Terms of items and collections, and what ends next. */
export function usageRoutes(context: UsageContext): readonly Route[] {
  const { store, clock, settings } = context;
  const [item, collection] = [itemAt(store), collectionAt(store)];
  return [
    ...usageRoutesAt(context, {
      type: 'item',
      path: '/item/:item',
      read: readItems,
      at: (level) => ({ item: item(level) as PathEntity }),
    }),
    ...usageRoutesAt(context, {
      type: 'collection',
      path: '/collection/:collection',
      read: readCollections,
      at: (level) => ({ collection: collection(level) as PathEntity }),
    }),
    route({
      method: 'GET',
      path: '/usage',
      says: 'Terms of use of items, shapes and collections that the caller may read, those first that end first.',
      query: {
        ...page(settings.maxPage, 100),
        from: date('Only terms that end from then on. Default: now'),
        until: date('Only terms that end before then'),
      },
      answers: answer(usageListDocument, { list: 'usage' }),
      access: readItems,
      async handle(call) {
        const { from = clock.now(), until = forEver } = call.query;
        const { reader } = call;
        const rows = await pageWithin(
          termsEnding,
          reader,
          { ...pageOf(call.query), from, until },
          settings.maxPageValues,
        );
        return { usage: (await readableTerms(reader, call, rows)).map((row) => termsOf(row)) };
      },
    }),
  ];
}
