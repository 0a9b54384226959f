import { itemName } from '../../../assets/items/contract/entities.ts';
import { membersNamed } from '../../../assets/items/public.ts';
import { itemNamesFor } from '../../../assets/metadata/public.ts';
import { readShapes } from '../../../assets/shapes/public.ts';
import { mediaOfShape, mustBeUsable } from '../../../assets/usage/public.ts';
import { careful, dateTime, document, element, integer, list, string } from '../../../core/documents/describe.ts';
import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { textOfBytes } from '../../../core/lib/random.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { serviceOrigin } from '../../../http/address.ts';
import { bytesRequest } from '../../../http/bytes.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { text } from '../../../http/parameters/index.ts';
import { anybody, type Route, route } from '../../../http/route.ts';
import { keptCaller, resumeMaker } from '../../../room/kept-caller-sql.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { Subject } from '../../../security/subject.ts';
import { download } from '../../../storage/public.ts';
import type { ExportParts } from '../parts.ts';
import {
  findOrder,
  insertOrder,
  type OrderRow,
  orderUnused,
  removeEndedOrders,
  removeOrdersBeyond,
  useOrder,
} from '../store.ts';
import { Archives, MissingFile, zipType } from './archive.ts';
import { type ArchiveContent, type ArchiveFile, filesNow } from './files.ts';

/** Items of one archive, tags of its shapes, and addresses of one user at a time. */
const [maxItems, maxTags, maxOrders] = [1_000, 20, 20];
const maxTitle = 200;
const secretBytes = 16;
const minute = 60_000;
/** Milliseconds in which an archive is begun, and in which a broken download of it goes on. */
const [beginsWithin, goesOnFor] = [15 * minute, 24 * 60 * minute];
/** Items whose files are found at once. */
const lot = 100;

export const archiveDocument = careful(
  document('ArchiveDocument', {
    item: list(string).max(maxItems).inputOnly.says('Ids of the items.'),
    tag: list(string).max(maxTags).inputOnly.says('Tags of the shapes. Default: "original".'),
    title: element(string).inputOnly.says('Name of the ZIP file without its ending. Default: "files".'),
    uri: element(string).outputOnly.says('Address of the ZIP file, for one download without credentials.'),
    ends: element(dateTime).outputOnly.says('The download begins until then.'),
    files: element(integer).outputOnly.says('Number of files, without "not-included.txt".'),
    leftOut: element(integer).outputOnly.says('Number of entries of "not-included.txt".'),
  }),
);

interface Ordered {
  readonly item: readonly string[];
  readonly tag: readonly string[];
  readonly title: string;
}

const noSuchArchive = (): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Archive', explanation: 'Expected the address of an archive, unused' });

/** Archives of chosen items: a user asks for an address, which gives the bytes once. */
export function archiveRoutes(parts: ExportParts): readonly Route[] {
  const { store, clock, random, fingerprint, services } = parts;
  const archives = new Archives(parts);

  async function contentOf(caller: Caller, { item, tag }: Ordered): Promise<ArchiveContent> {
    const content = archives.content();
    for (let at = 0; at < item.length; at += lot) {
      const ids = item.slice(at, at + lot);
      const names = await itemNamesFor(store, caller, ids);
      const items = ids.map((id) => ({ id, name: names.get(id) }));
      if (!(await content.add(caller, tag, items, true))) break;
    }
    return content;
  }

  /** The user of an order with the rights of now. Throws: there is none with the role. */
  async function callerOf(call: Call, { caller }: OrderRow): Promise<Caller> {
    const subject = await resumeMaker(services.directory, caller, call.address);
    if (!(subject instanceof Subject) || !(await subject.has(readShapes.needs.role))) throw noSuchArchive();
    return { ...call, subject, reader: store.reader(subject.name) };
  }

  /** The bytes of a file, for the user of an order who may still have it. */
  async function open(call: Call, order: OrderRow, tags: readonly string[], file: ArchiveFile, from: number) {
    const row = await findOrder(store, { id: order.id });
    if (!row) throw noSuchArchive();
    const caller = await callerOf(call, row);
    const { files } = await filesNow(parts, caller, tags, [file.itemId]);
    const now = files.find((each) => each.row.id === file.fileId && each.component.id === file.componentId)?.row;
    if (!now || now.content !== file.content) throw new Error('Expected a file to stay, and the right to it');
    const headers = new Headers(from > 0 ? { range: `bytes=${from}-` } : {});
    const media = mediaOfShape({ id: file.shapeId, itemId: file.itemId });
    const { until } = await mustBeUsable(store, caller, media, clock.now());
    const request = { requestId: call.trace.id, method: 'GET', headers };
    const reply = await download(parts, request, now, { until }).catch((error) => {
      throw error instanceof ServiceError && error.code === 'no-such-entity' ? new MissingFile() : error;
    });
    return new Response(reply.body as BodyInit).body!;
  }

  return [
    route({
      method: 'POST',
      path: '/item/archive',
      says: 'Answers an address from which one download takes files of items as a ZIP file. Its first file may be "not-included.txt".',
      reads: archiveDocument,
      answers: archiveDocument,
      noStore: true,
      access: readShapes,
      acting: 'refused',
      async handle(call) {
        const { item: names = [], tag = [], title = '' } = call.body;
        if (names.length === 0) throw badValue('/ArchiveDocument/item', 'the id of an item', 'nothing');
        if (title.length > maxTitle) throw badValue('/ArchiveDocument/title', `at most ${maxTitle} characters`, title);
        const subject = subjectOf(call);
        const { caller, login } = keptCaller(subject);
        if (!subject.user || caller === null)
          throw new ServiceError('not-allowed', { context: 'user', explanation: 'Expected a user of the service' });
        const item = await membersNamed(
          store,
          call,
          [...new Set(names)].map((id) => ({ type: itemName.type, id })),
        );
        const ordered: Ordered = { item, tag: tag.length > 0 ? tag : ['original'], title };
        const content = await contentOf(call, ordered);
        const id = await store.nextId('archive_order');
        const secret = textOfBytes(random.bytes(secretBytes));
        const now = clock.now();
        const ends = now + beginsWithin;
        const userId = subject.user.id;
        const row = { id, userId, caller, login, digest: fingerprint(secret), version: null, ends };
        await call.commit(
          changing(
            insertOrder({ ...row, document: JSON.stringify(ordered) }),
            removeEndedOrders({ now, max: 2 * maxOrders }),
            removeOrdersBeyond({ userId, max: maxOrders }),
          ),
        );
        const uri = `${serviceOrigin(call)}/APInoauth/archive/${encodeURIComponent(id)}?secret=${secret}`;
        return { uri, ends, files: content.files.length, leftOut: content.leftOut.length };
      },
    }),
    route({
      method: 'GET',
      path: '/APInoauth/archive/:archive',
      says: 'A ZIP file for the holder of its address, once. The header Range, with If-Range, goes on where a download broke off.',
      query: { secret: text('Secret of the address', { defaultValue: '' }) },
      answers: raw('bytes', [zipType]),
      access: anybody,
      async handle(call, { archive: id }) {
        const order = await findOrder(store, { id });
        const { secret } = call.query;
        if (!order || order.digest !== fingerprint(secret) || order.ends <= clock.now()) throw noSuchArchive();
        // Clients that go on with a download know the version that its first answer named.
        const goesOn = call.request.headers.has('range') && call.request.headers.get('if-range') === order.version;
        if (order.version !== null && !goesOn) throw noSuchArchive();
        const caller = await callerOf(call, order);
        const ordered = JSON.parse(order.document) as Ordered;
        const content = await contentOf(caller, ordered);
        const reply = await archives.reply(bytesRequest(call), {
          ...{ title: ordered.title, content, taker: { id: order.userId } },
          open: (file, from) => open(call, order, ordered.tag, file, from),
        });
        if (order.version === null && reply.body !== undefined) {
          const use = useOrder({ id, version: reply.headers?.['etag'] ?? '', ends: clock.now() + goesOnFor });
          await call.commit(changing(orderUnused({ id }, noSuchArchive()), use)).catch(async (error) => {
            if (reply.body instanceof ReadableStream) await reply.body.cancel();
            throw error;
          });
        }
        return reply;
      },
    }),
  ];
}
