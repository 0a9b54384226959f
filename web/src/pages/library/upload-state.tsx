import { addUploads, currentOptions, importAgain, removeUpload, resumeUpload } from '../../api/upload.ts';
import type { UploadEntry } from '../../api/upload-list.ts';
import { IconButton } from '../../components/button.tsx';
import { sentenceOf } from '../../components/refusal.tsx';
import { Bar } from '../../components/values.tsx';
import { t } from '../../texts/index.ts';
import { JobFailure } from '../jobs/job-actions.tsx';
import { complaintOf } from '../jobs/jobs.ts';
import { percentOf, stateText } from '../upload/row.tsx';

/** Files that are chosen beside a list. `collection`: they join it. */
export const upload = (files: readonly File[], collection: string | undefined): void =>
  addUploads(files, { ...currentOptions(), ...(collection !== undefined && { collection }) });

/** How far an upload is, over the picture of its tile: progress, or the reason with what to do. */
export function uploadState(entry: UploadEntry) {
  const { id, name, state, importing, ended, error } = entry;
  const reason = error && sentenceOf(error);
  const complaint = ended && complaintOf([ended]);
  const stays = state === 'failed' || state === 'lost' || state === 'paused';
  return [
    stateText(entry),
    <div key={id} class="upload-over" data-bad={state === 'failed' || importing === 'failed' || undefined}>
      {reason !== undefined && <p title={reason}>{reason}</p>}
      {complaint ? (
        <JobFailure isShort job={complaint} onAgain={(job) => importAgain(id, job)} />
      ) : (
        <span class="row">
          <Bar label={t('upload.progressOf', { name })} value={percentOf(entry)} />
          {stays && state !== 'lost' && (
            <IconButton icon="refresh" label={t('upload.resume', { name })} onClick={() => resumeUpload(id)} />
          )}
          {state !== 'done' && (
            <IconButton icon="x" label={t('upload.remove', { name })} onClick={() => void removeUpload(id)} />
          )}
        </span>
      )}
    </div>,
  ] as const;
}
