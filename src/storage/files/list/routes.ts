import { answer } from '../../../http/answers.ts';
import { linesOf } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { type File, fileListDocument, importableFileListDocument } from '../../documents.ts';
import type { StorageParts } from '../../parts.ts';
import { readFiles } from '../entity.ts';
import { listFiles } from './page.ts';
import { fileListParameters } from './query.ts';

/** Clients write both. */
const importables = [
  '/storage/importable',
  '/storage/:storage/importable',
  '/storage/file/importable',
  '/storage/:storage/file/importable',
];
const lists = ['/storage/file', '/storage/:storage/file', '/storage/file/byHash', '/storage/:storage/file/byHash'];

const scopeOf = (path: string): string => (path.includes(':storage') ? 'of a storage' : 'of all storages');

const idsAsText = (files: readonly File[]): string => linesOf(files.map(({ id = '' }) => [id]));

/** Lists of files. */
export function fileListRoutes(parts: StorageParts): readonly Route[] {
  const query = fileListParameters(parts.settings.maxPage);
  return [
    ...lists.map((path) =>
      route({
        method: 'GET',
        path,
        says: path.endsWith('byHash') ? `The files ${scopeOf(path)} with a hash.` : `The files ${scopeOf(path)}.`,
        query,
        answers: answer(fileListDocument, { list: 'file', text: ({ file = [] }) => idsAsText(file) }),
        access: readFiles,
        async handle(call, { storage }) {
          const list = await listFiles(parts, call, { storage, importables: false });
          if (call.type === 'text/plain') return { file: list.ids.map((id) => ({ id })) };
          const { hits, nextCursor, prefixes } = list;
          const head = { hits, nextCursor, ...(prefixes && { prefixes: { prefix: prefixes } }) };
          return { ...head, file: await list.documents() };
        },
      }),
    ),
    ...importables.map((path) =>
      route({
        method: 'GET',
        path,
        says: `The files ${scopeOf(path)} that can be imported: with bytes, and of no item.`,
        query,
        answers: answer(importableFileListDocument, {
          list: 'element',
          text: ({ element = [] }) => idsAsText(element.map(({ file }) => file ?? {})),
        }),
        access: readFiles,
        async handle(call, { storage }) {
          const list = await listFiles(parts, call, { storage, importables: true });
          if (call.type === 'text/plain') return { element: list.ids.map((id) => ({ file: { id } })) };
          const { hits, nextCursor, prefixes } = list;
          const element = (await list.documents()).map((file) => ({ file }));
          return { hits, nextCursor, ...(prefixes && { prefixes: { prefix: prefixes } }), element };
        },
      }),
    ),
  ];
}
