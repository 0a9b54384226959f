import { mayRead } from '../../../assets/access/public.ts';
import { collectionName, itemName } from '../../../assets/items/contract/entities.ts';
import { libraryName } from '../../../assets/items/public.ts';
import { callerOfJob } from '../../../assets/search/public.ts';
import { changing, nothing } from '../../../core/store/commit-plan.ts';
import { JobFails, type JobType, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { cutterFrom } from '../../transcoding/public.ts';
import { openDestination } from '../destination.ts';
import { splitUri } from '../destination-uri.ts';
import type { ExportParts } from '../parts.ts';
import { forgetExportedFiles, stagedFiles } from '../store.ts';
import { exportJob, isPart } from './export-job.ts';
import { sidecarEndings } from './naming.ts';
import { prepareFiles } from './preparation.ts';
import { transferFiles, writeSidecars } from './transfer.ts';

/** Bytes without a name go. Those that have their name stay. */
export async function dropStaged(parts: ExportParts, job: LeasedJob, uri: string): Promise<void> {
  const tokens = (await stagedFiles(parts.store, { jobId: job.id })).flatMap(({ token }) => token ?? []);
  if (tokens.length === 0) return;
  const destination = await openDestination(parts, splitUri(uri).folder).catch(() => undefined);
  if (!destination || !('driver' in destination)) return;
  for (const token of tokens) await destination.driver.discard?.(token).catch(() => undefined);
}

/** Without the program the job fails before its first file. */
async function mustEmbed({ media }: ExportParts): Promise<void> {
  const tool = (await media.tools()).find(({ name }) => name === 'exiftool');
  if (!media.embed || !tool) throw new JobFails('Expected a host that starts exiftool: use xmp=sidecar');
  if (tool.missing !== undefined) throw new JobFails(`${tool.missing}; or use xmp=sidecar`);
}

const kinds = { collection: collectionName, library: libraryName } as const;

/** Copies files of items to a place outside of the items. Nothing of an item changes. */
export function exportType(parts: ExportParts): JobType<typeof exportJob.memo> {
  const callOf = (job: LeasedJob) => callerOfJob(parts, job);

  return {
    ...exportJob,
    needs: ({ target, id, itemId }) => {
      if (target === 'collection' || target === 'library') return [{ on: target, id, level: 'READ' }];
      const item = { on: 'item', id: itemId ?? id, level: 'READ' } as const;
      return [target === 'shape' ? { ...item, part: 'SHAPE' } : item];
    },
    takesLong: ({ target }) => target === 'library',
    async restart({ memo: { target, id, itemId = id }, caller }) {
      // The steps ask for shapes and items, and take the right to see the entity for granted.
      if (target === 'collection' || target === 'library') await mayRead(parts.store, caller, kinds[target], { id });
      else if (target !== 'shape') await mayRead(parts.store, caller, itemName, { id: itemId });
      return nothing;
    },
    steps: [
      {
        step: 100,
        description: 'Preparing',
        async run(job) {
          if (job.memo.xmp === 'embedded') await mustEmbed(parts);
          const { files, missing, waiting, closed } = await prepareFiles(parts, job, await callOf(job));
          const passed = missing === 0 ? [] : [`Passed over ${missing} items without a file to export`];
          const refused = [
            ...(waiting === 0 ? [] : [`Passed over ${waiting} shapes whose version is not approved`]),
            ...(closed === 0 ? [] : [`Passed over ${closed} shapes that terms of use close`]),
          ];
          return { says: [`Files: ${files}`, ...passed, ...refused] };
        },
      },
      { step: 200, description: 'Restoring', run: async () => ({ says: ['Nothing is archived'] }) },
      {
        step: 300,
        description: 'Transcoding',
        async run(job) {
          if (!isPart(job.memo)) return { says: ['Files are exported as they are'] };
          // Without one the job waits here, ahead of sidecars that would lie alone.
          const { name } = await cutterFrom(parts.transcoders());
          return { says: [`Parts are cut on their way: ${name}`] };
        },
      },
      {
        step: 400,
        description: 'Writing sidecars',
        async run(job) {
          if (job.memo.bag !== undefined) return { says: ['The bag has the metadata'] };
          if (sidecarEndings(job.memo).length === 0) return { says: ['No metadata was asked for'] };
          return { says: [`Sidecars: ${await writeSidecars(parts, job, await callOf(job))}`] };
        },
      },
      {
        step: 500,
        description: 'Transferring',
        async run(job) {
          const { names, missing, plain } = await transferFiles(parts, job, await callOf(job));
          const { folder } = splitUri(job.memo.destinationUri);
          const uris = names.map((name) => folder + name.split('/').map(encodeURIComponent).join('/'));
          const passed = missing === 0 ? [] : [`Passed over ${missing} files that are gone`];
          return {
            says: [...passed, ...plain],
            warns: plain.length > 0,
            data: uris.map((uri) => ['exportedUris', uri] as const),
          };
        },
      },
    ],
    async ended(job, how) {
      if (how !== 'FINISHED') await dropStaged(parts, job, job.memo.destinationUri);
      return changing(forgetExportedFiles({ jobId: job.id }));
    },
  };
}
