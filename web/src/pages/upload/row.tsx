import { secondsLeft, type UploadEntry } from '../../api/upload-list.ts';
import { Bar } from '../../kit/bar.tsx';
import { IconButton } from '../../kit/button.tsx';
import { sentenceOf } from '../../kit/empty.tsx';
import { Link } from '../../router.tsx';
import { sizeText, t } from '../../texts/index.ts';
import { durationText } from '../jobs/jobs.ts';

interface RowProps {
  readonly entry: UploadEntry;
  readonly onPause: () => void;
  readonly onResume: () => void;
  readonly onRemove: () => void;
}

export function UploadRow({ entry, onPause, onResume, onRemove }: RowProps) {
  const { name, size, sent, state, error, item } = entry;
  const percent = state === 'done' ? 100 : size === 0 ? 0 : Math.floor((100 * sent) / size);
  const isGoing = state === 'sending' || state === 'waiting';
  return (
    <li class={`upload-row is-${state}`}>
      <div class="upload-name">
        {item !== undefined ? <Link to={`/item/${item}`}>{name}</Link> : <span>{name}</span>}
        <span class="upload-state">{stateText(entry)}</span>
      </div>
      <Bar value={percent / 100} label={t('upload.progressOf', { name })} tone={toneOf(entry)} />
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
    </li>
  );
}

const toneOf = ({ state, importing }: UploadEntry): 'bad' | 'warn' | undefined =>
  state === 'failed' || importing === 'failed' ? 'bad' : state === 'lost' || state === 'paused' ? 'warn' : undefined;

function stateText(entry: UploadEntry): string {
  const { state, speed, error, importing } = entry;
  if (state === 'done') {
    if (importing === 'finished') return t('upload.imported');
    if (importing === 'failed') return t('upload.importFailed');
    return t('upload.importing', { percent: typeof importing === 'number' ? importing : 0 });
  }
  if (state === 'sending' && error !== undefined) return t('upload.state.waiting');
  if (state !== 'sending' || speed === undefined) return t(`upload.state.${state}`);
  const left = secondsLeft(entry);
  const rate = `${sizeText(speed)}/s`;
  return left === undefined ? rate : t('upload.left', { rate, time: durationText(left * 1000) });
}
