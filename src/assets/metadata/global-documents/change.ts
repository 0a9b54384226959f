import { badValue } from '../../../core/documents/bad-value.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { together } from '../../../core/store/commit-plan.ts';
import { checkName } from '../../../identity/public-reading.ts';
import { findEntity, noSuchEntity } from '../../../room/entities/find.ts';
import { forgetEntity } from '../../../room/entities/forget.ts';
import { changeInTurn } from '../../../room/entities/turns.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { askerOf } from '../../definitions/public-reading.ts';
import { type ChangedMetadata, type ChangeOptions, commitChange } from '../change.ts';
import { happened } from '../events.ts';
import type { Wish } from '../merge/wish.ts';
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

/** Changes a document, and creates it first if necessary. `name`: its name, or an external id of an existing one. */
export async function putDocument(
  parts: MetadataContext,
  call: Caller,
  name: string,
  wish: Wish,
  { skipForbidden = false, before }: ChangeOptions,
): Promise<ChangedMetadata> {
  const { store, clock } = parts;
  const kind = documentKind(store);
  const row = await findEntity(store, kind, name);
  if (!row) checkNewName(name);
  const { id } = row ?? { id: name };
  const owner = { kind: 'document', id } as const;
  const rights = { asker: await askerOf(call), skipForbidden };
  return changeInTurn(parts, owner, async (waited) => {
    const current = waited ? await kind.find(id) : row;
    const prepared = await prepareWishes(parts, owner, [{ by: subjectOf(call).name, wish }], rights);
    const changed = { owner, prepared };
    await before?.(changed);
    if (current) {
      const exists = documentMustExist(id, noSuchEntity(globalDocumentName, id));
      await commitChange(parts, call, owner, prepared, [exists]);
    } else {
      const created = {
        changes: [
          isNoDocument({ id }, changedMeanwhile('Document', id)),
          insertDocument({ id, createdAt: clock.now() }),
        ],
        events: [happened('document/create', id, { document: id })],
      };
      await call.commit(together(created, prepared));
    }
    return changed;
  });
}

function checkNewName(name: string): void {
  checkName(name, 'path');
  if ([...name].length > longest) throw badValue('path', `at most ${longest} characters`, name);
}

/** Deletes a document with its metadata. */
export async function deleteDocument(call: Caller, id: string): Promise<void> {
  const changes = [
    deleteDocumentRow({ id }),
    ...forgetEntity('document', id),
    ...forgetMetadata({ kind: 'document', id }),
  ];
  await call.commit({ changes, events: [happened('document/delete', id, { document: id })] });
}
