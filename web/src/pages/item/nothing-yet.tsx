import type { ItemType, JobListDocument } from 'portico/types';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { act } from '../../kit/act.ts';
import { Bar } from '../../kit/bar.tsx';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useEvery, useLoad } from '../../kit/load.ts';
import { typeWords } from '../../kit/media-words.ts';
import { Bytes } from '../../kit/values.tsx';
import { may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { isOpen, jobPercent } from '../jobs/jobs.ts';
import { ownPath } from '../library/results.ts';
import { filesOf, originalOf, reaches, titleOf } from './item.ts';

const isMedia = (type: string): boolean => /^(?:video|audio|image)\//.test(type) || type === 'application/mxf';

const usualTag = '__mp4';

/** An item that a browser cannot show yet: what makes it so, and how far that is. */
export function NothingYet({ item, isBroken, reload }: { item: ItemType; isBroken: boolean; reload: () => void }) {
  const id = item.id ?? '';
  const jobs = useLoad(`jobs ${id}`, (signal) =>
    get<JobListDocument>('/job', {
      query: { jobmetadata: `itemId=${id}`, user: !may('job.read'), sort: 'jobId desc', number: 3 },
      signal,
    }),
  );
  const running = (jobs.value?.job ?? []).find(isOpen);
  const look = () => {
    if (running) reload();
    jobs.reload();
  };
  useEvery(2500, look);
  const failed = (jobs.value?.job ?? []).find((job) => job.status === 'FAILED_TOTAL');
  const reason = failed?.log?.task?.findLast(({ errorMessage }) => errorMessage)?.errorMessage ?? failed?.status;
  const hasShape = (item.shape ?? []).length > 0;
  const original = originalOf(item);
  const file = original && filesOf(original)[0];
  // Sound and pictures are made of films, sound and pictures alone.
  const isDocument =
    hasShape && !isBroken && item.shape?.every(({ mimeType = [] }) => !mimeType.some(isMedia)) === true;
  const canMake =
    hasShape &&
    !isDocument &&
    me.value?.transcoder === true &&
    may('item.transcode') &&
    reaches(item, 'WRITE', 'SHAPE') &&
    !running;
  const picture = item.posters?.uri?.[0] ?? item.thumbnails?.uri?.[0];
  const why = isBroken
    ? t('item.broken')
    : isDocument
      ? t('item.isDocument')
      : hasShape
        ? t('item.notPlayable')
        : t('item.noMedia');
  return (
    <div class="player">
      <div class="stage nothing">
        {picture !== undefined && <img src={ownPath(picture)} alt="" />}
        <div class="told">
          {picture === undefined && <Icon name={isDocument ? 'file' : 'film'} />}
          {isDocument && (
            <strong>
              {original?.mimeType?.map(typeWords).join(', ')} {(file?.size ?? -1) >= 0 && <Bytes value={file?.size} />}
            </strong>
          )}
          <p>{why}</p>
          {isDocument && file?.state === 'CLOSED' && (
            <a class="button main" href={`/API/item/${id}/shape/${original?.id}/data`} download={titleOf(item)}>
              <Icon name="download" />
              {t('item.download')}
            </a>
          )}
          {failed && !running && (
            <>
              <p class="small" role="alert">
                <Link to={`/job/${failed.jobId}`}>{t('item.jobFailed', { reason: reason ?? '' })}</Link>
              </p>
              {may('job.write') && (
                <Button
                  icon="refresh"
                  onClick={() =>
                    void act(() => send('POST', `/job/${failed.jobId}/re-run`), t('item.jobAgain')).then(jobs.reload)
                  }
                >
                  {t('word.again')}
                </Button>
              )}
            </>
          )}
          {running && (
            <>
              <Bar value={jobPercent(running) / 100} label={t('jobs.progressOf', { job: running.jobId })} />
              <p class="small" role="status">
                <Link to={`/job/${running.jobId}`}>{t('item.makingForm', { percent: jobPercent(running) })}</Link>
              </p>
            </>
          )}
          {canMake && (
            <Button
              kind="main"
              icon="film"
              onClick={() =>
                void act(
                  () => send('POST', `/item/${id}/transcode`, undefined, { query: { tag: usualTag } }),
                  t('item.formBegun'),
                ).then(jobs.reload)
              }
            >
              {t('item.makeForm')}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
