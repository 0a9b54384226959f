import { readShapes } from '../../../assets/shapes/public.ts';
import { careful, dateTime, document, element, integer, list, string } from '../../../core/documents/describe.ts';
import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { textOfBytes } from '../../../core/lib/random.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { serviceOrigin } from '../../../http/address.ts';
import { bytesRequest } from '../../../http/bytes.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { badParameter, list as listOf, text } from '../../../http/parameters/index.ts';
import type { Reply } from '../../../http/reply.ts';
import { anybody, type Route, route } from '../../../http/route.ts';
import { keptCaller, resumeMaker } from '../../../room/kept-caller-sql.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
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
import { Archives, zipType } from './archive.ts';
import { addChosen, type Chosen, callerNow, chosenBy, maxNames, maxTags, openFile } from './selection.ts';

/** Addresses of one user at a time. */
const maxOrders = 20;
const maxTitle = 200;
const secretBytes = 16;
const minute = 60_000;
/** Milliseconds in which an archive is begun, and in which a broken download of it goes on. */
const [beginsWithin, goesOnFor] = [15 * minute, 24 * 60 * minute];

const says = {
  item: 'Ids of items.',
  collection: 'Ids of collections. Each is a folder, with the collections in it.',
  tag: 'Tags of the shapes. Default: "original".',
  title: 'Name of the ZIP file without its ending. Default: "files".',
};
const asParameter = (sentence: string): string => sentence.replace(/\.$/, '');

export const archiveDocument = careful(
  document('ArchiveDocument', {
    item: list(string).max(maxNames).inputOnly.says(says.item),
    collection: list(string).max(maxNames).inputOnly.says(says.collection),
    tag: list(string).max(maxTags).inputOnly.says(says.tag),
    title: element(string).inputOnly.says(says.title),
    uri: element(string).outputOnly.says('Address of the ZIP file, for one download without credentials.'),
    ends: element(dateTime).outputOnly.says('The download begins until then.'),
    files: element(integer).outputOnly.says('Number of files, without "not-included.txt".'),
    leftOut: element(integer).outputOnly.says('Number of entries of "not-included.txt".'),
  }),
);

interface Ordered extends Chosen {
  readonly title: string;
}

const noSuchArchive = (): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Archive', explanation: 'Expected the address of an archive, unused' });

/** Archives of chosen items and collections: at once, or by an address that gives the bytes once. */
export function archiveRoutes(parts: ExportParts): readonly Route[] {
  const { store, clock, random, fingerprint, services } = parts;
  const archives = new Archives(parts);

  /** `now`: the caller at the time. Throws where there is none. */
  async function replyTo(call: Call, ordered: Ordered, userId: string, now: () => Promise<Caller>): Promise<Reply> {
    const { title, tag: tags } = ordered;
    return archives.reply(bytesRequest(call), {
      taker: { id: userId },
      async plan(content) {
        await addChosen(parts, await now(), content, ordered);
        return title;
      },
      open: async (file, from) => openFile(parts, { caller: await now(), tags, requestId: call.trace.id }, file, from),
    });
  }

  /** The user of an order with the rights of now. */
  async function callerOf(call: Call, { caller }: OrderRow, ordered: Ordered): Promise<Caller> {
    const subject = await resumeMaker(services.directory, caller, call.address);
    const now = await callerNow(parts, call, ordered, subject);
    if (!now) throw noSuchArchive();
    return now;
  }

  return [
    route({
      method: 'GET',
      path: '/export/zip',
      says: 'Files of items as a ZIP file, or a part of it with the header Range. Its first file may be "not-included.txt". A longer selection goes to /item/archive.',
      query: {
        id: listOf(text(asParameter(says.item))),
        collection: listOf(text(asParameter(says.collection))),
        tag: listOf(text(asParameter(says.tag))),
        title: text(asParameter(says.title), { defaultValue: '' }),
      },
      answers: raw('bytes', [zipType]),
      access: readShapes,
      async handle(call) {
        const { id: item = [], collection = [], tag = [], title } = call.query;
        if (item.length + collection.length === 0)
          throw badParameter('id', 'Expected the id of an item or a collection');
        for (const [name, values, max] of [
          ['id', item, maxNames],
          ['collection', collection, maxNames],
          ['tag', tag, maxTags],
        ] as const)
          if (values.length > max) throw badParameter(name, `Expected at most ${max} of it`);
        if (title.length > maxTitle) throw badParameter('title', `Expected at most ${maxTitle} characters`, title);
        const chosen = await chosenBy(parts, call, { item, collection, tag });
        const subject = subjectOf(call);
        return replyTo(call, { ...chosen, title }, subject.user?.id ?? subject.name, async () => {
          const now = await callerNow(parts, call, chosen, await subject.again());
          if (now) return now;
          throw new ServiceError('not-allowed', {
            context: 'user',
            explanation: 'Expected the login and the roles of the caller to last',
          });
        });
      },
    }),
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
        const { item = [], collection = [], tag = [], title = '' } = call.body;
        if (item.length + collection.length === 0)
          throw badValue('/ArchiveDocument/item', 'the id of an item or a collection', 'nothing');
        if (title.length > maxTitle) throw badValue('/ArchiveDocument/title', `at most ${maxTitle} characters`, title);
        const subject = subjectOf(call);
        const { caller, login } = keptCaller(subject);
        if (!subject.user || caller === null)
          throw new ServiceError('not-allowed', { context: 'user', explanation: 'Expected a user of the service' });
        const ordered: Ordered = { ...(await chosenBy(parts, call, { item, collection, tag })), title };
        const content = archives.content();
        await addChosen(parts, call, content, ordered);
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
        const ordered = { collection: [], ...JSON.parse(order.document) } as Ordered;
        const reply = await replyTo(call, ordered, order.userId, async () => {
          const row = await findOrder(store, { id });
          if (!row) throw noSuchArchive();
          return callerOf(call, row, ordered);
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
