import { askerOf } from '../../definitions/public-reading.ts';
import { badValue } from '../../documents/bad-value.ts';
import { findEntity, noSuchEntity } from '../../entities/find.ts';
import { forgetEntity } from '../../entities/forget.ts';
import { changeInTurn } from '../../entities/turns.ts';
import { type Params, segment } from '../../http/route.ts';
import { checkName } from '../../identity/public-reading.ts';
import { changedMeanwhile } from '../../lib/retry-when-changed.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { together } from '../../store/commit-plan.ts';
import { type BeforeCommit, type ChangedMetadata, changeMetadata } from '../change.ts';
import { happened } from '../events.ts';
import type { Wish } from '../merge/wish.ts';
import type { MetadataResource } from '../places.ts';
import type { MetadataContext } from '../settings.ts';
import { forgetMetadata, prepareWishes } from '../write.ts';
import {
  deleteDocumentRow,
  documentKind,
  documentMustExist,
  globalDocumentName,
  insertDocument,
  isNoDocument,
} from './store.ts';

const longest = 128;

/** Changes a document, and creates it first if necessary. */
export async function putDocument(
  parts: MetadataContext,
  place: MetadataResource,
  call: Caller,
  params: Params,
  wish: Wish,
  skipForbidden: boolean,
  before?: BeforeCommit,
): Promise<ChangedMetadata> {
  const { store, clock } = parts;
  const name = segment(params, 'document');
  if (await findEntity(store, documentKind(store), name)) {
    return changeMetadata(parts, place, call, params, wish, skipForbidden, before);
  }
  checkName(name, 'path');
  if ([...name].length > longest) throw badValue('path', `at most ${longest} characters`, name);
  const owner = { kind: 'document', id: name } as const;
  const rights = { asker: await askerOf(call), skipForbidden };
  return changeInTurn(parts, owner, async (waited) => {
    const isThere = waited && (await findEntity(store, documentKind(store), name));
    const prepared = await prepareWishes(parts, owner, [{ by: subjectOf(call).name, wish }], rights);
    const made = isThere
      ? { changes: [documentMustExist(name, noSuchEntity(globalDocumentName, name))], events: [] }
      : {
          changes: [
            isNoDocument({ id: name }, changedMeanwhile('Document', name)),
            insertDocument({ id: name, now: clock.now() }),
          ],
          events: [happened('document/create', name, { document: name })],
        };
    const changed = { owner, prepared };
    await before?.(changed);
    await call.commit(together(made, prepared));
    return changed;
  });
}

/** Deletes a document with its metadata. */
export async function deleteDocument(call: Caller, id: string): Promise<void> {
  const changes = [
    documentMustExist(id, noSuchEntity(globalDocumentName, id)),
    deleteDocumentRow({ id }),
    ...forgetEntity('document', id),
    ...forgetMetadata({ kind: 'document', id }),
  ];
  await call.commit({ changes, events: [happened('document/delete', id, { document: id })] });
}
