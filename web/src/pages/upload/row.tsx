import { importAgain } from '../../api/upload.ts';
import { secondsLeft, type UploadEntry } from '../../api/upload-list.ts';
import { IconButton } from '../../components/button.tsx';
import { sentenceOf } from '../../components/refusal.tsx';
import { Bar } from '../../components/values.tsx';
import { Link } from '../../router.tsx';
import { sizeText, t } from '../../texts/index.ts';
import { JobFailure } from '../jobs/job-actions.tsx';
import { complaintOf, durationText } from '../jobs/jobs.ts';

interface RowProps {
  readonly entry: UploadEntry;
  readonly onPause: () => void;
  readonly onResume: () => void;
  readonly onRemove: () => void;
}

export function UploadRow({ entry, onPause, onResume, onRemove }: RowProps) {
  const { id, name, size, sent, state, error, item } = entry;
  const complaint = complaintIn(entry);
  const isGoing = state === 'sending' || state === 'waiting';
  return (
    <li class={`upload-row is-${state}`}>
      <div class="upload-name">
        {item !== undefined ? <Link to={`/item/${item}`}>{name}</Link> : <span>{name}</span>}
        <span class="upload-state">{stateText(entry)}</span>
      </div>
      <Bar value={percentOf(entry)} label={t('upload.progressOf', { name })} tone={toneOf(entry)} />
      <div class="upload-figures">{state === 'done' ? sizeText(size) : `${sizeText(sent)} / ${sizeText(size)}`}</div>
      <div class="upload-buttons">
        {isGoing && <IconButton icon="pause" label={t('upload.pause', { name })} onClick={onPause} />}
        {(state === 'paused' || state === 'failed') && (
          <IconButton icon="play" label={t('upload.resume', { name })} onClick={onResume} />
        )}
        {state === 'lost' && <IconButton icon="folder-open" label={t('upload.again', { name })} onClick={onResume} />}
        <IconButton icon="x" label={t('upload.remove', { name })} onClick={onRemove} />
      </div>
      {error !== undefined && (
        <p class="upload-error" role="alert">
          {sentenceOf(error)}
        </p>
      )}
      {complaint && <JobFailure job={complaint} onAgain={(job) => importAgain(id, job)} />}
    </li>
  );
}

/** The part of the file that is sent: from 0 to 1. Words say how far it is read. */
export function percentOf({ size, sent, state }: UploadEntry): number {
  if (state === 'done') return 1;
  return size === 0 ? 0 : sent / size;
}

const complaintIn = ({ ended }: UploadEntry) => ended && complaintOf([ended]);

function toneOf(entry: UploadEntry): 'bad' | 'warn' | undefined {
  const { state, importing } = entry;
  if (state === 'failed' || importing === 'failed') return 'bad';
  return state === 'lost' || state === 'paused' || complaintIn(entry) ? 'warn' : undefined;
}

export function stateText(entry: UploadEntry): string {
  const { state, speed, error, importing } = entry;
  if (state === 'done') {
    if (importing === 'finished') return t(complaintIn(entry) ? 'upload.importWarned' : 'upload.imported');
    if (importing === 'failed') return t('upload.importFailed');
    return t('upload.importing', { percent: typeof importing === 'number' ? importing : 0 });
  }
  if (state === 'sending' && error !== undefined) return t('upload.state.waiting');
  if (state !== 'sending' || speed === undefined) return t(`upload.state.${state}`);
  const left = secondsLeft(entry);
  const rate = `${sizeText(speed)}/s`;
  return left === undefined ? rate : t('upload.left', { rate, time: durationText(left * 1000) });
}
