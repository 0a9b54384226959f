import { readableAmong } from '../../../access/public.ts';
import { accessOf, mustHave } from '../../../access/public-reading.ts';
import { type Call, optionalDocument } from '../../../http/call.ts';
import { renderList } from '../../../http/render-list.ts';
import type { Reply } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { collectionName, collectionNamed, read } from '../../../items/contract/collection/kind.ts';
import { type ItemsContext, membersOfCollection } from '../../../items/public.ts';
import { keptForms, missingAttachment as missing } from '../../../metadata/public.ts';
import { accountOf } from '../../../security/caller.ts';
import {
  bounded,
  type ExportQuery,
  type ExportRequest,
  exported,
  exportQuery,
  exportRequestDocument,
  exportStatusDocument,
  formatIn,
} from '../../sequences/public.ts';
import { projectVersionDocument } from './documents.ts';
import { sequencesOf } from './load.ts';
import { expectFewItems, expectNoSequence, versionKind } from './rules.ts';
import { newestVersion } from './store.ts';

/** Routes that export project versions for editing programs. */
export function projectVersionExportRoutes(parts: ItemsContext): readonly Route[] {
  const { store, limits, render } = parts;

  /** The version named by the path, or the newest version of the project. */
  async function versionFor(call: Call, name: string) {
    const named = await collectionNamed(store, name);
    await mustHave(store, call, collectionName, named, 'READ');
    const own = await sequencesOf(store, named.id, limits);
    if (own.length > 0) return { id: named.id, sequences: own };
    const [newest] = await newestVersion(store.reader(accountOf(call)), { project: named.id });
    if (!newest) throw missing(versionKind.noun, named.id);
    await mustHave(store, call, collectionName, newest, 'READ');
    return { id: newest.id, sequences: await sequencesOf(store, newest.id, limits) };
  }

  /** Items of a version that the caller may read, in order. */
  async function itemsIn(call: Call, id: string): Promise<readonly { readonly id: string }[]> {
    const items: { readonly id: string }[] = [];
    const viewer = await accessOf(store, call);
    for await (const members of membersOfCollection(store.reader(accountOf(call)), id)) {
      const ids = members.flatMap((member) => (member.type === 'item' ? [member.id] : []));
      const readable = await readableAmong(store, viewer, 'item', ids);
      items.push(...ids.filter((item) => readable.has(item)).map((item) => ({ id: item })));
      expectFewItems(items.length);
    }
    return items;
  }

  async function answer(call: Call<ExportQuery>, name: string, request: ExportRequest | undefined): Promise<Reply> {
    const { id, sequences } = await versionFor(call, name);
    return exported(parts, call, formatIn(call.query, request), {
      sequences: bounded(...sequences),
      owner: { kind: 'collection', id },
      request,
      own: async () =>
        renderList(
          render,
          'application/xml',
          projectVersionDocument,
          { id, item: await itemsIn(call, id), sequence: [...sequences] },
          'item',
        ),
    });
  }

  const shared = {
    path: '/collection/:collection/version/export',
    query: exportQuery,
    answers: [projectVersionDocument, exportStatusDocument, 'bytes'],
    access: read,
    produces: keptForms,
  } as const;
  return [
    route({
      ...shared,
      method: 'GET',
      says: 'The sequences of a version of a project for an editing program. Of a project: those of its newest version.',
      handle: (call, _type, params) => answer(call, params.collection, undefined),
    }),
    route({
      ...shared,
      method: 'POST',
      says: 'The same, with the places of media for the editing program in the body.',
      reads: [exportRequestDocument, 'nothing'],
      acting: 'allowed',
      async handle(call, _type, params) {
        const request = await optionalDocument(call, exportRequestDocument, limits);
        expectNoSequence(request);
        return answer(call, params.collection, request);
      },
    }),
  ];
}
