import { readableAmong } from '../../assets/access/public.ts';
import { accessOf, mustHave } from '../../assets/access/public-reading.ts';
import {
  collectionAt,
  collectionName,
  readCollections,
  writeCollections,
} from '../../assets/items/contract/entities.ts';
import { type ItemsContext, membersOfCollection } from '../../assets/items/public.ts';
import { missingAttachment as missing } from '../../assets/metadata/public.ts';
import { uris } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { optional } from '../../http/reads.ts';
import { renderList } from '../../http/render-list.ts';
import type { Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { accountOf, type Caller } from '../../security/caller.ts';
import {
  bounded,
  type ExportQuery,
  type ExportRequest,
  exported,
  exportForms,
  exportQuery,
  exportRequestDocument,
  exportStatusDocument,
  formatIn,
} from '../sequences/public.ts';
import { projectVersionDocument } from './documents.ts';
import { newestVersion } from './store.ts';
import { expectFewItems, expectNoSequence, newVersion, sequencesOf, versionKind } from './versions.ts';

/** Routes that export project versions for editing programs. */
export function projectVersionExportRoutes(parts: ItemsContext): readonly Route[] {
  const { store, limits, render } = parts;

  /** The version with this id, or the newest version of the project with it. */
  async function versionOf(caller: Caller, id: string) {
    const own = await sequencesOf(store, id, limits);
    if (own.length > 0) return { id, sequences: own };
    const [newest] = await newestVersion(store.reader(accountOf(caller)), { project: id });
    if (!newest) throw missing(versionKind.noun, id);
    await mustHave(store, caller, collectionName, newest, 'READ');
    return { id: newest.id, sequences: await sequencesOf(store, newest.id, limits) };
  }

  /** Items of a version that the caller may read, in order. */
  async function itemsIn(caller: Caller, id: string): Promise<readonly { readonly id: string }[]> {
    const items: { readonly id: string }[] = [];
    const viewer = await accessOf(store, caller);
    for await (const members of membersOfCollection(store.reader(accountOf(caller)), id)) {
      const ids = members.flatMap((member) => (member.type === 'item' ? [member.id] : []));
      const readable = await readableAmong(store, viewer, 'item', ids);
      items.push(...ids.filter((item) => readable.has(item)).map((item) => ({ id: item })));
      expectFewItems(items.length);
    }
    return items;
  }

  async function answer(call: Call<ExportQuery>, named: string, request: ExportRequest | undefined): Promise<Reply> {
    const { id, sequences } = await versionOf(call, named);
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
    entities: { collection: collectionAt(store)('READ') },
    query: exportQuery,
    answers: raw([projectVersionDocument, exportStatusDocument, 'bytes'], exportForms),
    access: readCollections,
  } as const;
  return [
    route({
      ...shared,
      method: 'GET',
      says: 'The sequences of a version of a project for an editing program. Of a project: those of its newest version.',
      handle: (call, { collection: { id } }) => answer(call, id, undefined),
    }),
    route({
      ...shared,
      method: 'POST',
      says: 'The same, with the places of media for the editing program in the body.',
      reads: optional(exportRequestDocument),
      acting: 'allowed',
      handle(call, { collection: { id } }) {
        expectNoSequence(call.body);
        return answer(call, id, call.body);
      },
    }),
  ];
}

/** Routes for project versions, each a collection in its project. */
export const projectVersionRoutes = (parts: ItemsContext): readonly Route[] => [
  route({
    method: 'POST',
    path: '/collection/:collection/version',
    says: 'Creates a version of a project: a collection in it with the items, sequences and metadata of the document.',
    entities: { collection: collectionAt(parts.store)('WRITE') },
    reads: projectVersionDocument,
    answers: uris,
    location: ([id = '']) => ['collection', id],
    access: writeCollections,
    acting: 'allowed',
    handle: async (call, { collection: project }) => [await newVersion(parts, call, { project, document: call.body })],
  }),
];
