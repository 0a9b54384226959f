import { documentOrText } from '../../../http/negotiation.ts';
import { renderList } from '../../../http/render-list.ts';
import { lines } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { fileListDocument, importableFileListDocument } from '../../documents/file.ts';
import type { MediaParts } from '../../parts.ts';
import { read } from '../kinds.ts';
import { listFiles } from './page.ts';
import { fileListParameters } from './parameters.ts';

/** Clients write both. */
const importables = [
  '/storage/importable',
  '/storage/:storage/importable',
  '/storage/file/importable',
  '/storage/:storage/file/importable',
];
const lists = ['/storage/file', '/storage/:storage/file', '/storage/file/byHash', '/storage/:storage/file/byHash'];

const scopeOf = (path: string): string => (path.includes(':storage') ? 'of a storage' : 'of all storages');

/** Lists of files. */
export function fileListRoutes(parts: MediaParts): readonly Route[] {
  const query = fileListParameters(parts.settings.maxPage);
  return [
    ...lists.map((path) =>
      route({
        method: 'GET',
        path,
        says: path.endsWith('byHash') ? `The files ${scopeOf(path)} with a hash.` : `The files ${scopeOf(path)}.`,
        query,
        answers: [fileListDocument, 'text'],
        access: read,
        produces: documentOrText,
        async handle(call, type, { storage }) {
          const list = await listFiles(parts, call, { storage, importables: false });
          if (type === 'text/plain') return lines(list.ids.map((id) => [id]));
          const { hits, nextCursor, prefixes } = list;
          const head = { hits, nextCursor, ...(prefixes && { prefixes: { prefix: prefixes } }) };
          const value = { ...head, file: await list.documents() };
          return renderList(parts.render, type, fileListDocument, value, 'file');
        },
      }),
    ),
    ...importables.map((path) =>
      route({
        method: 'GET',
        path,
        says: `The files ${scopeOf(path)} that can be imported: with bytes, and of no item.`,
        query,
        answers: [importableFileListDocument, 'text'],
        access: read,
        produces: documentOrText,
        async handle(call, type, { storage }) {
          const list = await listFiles(parts, call, { storage, importables: true });
          if (type === 'text/plain') return lines(list.ids.map((id) => [id]));
          const { hits, prefixes } = list;
          const element = (await list.documents()).map((file) => ({ file }));
          const value = { hits, ...(prefixes && { prefixes: { prefix: prefixes } }), element };
          return renderList(parts.render, type, importableFileListDocument, value, 'element');
        },
      }),
    ),
  ];
}
