import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addUploads, currentOptions, restoreUploads } from '../../api/upload.ts';
import { hasFailed, sumsOf } from '../../api/upload-list.ts';
import { uploads } from '../../api/uploads.ts';
import { Icon } from '../../components/icon.tsx';
import { Bar } from '../../components/values.tsx';
import { may } from '../../rights.ts';
import { Link, path } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { filesOf } from './files.ts';
import './tray.css';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** The collection that the page shows: dropped files join it. */
const openCollection = () => /^\/collection\/([^/]+)$/.exec(path.peek())?.[1];

/** Name of that collection, as the page has it. */
const placeName = (): string =>
  (openCollection() !== undefined &&
    may('collection.write') &&
    document.querySelector('.toolbar .name')?.textContent) ||
  '';

/** State of the uploads on every page, and a place to drop files on all of it. */
export function UploadTray() {
  const over = useSignal(false);
  useEffect(() => {
    void restoreUploads();
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      over.value = true;
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) over.value = false;
    };
    const drop = async (event: DragEvent) => {
      over.value = false;
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      const files = await filesOf(event.dataTransfer);
      if (files.length === 0) return;
      const collection = may('collection.write') ? openCollection() : undefined;
      addUploads(files, { ...currentOptions(), ...(collection !== undefined && { collection }) });
    };
    const stay = (event: BeforeUnloadEvent) => {
      if (uploads.value.some(({ state }) => state === 'sending' || state === 'waiting')) event.preventDefault();
    };
    addEventListener('dragover', drag);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    addEventListener('beforeunload', stay);
    return () => {
      removeEventListener('dragover', drag);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
      removeEventListener('beforeunload', stay);
    };
  }, []);
  const sums = sumsOf(uploads.value);
  // The list of uploads has told the others.
  const failed = uploads.value.filter((each) => hasFailed(each) && !each.isSeen).length;
  const isShown = sums.open + sums.lost + failed > 0 && path.value !== '/uploads';
  const says = [
    t('upload.tray', { percent: sums.percent }),
    failed > 0 && t('upload.sumFailed', { count: failed }),
    sums.lost > 0 && t('upload.sumLost', { count: sums.lost }),
  ]
    .filter(Boolean)
    .join(', ');
  const stopped = sums.open > 0 ? 0 : sums.lost || failed;
  return (
    <>
      {isShown && (
        <Link to="/uploads" class="tray" title={says} aria-label={says}>
          <Icon name={stopped > 0 ? 'alert' : 'upload'} />
          <Bar value={sums.percent / 100} label={says} tone={stopped > 0 && failed > 0 ? 'bad' : undefined} />
          <span>
            {stopped === 0
              ? `${sums.percent} %`
              : t(sums.lost > 0 ? 'upload.sumLost' : 'upload.sumFailed', { count: stopped })}
          </span>
        </Link>
      )}
      {over.value && path.value !== '/uploads' && (
        <div class="tray-drop" aria-hidden="true">
          <Icon name="upload" />
          {placeName() ? t('upload.dropInto', { name: placeName() }) : t('upload.dropAnywhere')}
        </div>
      )}
    </>
  );
}
