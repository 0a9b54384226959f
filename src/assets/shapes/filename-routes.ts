import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { baseOf } from '../../http/address.ts';
import { uris } from '../../http/answers.ts';
import { text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { newPath, storageAt } from '../../storage/public.ts';
import { unlockedFor } from '../items/contract/item-locks.ts';
import type { MetadataContext } from '../metadata/public.ts';
import {
  type FilenameRow,
  filenamesOf,
  filenameThere,
  insertFilename,
  noneLike,
  removeFilename,
  rulesLike,
} from './filenames-sql.ts';
import { shapePath, shapesAt } from './places.ts';

/** Refuses a rule if another exists for the shape on that storage, or for the same name. */
function expectNoOther(rule: FilenameRow, like: FilenameRow | undefined): void {
  if (!like) return;
  const { shapeId, storageId, filename } = like;
  const explanation =
    shapeId === rule.shapeId
      ? `Expected no other name on ${storageId}: "${filename.slice(0, 80)}". DELETE it first`
      : `Expected a name that no other shape has on ${storageId}: ${shapeId} has it`;
  throw new ServiceError('bad-value', { context: 'parameter filename', id: shapeId, explanation });
}

const addFilename = (rule: FilenameRow, guards: readonly Statement[]): CommitPlan =>
  changing(...guards, noneLike(rule, changedMeanwhile('Shape', rule.shapeId)), insertFilename(rule));

const dropFilename = (rule: FilenameRow): CommitPlan =>
  changing(filenameThere(rule, noSuchFilename(rule.filename)), removeFilename(rule));

const noSuchFilename = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'storage-name-rule', id: name.slice(0, 80) });

const path = `${shapePath}/filename` as const;
const one = `${path}/:storage` as const;
const writing = { access: role('_storage_rule_write'), acting: 'allowed' } as const;

/** Routes for file names of shapes on storages. */
export function filenameRoutes(parts: MetadataContext): readonly Route[] {
  const { store, clock } = parts;
  const at = shapesAt(store);
  return [
    route({
      method: 'GET',
      path,
      says: 'The storage name rules of a shape: addresses and names.',
      entities: at.shape('READ'),
      answers: uris,
      access: role('_storage_rule_read'),
      async handle(call, { shape: { id, itemId } }) {
        const base = `${baseOf(call)}/item/${itemId}/shape/${id}/filename`;
        const rows = await filenamesOf(store, { shapeId: id });
        return rows.map(({ storageId, filename }) => `${base}/${storageId}?filename=${encodeURIComponent(filename)}`);
      },
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Sets the file name of a shape on a storage. A job renames an existing file.',
      entities: { ...at.shape('ALL'), storage: storageAt(store) },
      query: { filename: text('The path of the file below the storage', { required: true }) },
      ...writing,
      async handle(call, { shape, storage }) {
        const filename = newPath(call.query.filename, 'filename');
        const rule = { shapeId: shape.id, storageId: storage.id, filename };
        await call.change(async () => {
          const like = await rulesLike(store, rule);
          if (like?.shapeId === shape.id && like.filename === filename) return undefined;
          expectNoOther(rule, like);
          return addFilename(rule, [unlockedFor(call, shape.itemId, clock.now())]);
        });
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes the storage name rule of a shape. Files keep their names.',
      entities: at.shape('ALL'),
      query: { filename: text('File name. Default: any name') },
      ...writing,
      async handle(call, { shape: { id: shapeId, itemId }, storage: storageId }) {
        const row = (await filenamesOf(store, { shapeId })).find((each) => each.storageId === storageId);
        const filename = call.query.filename ?? row?.filename ?? '';
        const { changes, ...work } = dropFilename({ shapeId, storageId, filename });
        await call.commit({ ...work, changes: [unlockedFor(call, itemId, clock.now()), ...changes] });
      },
    }),
  ];
}
