import { giveExternalIds } from '../../../assets/definitions/public.ts';
import { itemName } from '../../../assets/items/contract/entities.ts';
import { joinNew, profileNamed } from '../../../assets/items/public.ts';
import { importTags, requireTags } from '../../../assets/shapes/public.ts';
import { nothing, together } from '../../../core/store/commit-plan.ts';
import { type Answer, answer } from '../../../http/answers.ts';
import { command } from '../../../http/command.ts';
import { sentBytesOf } from '../../../http/form-body.ts';
import { raw } from '../../../http/forms.ts';
import { list, text } from '../../../http/parameters/index.ts';
import { done } from '../../../http/reply.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { type Job, jobDocument } from '../../../room/jobs/documents.ts';
import { subjectOf } from '../../../security/caller.ts';
import { chooseAhead, noRules } from '../../../storage/public.ts';
import { importAhead, prepareImport } from '../new-imports.ts';
import { importParameters, importRequestFrom } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { collectionToFill } from '../upload-imports.ts';
import { receiveImport, sentFilename, uploadParameters } from './receive.ts';

export const itemParameters = {
  ...importParameters,
  filename: text('File name in the metadata of the item'),
  ids: list(text('External ids of the item')),
  settings: text('The profile whose access entries the item gets'),
};

const job = answer(jobDocument, {});

/** The job that takes the file. A part that does not complete the file answers nothing. */
export const startedJob: Answer<Job | undefined> = {
  ...job,
  forms: [jobDocument, 'nothing'],
  reply: (value, call) => (value ? job.reply(value, call) : done),
};

export const importRaw = command<Job | undefined>()('POST', '/import/raw');

/** Imports of files that come as the body of a request. */
export function rawRoutes(parts: IngestParts): readonly Route[] {
  const { store } = parts;

  /** Validates the request before the bytes arrive. */
  async function check(tags: readonly string[], ids: readonly string[], settings: string | undefined): Promise<void> {
    await requireTags(store, tags);
    await giveExternalIds(parts, itemName, '', ids);
    if (settings !== undefined) await profileNamed(store, settings);
  }

  return [
    route({
      ...importRaw,
      says: 'Imports the body as a new item, whole or in parts. The job starts after the last part.',
      query: {
        ...itemParameters,
        ...uploadParameters,
        collection: text('Collection that the item joins. It needs the role `_collection_write`, and WRITE'),
      },
      reads: raw('bytes'),
      answers: startedJob,
      access: role('_import'),
      acting: 'allowed',
      ahead: () => Promise.all([requireTags(store, importTags), chooseAhead(store, { ...noRules, tags: importTags })]),
      async handle(call) {
        const { importTag = importTags, tag = [], ids = [], settings } = call.query;
        const sent = sentBytesOf(call);
        const filename = await sentFilename(call, sent);
        const request = { ...importRequestFrom(call.query), ...(filename !== undefined && { filename }) };
        await check([...importTag, ...tag], ids, settings);
        const { storageId, ...options } = request;
        const named = call.query.collection;
        const collectionId = named === undefined ? undefined : (await collectionToFill(parts, call, named)).id;
        const upload = {
          ...{ target: 'import', owner: subjectOf(call).name, storageId, tags: importTag, filename, collectionId },
        };
        return receiveImport(parts, call, sent, upload, {
          ahead: () => importAhead(parts, call, [...importTag, ...tag]),
          async take(fileId) {
            const collection =
              collectionId === undefined ? undefined : await collectionToFill(parts, call, collectionId);
            const started = await prepareImport(parts, call, {
              type: 'RAW_IMPORT',
              request: { ...options, fileId },
              externalIds: ids,
              metadata: undefined,
              importTag,
              tags: tag,
              settings,
            });
            const joins = collection ? joinNew(parts, collection, { type: 'item', id: started.itemId }) : nothing;
            return { ...started, work: together(started.work, joins) };
          },
        });
      },
    }),
  ];
}
